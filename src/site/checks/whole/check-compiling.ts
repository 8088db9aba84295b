import { objectionTo } from '../../markdown/page-tree.ts'
import { markupOf } from '../../text/markup.ts'
import type { Problem } from '../problem.ts'
import type { SiteView } from '../site-view.ts'
import { checkTags } from '../texts/check-tags.ts'
import { checkMdx } from '../texts/check-mdx.ts'
import { checkRestructured } from '../texts/check-restructured.ts'
import { readVersion } from '../tree-change.ts'

/** Milliseconds for compiling pages, which takes longest: those that are left are counted. */
const patience = 120_000

/** What they are called where it is said how much was not looked at. */
export const uncompiledPages = 'pages that were not compiled, as there are too many'

/**
 * Pages in MDX that a build would refuse, and those that take too long to read.
 * @param onPage called before each page with the number of those that are done
 */
export async function checkCompiling(
  view: SiteView,
  pages: readonly string[],
  onPage?: (done: number) => Promise<void>,
): Promise<{ problems: Problem[]; unreadable: string[]; left: number }> {
  const site = await view.site()
  const problems: Problem[] = []
  const unreadable: string[] = []
  const end = performance.now() + patience
  for (const [index, path] of pages.entries()) {
    if (performance.now() > end) return { problems, unreadable, left: pages.length - index }
    await onPage?.(index)
    if (!view.begin('page', path)) {
      unreadable.push(path)
      continue
    }
    if (!view.begin('check', path)) continue
    const version = await readVersion(view, path)
    if (version === undefined) continue
    // Plain Markdown needs no tree to be right, and making one takes longer than all other checks.
    const isTemplate = site.dialectOf(path).vue && /<[A-Za-z/]|\{\{/.test(version.text)
    const isMarkup = markupOf(path) === 'restructured'
    if (version.mdx === undefined && !isTemplate && !isMarkup && objectionTo(version.text) === undefined)
      continue
    const findings = [...(await checkMdx(version)), ...checkTags(version), ...checkRestructured(version)]
    for (const { same: _same, counted: _counted, ...finding } of findings) problems.push({ ...finding, path })
  }
  return { problems, unreadable, left: 0 }
}
