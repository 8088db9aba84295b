import { checkTree, doubtfulLinks } from '../check-tree.ts'
import type { Problem } from '../problem.ts'
import type { SiteView } from '../site-view.ts'
import { checkMdx } from '../texts/check-mdx.ts'
import { readVersion } from '../tree-change.ts'
import { findDuplicates, findOutsideNavigation, findUndescribed } from './check-pages.ts'
import { siteProblemKinds, type SiteProblem } from './site-problem.ts'

export interface SiteCheck {
  pages: number
  /** Links and images that were tried. */
  checkedLinks: number
  problems: SiteProblem[]
  /** What was not looked at, in words that can follow a number: `links to other sites`. */
  notLookedAt: { kind: string; count: number }[]
}

/** What is read now, and how many of the pages are done. */
export interface SiteProgress {
  phase: string
  done: number
  total: number
}

/** Milliseconds for compiling pages, which takes longest: those that are left are counted. */
const patience = 120_000

/** Everything that readers of a whole site would stumble over. */
export async function checkSite(
  view: SiteView,
  report: (progress: SiteProgress) => Promise<void>,
): Promise<SiteCheck> {
  const site = await view.site()
  const total = site.pages.length
  await report({ phase: 'Reading pages', done: 0, total })
  const tree = await checkTree(view, undefined, (done) => report({ phase: 'Following links', done, total }))
  const compiled = await checkCompiling(view, (done) => report({ phase: 'Compiling pages', done, total }))
  const own = [
    ...(await findOutsideNavigation(view)),
    ...(await findUndescribed(view)),
    ...(await findDuplicates(view)),
  ]
  const left = { kind: 'pages that were not compiled, as there are too many', count: compiled.left }
  // They are shown here, as what they are.
  const doubtful = tree.notLookedAt.find(({ kind }) => kind === doubtfulLinks)
  const others = tree.notLookedAt.filter((one) => one !== doubtful)
  return {
    pages: total,
    checkedLinks: tree.checked + (doubtful?.count ?? 0),
    problems: [...compiled.problems, ...tree.problems.flatMap(siteProblem), ...own],
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

/** Pages in MDX that a build would refuse. */
async function checkCompiling(
  view: SiteView,
  onPage: (done: number) => Promise<void>,
): Promise<{ problems: SiteProblem[]; left: number }> {
  const { pages } = await view.site()
  const problems: SiteProblem[] = []
  const end = performance.now() + patience
  for (const [index, path] of pages.entries()) {
    if (performance.now() > end) return { problems, left: pages.length - index }
    await onPage(index)
    if (!view.begin('page', path)) {
      problems.push({ kind: 'unreadable', path, line: 1, message: 'The page takes too long to read' })
      continue
    }
    if (!view.begin('check', path)) continue
    const version = await readVersion(view, path)
    if (version === undefined) continue
    for (const { line, message, hint } of await checkMdx(version))
      problems.push({ kind: 'mdx', path, line, message, ...(hint !== undefined && { hint }) })
  }
  return { problems, left: 0 }
}
