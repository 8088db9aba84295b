import type { Site } from '../site.ts'
import { checkNavigation, checkRedirects, checkRoutes } from './check-addresses.ts'
import { checkStyle } from './check-style.ts'
import { findGlossary } from './check-terms.ts'
import { checkText } from './texts/check-text.ts'
import { followAsWritten, navigationProblems, pageProblems, withHint, judgeLinks } from './check-tree.ts'
import type { Lint } from './lint.ts'
import { pagesIncluding } from './links/included-links.ts'
import { styleOf } from '../links/learn-ids.ts'
import { learnLinkedIds } from './links/learn-links.ts'
import { labelsCode } from './learn-customs.ts'
import { type Finding, type Problem, onlyNew } from './problem.ts'
import type { SiteView } from './site-view.ts'
import type { Report } from './whole/progress.ts'
import { type FileVersion, type TreeChange, addedLines, changeBetween, readVersion } from './tree-change.ts'
import { markdownEnding } from '../text/markup.ts'

/** The head's problems that the base does not have: the same problem on another line, or of a page that moved, is not new. */
export async function newProblems(base: SiteView, head: SiteView, tools: CheckTools): Promise<Problem[]> {
  const change = await changeBetween(base, head)
  // One after the other, so that the guard always knows which file is being read.
  return [...(await newTreeProblems(change, tools)), ...(await checkChange(change, tools))]
}

/** Only the problems in the changed files themselves, without checking the links of the whole site. */
export async function changeProblems(
  base: SiteView,
  head: SiteView,
  tools: Pick<CheckTools, 'unpublished'> = {},
): Promise<Problem[]> {
  return checkChange(await changeBetween(base, head), tools)
}

async function newTreeProblems(change: TreeChange, { report }: CheckTools): Promise<Problem[]> {
  const { base, head, files } = change
  const total = (await head.site()).pages.length
  const onPage = async (done: number): Promise<void> => report?.({ phase: 'Following links', done, total })
  const current = (await hasSameAddresses(change))
    ? await problemsOfTexts(change, onPage)
    : [
        ...(await pageProblems(head, (await head.site()).pages, { base, onPage })),
        ...(await navigationProblems(head)),
      ]
  if (current.length === 0) return []
  const sites = { before: await base.site(), after: await head.site() }
  const [before, after] = [base.oids(), head.oids()]
  // A problem is old when the same page had it before, or a page that is gone now.
  const concerned = new Set(current.map(({ path }) => path))
  const pages = sites.before.pages.filter((path) => concerned.has(path) || !after.has(path))
  const old = await pageProblems(base, pages)
  if (current.some(({ check }) => check === 'navigation')) old.push(...(await navigationProblems(base)))
  // A copy, such as one for a new version, has the problems of its original.
  for (const { path, from } of files) {
    if (from === undefined || before.has(path) || !after.has(from)) continue
    old.push(...(await pageProblems(base, [from])).map((problem) => ({ ...problem, path })))
  }
  // A link that follows a page has the problem of before, though it is written in another way.
  const placeIn = (site: Site) => (path: string, href: string) => {
    const target = site.resolveLink(path, href)
    if (target.kind === 'page') return [change.removed.get(target.path) ?? target.path, target.anchor]
    const named = target.kind === 'broken' ? target.names : undefined
    return named === undefined ? href : [change.removed.get(named) ?? named]
  }
  const [wasIn, isIn] = [placeIn(sites.before), placeIn(sites.after)]
  const known = new Map<string, number>()
  for (const problem of old) {
    const key = identity(problem, !after.has(problem.path), wasIn)
    known.set(key, (known.get(key) ?? 0) + 1)
  }
  const fresh = current.filter((problem) => {
    const keys = [identity(problem, false, isIn)]
    if (!before.has(problem.path)) keys.push(identity(problem, true, isIn))
    const key = keys.find((one) => (known.get(one) ?? 0) > 0)
    if (key === undefined) return true
    known.set(key, (known.get(key) ?? 0) - 1)
    return false
  })
  return judgeLinks(
    head,
    fresh.map((problem) => withMove(change, sites, problem)),
    base,
    // A link that the change itself broke has no excuse.
    async ({ path, href = '' }) =>
      (await followAsWritten({ view: base, site: sites.before, path, base }, { href })).kind !== 'found',
  )
}

/** Adds to a problem where a link to a moved or deleted page should lead now. */
function withMove(
  { head, removed }: TreeChange,
  { before, after }: { before: Site; after: Site },
  problem: Problem,
): Problem {
  const { check, path, href } = problem
  if (href === undefined || (check !== 'link' && check !== 'image')) return problem
  const target = before.resolveLink(path, href)
  if ((target.kind !== 'page' && target.kind !== 'asset') || head.oids().has(target.path)) return problem
  const to = removed.get(target.path)
  return to === undefined
    ? {
        ...problem,
        hint: `${target.path} was deleted. Link to its replacement or remove the link`,
      }
    : withHint({ ...problem, suggestions: [after.linkTo(path, to, href)] }, `${target.path} is ${to} now`)
}

function identity(
  { check, path, href, message }: Problem,
  moved: boolean,
  place: (path: string, href: string) => unknown,
): string {
  const what =
    href !== undefined && ['anchor', 'link', 'image'].includes(check) ? place(path, href) : (href ?? message)
  return JSON.stringify([check, moved ? undefined : path, what])
}

