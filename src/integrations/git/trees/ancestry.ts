import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'

/** The best common ancestor of two commits; undefined when their histories share nothing. */
export async function mergeBase(
  repository: Repository,
  one: string,
  other: string,
): Promise<string | undefined> {
  if (one === other) return requireObjectId(one)
  const key = `${repository.folder} ${one} ${other}`
  const remembered = known.get(key)
  if (remembered !== undefined) return remembered
  const base = await findBase(repository, one, other)
  if (base !== undefined) keepNewest(known, mostKnown, key, base)
  return base
}

// The base of two commits never changes, and a job asks several times.
const known = new Map<string, string>()
const mostKnown = 1000

async function findBase(repository: Repository, one: string, other: string): Promise<string | undefined> {
  const { stdout, code } = await runGit(repository.git, {
    args: ['merge-base', requireObjectId(one), requireObjectId(other)],
    folder: repository.folder,
    answers: [1],
  })
  return code === 0 ? stdout.toString().trim() : undefined
}

/** Whether `commit` contains `ancestor`; a commit contains itself. */
export async function isAncestor(repository: Repository, ancestor: string, commit: string): Promise<boolean> {
  if (ancestor === commit) return true
  const { code } = await runGit(repository.git, {
    args: ['merge-base', '--is-ancestor', requireObjectId(ancestor), requireObjectId(commit)],
    folder: repository.folder,
    answers: [1],
  })
  return code === 0
}
