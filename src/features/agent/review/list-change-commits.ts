import { listCommits } from '../../../integrations/git/trees/list-commits.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import type { Change } from '../workspace/job-work.ts'

export interface ChangeCommit {
  id: string
  /** The first parent, from which its diff is made; undefined for the first commit of a repository. */
  parent: string | undefined
  title: string
  author: string
  /** Names. */
  coAuthors: string[]
  date: Date
  isMerge: boolean
}

const mostCommits = 250

/** The commits of a change's branch since it left its base, newest first, at most 250. */
export async function listChangeCommits({ repository, from, to, head }: Change): Promise<ChangeCommit[]> {
  if (head === undefined || from === to) return []
  // What is kept after a merge is compared with a tree, which has no history.
  const since = await resolveReference(repository, from)
  if (since === undefined) return []
  const commits = await listCommits(repository, { from: since, to: head, limit: mostCommits })
  return commits.map(({ id, parents, author, date, message }) => ({
    id,
    parent: parents[0],
    title: (message.split('\n', 1)[0] ?? '').slice(0, 300).toWellFormed(),
    author: author.name.slice(0, 200).toWellFormed(),
    coAuthors: coAuthorsOf(message),
    date,
    isMerge: parents.length > 1,
  }))
}

function coAuthorsOf(message: string): string[] {
  const names = message.split('\n').flatMap((line) => {
    const [, name] = /^co-authored-by:([^<]{1,200})</i.exec(line) ?? []
    return name === undefined ? [] : [name.trim().toWellFormed()]
  })
  return [...new Set(names)].filter((name) => name !== '').slice(0, 20)
}
