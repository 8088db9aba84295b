import { checkTree, doubtfulLinks } from '../check-tree.ts'
import type { Problem } from '../problem.ts'
import { ignorePath, readIgnored, type IgnoredProblems } from './ignored-problems.ts'
import type { SiteView } from '../site-view.ts'
import { checkCompiling, uncompiledPages } from './check-compiling.ts'
import { findDuplicates, findOutsideNavigation, findUndescribed } from './check-pages.ts'
import type { Report } from './progress.ts'
import { siteProblemKinds, type SiteProblem } from './site-problem.ts'

export interface SiteCheck {
  pages: number
  /** Links and images that were tried. */
  checkedLinks: number
  problems: SiteProblem[]
  /** What was not looked at, in words that can follow a number: `links to other sites`. */
  notLookedAt: { kind: string; count: number }[]
  /** How many problems the repository says are none, and what is wrong with what it says. */
  ignored: { count: number; wrong: IgnoredProblems['wrong'] }
}

const mostWrong = 20

/** Everything that readers of a whole site would stumble over. */
export async function checkSite(view: SiteView, report: Report): Promise<SiteCheck> {
  const site = await view.site()
  const total = site.pages.length
  await report({ phase: 'Reading pages', done: 0, total })
  const tree = await checkTree(view, undefined, (done) => report({ phase: 'Following links', done, total }))
  const compiled = await checkCompiling(view, site.pages, (done) =>
    report({ phase: 'Compiling pages', done, total }),
  )
  const unreadable = compiled.unreadable.map((path) => ({
    kind: 'unreadable' as const,
    path,
    line: 1,
    message: 'The page takes too long to read',
  }))
  const own = [
    ...(await findOutsideNavigation(view)),
    ...(await findUndescribed(view)),
    ...(await findDuplicates(view)),
  ]
  const left = { kind: uncompiledPages, count: compiled.left }
  // They are shown here, as what they are.
  const doubtful = tree.notLookedAt.find(({ kind }) => kind === doubtfulLinks)
  const others = tree.notLookedAt.filter((one) => one !== doubtful)
  const ignored = readIgnored(await view.text(ignorePath))
  const all = [...unreadable, ...[...compiled.problems, ...tree.problems].flatMap(siteProblem), ...own]
  const problems = all.filter((problem) => !ignored.ignores(problem))
  return {
    pages: total,
    checkedLinks: tree.checked + (doubtful?.count ?? 0),
    problems,
    ignored: { count: all.length - problems.length, wrong: ignored.wrong.slice(0, mostWrong) },
    notLookedAt: [...others, ...(left.count > 0 ? [left] : [])],
  }
}

function siteProblem({ check, severity, path, line, message, hint }: Problem): SiteProblem[] {
  const kind = siteProblemKinds.find((one) => one === check)
  if (kind === undefined) return []
  return [
    {
      kind,
      path,
      line,
      message,
      ...(hint !== undefined && { hint }),
      ...(severity === 'warning' && { isWarning: true as const }),
    },
  ]
}
