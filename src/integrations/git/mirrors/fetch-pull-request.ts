import { type FetchOptions, fetchReferences, timed } from './fetch-references.ts'
import type { Repository } from '../git.ts'
import { withRepositoryLock } from './repository-lock.ts'
import type { Remote } from '../remote.ts'
import { resolveReference } from '../resolve-reference.ts'
import { GitError } from '../process/run-git.ts'

/** Where hosts keep the newest commit of a pull request, in any state. */
const places = (number: number): string[] => [
  `refs/pull/${number}/head`,
  `refs/merge-requests/${number}/head`,
]

/**
 * The newest commit of a pull request of the remote; undefined where its host shows none to git.
 * @throws AppError `unavailable` when the remote is away
 */
export async function fetchPullRequest(
  repository: Repository,
  remote: Remote,
  number: number,
  options: FetchOptions = {},
): Promise<string | undefined> {
  const own = `refs/docwright/pulls/${number}`
  return withRepositoryLock(
    repository,
    async () => {
      for (const place of places(number)) {
        try {
          await fetchReferences(repository, remote, [`+${place}:${own}`], timed(options, false))
          return await resolveReference(repository, own)
        } catch (error) {
          if (!lacksIt(error)) throw error
        }
      }
      return undefined
    },
    { signal: options.signal },
  )
}

function lacksIt(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return [error, cause].some((one) => one instanceof GitError && /couldn't find remote ref /.test(one.stderr))
}
