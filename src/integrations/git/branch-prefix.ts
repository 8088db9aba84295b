import { isReferenceName } from './reference-name.ts'

/** What the names of the agent's branches begin with, where a project sets nothing else. */
export const defaultBranchPrefix = 'docwright/'

const longest = 100
/** As long as what follows the prefix at most: the end of a job's id and the number of the branch. */
const sample = '0123456789ab-1000'

/**
 * Whether git and its hosts take branches that begin with a text. Besides git's rules, signs that a shell acts on are
 * left out, because people copy these names into commands.
 */
export function isBranchPrefix(text: string): boolean {
  if (text === '' || text.length > longest || /["'`$;&|<>(){}!#%]/.test(text)) return false
  // Hosts refuse branches that look like full references.
  if (text.startsWith('-') || /^refs\//i.test(text)) return false
  return isReferenceName(`${text}${sample}`)
}

/**
 * The branch among `branches` that keeps git from making others that begin with `prefix`: git has no branch `a/b` beside
 * one named `a`. A branch whose name differs in case only is named when no other is, because some hosts ignore case.
 */
export function findBranchInTheWay(prefix: string, branches: Iterable<string>): string | undefined {
  const taken = foldersOf(prefix)
  const alike = new Set(taken.map((name) => name.toLowerCase()))
  let similar: string | undefined
  for (const branch of branches) {
    if (taken.includes(branch)) return branch
    if (alike.has(branch.toLowerCase())) similar ??= branch
  }
  return similar
}

/** Whether a branch is surely in the way, on every host. */
export function isSurelyInTheWay(prefix: string, branch: string): boolean {
  return foldersOf(prefix).includes(branch)
}

/** The names that no branch may have beside branches that begin with `prefix`. */
export function foldersOf(prefix: string): string[] {
  const parts = prefix.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** What is wrong, and what to do about it; for people. */
export function describeBranchInTheWay(prefix: string, branch: string): string {
  const [named, jobs] = [JSON.stringify(branch), JSON.stringify(prefix)]
  return isSurelyInTheWay(prefix, branch)
    ? `The branch ${named} blocks jobs. Their branches begin with ${jobs}, and git can’t have a branch ${named} beside them. Rename or delete that branch, or choose another branch prefix in the project’s settings`
    : `The branch ${named} may block jobs, whose branches begin with ${jobs}. Hosts that ignore case can’t have both. If jobs fail, rename or delete that branch, or choose another branch prefix in the project’s settings`
}
