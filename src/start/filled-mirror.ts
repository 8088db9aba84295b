import { fetchMirror } from '../integrations/git/fetch-mirror.ts'
import type { Repository } from '../integrations/git/git.ts'
import { hasReferences } from '../integrations/git/has-references.ts'
import { resolveReference } from '../integrations/git/resolve-reference.ts'
import type { Services } from './open-services.ts'

/** Milliseconds between questions to a host for commits that it may not have any more. */
const pause = 60_000

/**
 * Opens mirrors that have something in them: one that was dropped to make room is fetched again, and so is one that
 * lacks a commit, because another server on another data folder may have pushed it.
 */
export function createFilledMirror({
  mirror,
  remote,
}: Pick<Services, 'mirror' | 'remote'>): Services['filledMirror'] {
  const asked = new Map<string, number>()
  return async (project, commits = []) => {
    const repository = await mirror(project)
    const isEmpty = !(await hasReferences(repository))
    if (!isEmpty) {
      if ((asked.get(repository.folder) ?? 0) > Date.now() - pause) return repository
      if (!(await lacksOne(repository, commits))) return repository
      asked.set(repository.folder, Date.now())
    }
    await fetchMirror(repository, await remote(project), { head: project.ref })
    return repository
  }
}

async function lacksOne(repository: Repository, commits: readonly string[]): Promise<boolean> {
  const found = await Promise.all(commits.map((commit) => resolveReference(repository, commit)))
  return found.includes(undefined)
}
