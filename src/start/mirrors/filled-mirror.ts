import { endingSignal } from '../../lib/ending-signal.ts'
import { fetchMirror } from '../../integrations/git/mirrors/fetch-mirror.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { hasReferences } from '../../integrations/git/mirrors/has-references.ts'
import type { Remote } from '../../integrations/git/remote.ts'
import { resolveReference } from '../../integrations/git/resolve-reference.ts'

interface Ports<P> {
  mirror(project: P): Promise<Repository>
  remote(project: P): Promise<Remote>
}

type FilledMirror<P> = (
  project: P,
  commits?: readonly string[],
  options?: { fresh?: boolean },
) => Promise<Repository>

/** Milliseconds until a host is asked again for commits that it did not have. */
const pause = 60_000
const remembered = 1000
/** Milliseconds that a fetch may take where the mirror could be shown as it is. */
const freshTime = 3000

/**
 * Opens mirrors that are not empty. A mirror that was deleted to make room is fetched again, and so is one that
 * lacks a commit, because a server on another data folder may have pushed it. With `fresh` every mirror is fetched, as
 * long as its remote answers soon.
 */
export function createFilledMirror<P extends { ref: string }>({ mirror, remote }: Ports<P>): FilledMirror<P> {
  const gone = new Map<string, number>()
  return async (project, commits = [], { fresh = false } = {}) => {
    const repository = await mirror(project)
    const isFilled = await hasReferences(repository)
    if (isFilled && fresh) {
      using fetching = endingSignal({ milliseconds: freshTime })
      const options = { head: project.ref, signal: fetching.signal }
      await remote(project)
        .then((from) => fetchMirror(repository, from, options))
        .catch(() => undefined)
    }
    const lacking = isFilled ? await lackingOf(repository, commits) : commits
    const isNews = lacking.some((commit) => (gone.get(commit) ?? 0) < Date.now() - pause)
    if (isFilled && !isNews) return repository
    await fetchMirror(repository, await remote(project), { head: project.ref })
    if (gone.size > remembered) gone.clear()
    for (const commit of await lackingOf(repository, lacking)) gone.set(commit, Date.now())
    return repository
  }
}

async function lackingOf(repository: Repository, commits: readonly string[]): Promise<string[]> {
  const ids = await Promise.all(commits.map((commit) => resolveReference(repository, commit)))
  return commits.filter((_, index) => ids[index] === undefined)
}