/** Whether every link that the change did not write leads to the same file as before. */
async function hasSameAddresses({ base, head, files, removed }: TreeChange): Promise<boolean> {
  const before = base.oids()
  if (removed.size > 0 || files.some(({ path }) => !before.has(path))) return false
  const { configPaths } = await head.site()
  const changed = new Set(files.map(({ path }) => path))
  if (configPaths.some((path) => changed.has(path))) return false
  const { framework, needs } = await base.site()
  if (framework !== (await head.site()).framework) return false
  for (const { path } of files) {
    const [old, now] = [await base.facts(path), await head.facts(path)]
    const isSame = (key: string) =>
      JSON.stringify(old?.frontMatter.data[key]) === JSON.stringify(now?.frontMatter.data[key])
    if (!['slug', 'id', ...needs.fields].every(isSame)) return false
    if (needs.labels && old?.labels.join('\n') !== now?.labels.join('\n')) return false
  }
  return true
}

/** Problems of changed pages, and of links to anchors that a changed page no longer has. */
async function problemsOfTexts(
  { base, head, files }: TreeChange,
  onPage: (done: number) => Promise<void>,
): Promise<Problem[]> {
  const { pages } = await head.site()
  const changed = new Set(files.map(({ path }) => path))
  const parts = new Set(
    files.map(({ path }) => path).filter((path) => isMarkdownFile(path) && !pages.includes(path)),
  )
  if (parts.size > 0) for (const path of await pagesIncluding(head, parts)) changed.add(path)
  const ofTexts = await pageProblems(
    head,
    pages.filter((path) => changed.has(path)),
    { base },
  )
  if (!(await someLoseAnchors(base, head, changed))) return ofTexts
  const others = pages.filter((path) => !changed.has(path))
  return [
    ...ofTexts,
    ...(await pageProblems(head, others, {
      base,
      onPage,
      isWanted: ({ href }) => href.includes('#') && !href.startsWith('#'),
    })),
  ]
}

function isMarkdownFile(path: string): boolean {
  return markdownEnding.test(path)
}

async function someLoseAnchors(base: SiteView, head: SiteView, paths: Iterable<string>): Promise<boolean> {
  for (const path of paths) if (await losesAnchors(base, head, path)) return true
  return false
}

async function losesAnchors(base: SiteView, head: SiteView, path: string): Promise<boolean> {
  if (!isMarkdownFile(path)) return false
  const slugs = styleOf(await learnLinkedIds(base), path)
  const [before, after] = [await base.anchors(path, slugs), await head.anchors(path, slugs)]
  return before !== undefined && ![...before].every((anchor) => after?.has(anchor) === true)
}

export interface CheckTools {
  /** The repository's own linters, where they are installed. */
  lint?: Lint
  /** Files that the base branch does not have, only the job's own. */
  unpublished?: ReadonlySet<string>
  signal?: AbortSignal | undefined
  /** Is told how far the search for links that lead nowhere is. */
  report?: Report | undefined
}

/** Milliseconds for checking the files of one change. */
const patience = 90_000

/**
 * Problems that a change causes: in the texts that it writes, with pages that it adds, and with addresses that it
 * removes.
 */
async function checkChange(change: TreeChange, tools: CheckTools): Promise<Problem[]> {
  const problems: Problem[] = []
  const pages: { before: FileVersion | undefined; after: FileVersion }[] = []
  const glossary = change.files.length === 0 ? undefined : await findGlossary(change.base)
  const end = performance.now() + patience
  for (const [index, { path, from }] of change.files.entries()) {
    tools.signal?.throwIfAborted()
    if (performance.now() > end) {
      const message = `This file and ${change.files.length - index - 1} more were not checked: the change is too large to check all of it`
      problems.push(unchecked(path, message, 'Make the change in several jobs to have every file checked'))
      break
    }
    if (!change.head.begin('page', path) || !change.head.begin('check', path)) {
      const message = 'The file takes too long to read, so it was not checked'
      problems.push(unchecked(path, message, 'Make it shorter or less nested'))
      continue
    }
    const after = await readVersion(change.head, path)
    if (after === undefined) continue
    const before = from === undefined ? undefined : await readVersion(change.base, from)
    if (after.isMarkdown) pages.push({ before, after })
    const findings = await checkText(after, glossary)
    if (findings.length === 0) continue
    const known = before === undefined ? [] : await checkText(before, glossary)
    const isAdded = addedLines(before?.text, after.text)
    const fresh = onlyNew(findings, known).filter(({ check, line }) => check !== 'term' || isAdded(line))
    for (const finding of fresh) {
      const isCustom = finding.same?.startsWith('unlabelled') !== true || (await labelsCode(change.base))
      problems.push(problemAt(path, isCustom ? finding : { ...finding, severity: 'warning' }))
    }
  }
  problems.push(
    ...(await checkNavigation(change)),
    ...(await checkRedirects(change, tools.unpublished)),
    ...(await checkRoutes(change)),
  )
  if (tools.lint !== undefined && pages.length > 0)
    problems.push(...(await checkStyle(change.base, pages, tools.lint, tools.signal)))
  return problems
}

function problemAt(path: string, { same: _same, counted: _counted, ...finding }: Finding): Problem {
  return { ...finding, path }
}

function unchecked(path: string, message: string, hint: string): Problem {
  const check = /\.(?:jsonc?|ya?ml)$/i.test(path) ? 'data' : 'mdx'
  return { check, severity: 'warning', path, line: 1, message, hint }
}
