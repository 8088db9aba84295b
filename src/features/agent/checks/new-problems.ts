import { type CheckTools, checkChange } from './check-change.ts'
import { checkTree } from './check-tree.ts'
import type { Problem } from './problem.ts'
import type { SiteView } from './site-view.ts'
import { changeBetween } from './tree-change.ts'

/** The head's problems that the base does not have: the same problem on another line, or of a page that moved, is not new. */
export async function newProblems(base: SiteView, head: SiteView, tools: CheckTools): Promise<Problem[]> {
  // Pages are compiled in a thread while links are looked at here.
  const [tree, change] = await Promise.all([newTreeProblems(base, head), changeProblems(base, head, tools)])
  return [...tree, ...change]
}

/** Only what the change's own files and pages bring, without the links of the whole site. */
export async function changeProblems(base: SiteView, head: SiteView, tools: CheckTools): Promise<Problem[]> {
  return checkChange(await changeBetween(base, head), tools)
}

async function newTreeProblems(base: SiteView, head: SiteView): Promise<Problem[]> {
  const found = await checkTree(head)
  if (found.length === 0) return []
  const known = new Map<string, number>()
  for (const problem of await checkTree(base)) {
    const key = identity(problem, base.oids().has(problem.path) && !head.oids().has(problem.path))
    known.set(key, (known.get(key) ?? 0) + 1)
  }
  return found.filter((problem) => {
    const keys = [identity(problem, false)]
    if (!base.oids().has(problem.path)) keys.push(identity(problem, true))
    const key = keys.find((one) => (known.get(one) ?? 0) > 0)
    if (key === undefined) return true
    known.set(key, (known.get(key) ?? 0) - 1)
    return false
  })
}

function identity(problem: Problem, moved: boolean): string {
  return JSON.stringify([problem.check, moved ? undefined : problem.path, problem.href ?? problem.message])
}
