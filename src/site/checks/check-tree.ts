import { visit } from 'unist-util-visit'
import { isMarkdown } from '../links/page-path.ts'
import { openNavigation } from '../frameworks/open-navigation.ts'
import type { Site } from '../site.ts'
import { actingLinks, type Link } from '../markdown/extract-links.ts'
import { type Span, blankSpans, pageTrees, spanOf } from '../markdown/page-tree.ts'
import { type Problem, short } from './problem.ts'
import type { SiteView } from './site-view.ts'
import { type IncludedLink, includedLinks, isOnlyPart } from './links/included-links.ts'
import { type Outcome, followLink, isImage, mayStartAtTop, withoutHash } from './links/follow-link.ts'
import { learnLinkedIds, learnLinks } from './links/learn-links.ts'
import { createSuggester, nearAnchors } from './links/suggest.ts'

const maxProblems = 5000

/** What a check of a whole site looked at. */
export interface TreeCheck {
  problems: Problem[]
  /** Links and images that were tried. */
  checked: number
  /** Those of them that lead nowhere, or to a place that the page does not have. */
  broken: number
  /** Links that were not tried, by what they are, in words that can follow a number: `links to other sites`. */
  notLookedAt: { kind: string; count: number }[]
}

/** What the problems with a warning are called where only the others are shown. */
export const doubtfulLinks = 'links that lead nowhere, but may be right as the site has many like them'

/**
 * All problems of the tree's pages and navigation: links, anchors and images that lead nowhere, front matter that cannot
 * be read, navigation entries without a page. `paths` narrows it to files and folders.
 * @param onPage called before each page with the number of those that are done
 */
export async function checkTree(
  view: SiteView,
  paths?: readonly string[],
  onPage?: (done: number) => Promise<void>,
): Promise<TreeCheck> {
  const isWanted = createSelection(paths)
  const site = await view.site()
  const tally = new LinkTally()
  const onPages = await pageProblems(view, site.pages.filter(isWanted), { tally, onPage })
  await countOutside(view, isWanted, tally)
  const named = (await navigationProblems(view)).filter((problem) => isWanted(problem.path))
  const problems = await judgeLinks(view, [...onPages, ...named].slice(0, maxProblems))
  const links = problems.filter(({ check, href }) => href !== undefined && check !== 'navigation')
  const broken = links.filter(({ severity }) => severity === undefined).length
  tally.pass(doubtfulLinks, links.length - broken)
  for (const { format, pages } of (await view.site()).unread) tally.pass(`pages in ${format}`, pages)
  const checked = tally.checked - (links.length - broken)
  return { problems, checked, broken, notLookedAt: tally.notLookedAt() }
}

class LinkTally {
  checked = 0
  #others = new Map<string, number>()

  pass(kind: string, count = 1): void {
    if (count > 0) this.#others.set(kind, (this.#others.get(kind) ?? 0) + count)
  }

  notLookedAt(): TreeCheck['notLookedAt'] {
    return [...this.#others]
      .map(([kind, count]) => ({ kind, count }))
      .sort((one, other) => other.count - one.count)
  }
}

/** Links in Markdown files that are no pages and that no page includes: where these are shown is not known. */
async function countOutside(
  view: SiteView,
  isWanted: (path: string) => boolean,
  tally: LinkTally,
): Promise<void> {
  const site = await view.site()
  const { root, pages } = site
  const known = new Set(pages)
  for await (const { path, facts } of view.eachFacts(pages))
    if (facts.mayInclude) for (const file of (await view.whole(path))?.page.included ?? []) known.add(file)
  const others = [...view.oids().keys()].filter(
    (path) => isMarkdown(path, root) && !known.has(path) && isWanted(path),
  )
  for await (const { path, facts } of view.eachFacts(others))
    tally.pass('links in files that are no pages', actingLinks(facts.links, site.dialectOf(path)).length)
}

interface PageChecks {
  isWanted?: (link: Link) => boolean
  tally?: LinkTally
  /** The tree from which is learned how the site is written. */
  base?: SiteView
  onPage?: ((done: number) => Promise<void>) | undefined
}

/** Problems of some pages, without suggestions. With `isWanted`, only problems of those links. */
export async function pageProblems(
  view: SiteView,
  pages: readonly string[],
  { isWanted, tally, base = view.base ?? view, onPage }: PageChecks = {},
): Promise<Problem[]> {
  const site = await view.site()
  const problems: Problem[] = []
  const seen = new Set<string>()
  let read = 0
  for await (const { path, facts } of view.eachFacts(pages)) {
    if (problems.length >= maxProblems) break
    await onPage?.(read)
    read++
    const { problem } = facts.frontMatter
    if (problem !== undefined && isWanted === undefined) {
      // The message must not name the line: the same problem on another line is not a new one.
      const [place = '', line = 0] = / at line (\d+), column \d+:?$/.exec(problem) ?? []
      problems.push({
        check: 'front_matter',
        path,
        line: Number(line) + 1,
        message: `The front matter cannot be read: ${problem.slice(0, problem.length - place.length)}`,
        hint: 'Quote values that contain a colon or a quote',
      })
    }
    const dialect = site.dialectOf(path)
    for (const link of actingLinks(facts.links, dialect)) {
      const fault = isWanted?.(link) === false ? undefined : await checkLink({ view, site, path, base }, link)
      if (typeof fault === 'string') tally?.pass(fault)
      else if (fault === undefined || !(await isOnlyPart(view, path))) {
        if (tally !== undefined) tally.checked++
        if (fault !== undefined) problems.push(fault)
      }
    }
    for (const { link, ...place } of facts.mayInclude ? await includedLinks(view, path) : []) {
      // A file that many pages include is looked at in the first of them.
      const key = `${place.path} ${place.line} ${link.href}`
      if (seen.has(key) || isWanted?.(link) === false) continue
      seen.add(key)
      const fault = await checkLink({ view, site, path, base }, link)
      if (typeof fault === 'string') tally?.pass(fault)
      else {
        if (tally !== undefined) tally.checked++
        if (fault !== undefined) problems.push(inIncluded(fault, place))
      }
    }
    const indented = dialect.mdx ? 0 : facts.links.filter(({ isIndented }) => isIndented === true).length
    tally?.pass('links in code', facts.unread.code + indented)
    const unused = facts.links.filter(({ definedAs }) => definedAs === 'unused')
    const isDefinition = ({ kind }: Link) => kind === 'definition'
    tally?.pass('definitions that no reference uses', unused.filter(isDefinition).length)
    tally?.pass('links that a condition may leave out', unused.filter((one) => !isDefinition(one)).length)
    tally?.pass('links that an expression makes', facts.unread.expression)
  }
  tally?.pass('pages that could not be read, or come after too many problems', pages.length - read)
  return problems
}

function inIncluded(problem: Problem, { path, line, at }: Omit<IncludedLink, 'link'>): Problem {
  const { suggestions: _relativeToPage, ...rest } = problem
  return {
    ...rest,
    line: at,
    message: `${problem.message}. It is written in ${path}, line ${line}, which this page includes`,
    hint: `Fix it in ${path}`,
  }
}

/**
 * Adds suggestions to problems of links that lead nowhere. Those that fail as most links of their kind do in the base,
 * which is a site that is built, become warnings, unless `mayBeRight` says no.
 */
export async function judgeLinks(
  view: SiteView,
  problems: readonly Problem[],
  base = view.base ?? view,
  mayBeRight: (problem: Problem) => Promise<boolean> = async () => true,
): Promise<Problem[]> {
  const site = await view.site()
  const suggester = createSuggester(site, view.oids())
  const explained: Problem[] = []
  for (const problem of problems) {
    const { check, path, href } = problem
    if (href === undefined || (check !== 'link' && check !== 'image' && check !== 'anchor')) {
      explained.push(problem)
      continue
    }
    view.begin('page', path)
    const context = { view, site, path, base }
    let found = problem
    if (problem.hint === undefined) {
      const { suggestions, hint } = suggester(path, href)
      const checked = await asSiteWrites(context, suggestions)
      found = withHint(
        checked.length > 0 ? { ...problem, suggestions: checked } : problem,
        hint ?? (check === 'link' ? noPage : noImage),
      )
    } else if (check !== 'anchor') {
      explained.push(problem)
      continue
    }
    explained.push((await mayBeRight(found)) ? await excused(context, found, href) : found)
  }
  return explained
}

async function excused(context: Context, problem: Problem, href: string): Promise<Problem> {
  const { view, site, path, base } = context
  const resolved = problem.check === 'anchor' ? site.resolveLink(path, href) : undefined
  const target = resolved?.kind === 'page' ? resolved.path : undefined
  const { check, line, message } = problem
  const warning = (hint: string): Problem => ({ check, severity: 'warning', path, line, message, hint, href })
  if (target !== undefined && isFilledIn(site, await view.text(target)))
    return warning(`The build fills in parts of ${target}, so not all of its headings are known here`)
  const excuse = (await learnLinks(base)).excuse({ path, href, target, isOfBase: base === view })
  if (excuse === undefined || (problem.suggestions?.length === 1 && !excuse.isCertain)) return problem
  return warning(excuse.reason)
}

/** Whether a template language or a generator of references puts text into a page. */
function isFilledIn({ customs }: Site, text = ''): boolean {
  const calls = /^[ \t]*(?:\{\{|\{%)/m
  if (customs.filledIn?.test(text) === true) return true
  const tree = calls.test(text) ? pageTrees.read(text, 'flat-markdown').tree : undefined
  if (tree === undefined) return false
  const code: Span[] = []
  visit(tree, 'code', (node) => void code.push(spanOf(node)))
  return calls.test(blankSpans(text, code))
}

// Hints are for people and for models alike, so they name no tool.
const noPage = 'Link to a page that is there, or take the link out of the sentence'
const noImage = 'Name a file that is there, or take the image out'

/** The suggestions in words, or `otherwise` where there are none. */
export function withHint(problem: Problem, otherwise: string): Problem {
  const [first, ...others] = problem.suggestions ?? []
  if (first === undefined) return { ...problem, hint: otherwise }
  const hint = others.length === 0 ? `Write ${first}` : `It may be ${[first, ...others].join(' or ')}`
  return { ...problem, hint }
}

interface Context {
  view: SiteView
  site: Site
  path: string
  base: SiteView
}

/** The problem of a link, or a text that says what it is where it cannot be tried. */
async function checkLink(context: Context, link: Link): Promise<Problem | string | undefined> {
  const { href, line } = link
  const { path } = context
  const outcome = await followAsWritten(context, link)
  if (outcome.kind === 'found') return undefined
  if (outcome.kind === 'untried') return outcome.why
  if (outcome.kind === 'broken') {
    const [check, noun] = isImage(link) ? (['image', 'image'] as const) : (['link', 'link'] as const)
    const message = `The ${noun} ${short(href)} leads nowhere: ${outcome.reason}`
    const hint =
      outcome.isAddress === true ? { hint: 'Write it as a link in Markdown, or write the address' } : {}
    return { check, path, line, message, href, ...hint }
  }
  const { target, anchor, anchors } = outcome
  const near = nearAnchors(anchor, anchors).map((name) => `${withoutHash(href)}#${encodeAnchor(name)}`)
  const where = target === path ? 'this page' : target
  return withHint(
    {
      check: 'anchor',
      path,
      line,
      message: `The link ${short(href)} points to an anchor that doesn’t exist in ${where}`,
      href,
      ...(near.length > 0 ? { suggestions: near } : {}),
    },
    "Link to one of the page's headings, or to the page alone",
  )
}

/** Follows a link in the way in which most links of the site lead somewhere. */
export async function followAsWritten(
  context: Context,
  link: Pick<Link, 'href' | 'isRaw'>,
): Promise<Outcome> {
  const { href } = link
  const ids = href.includes('#') ? await learnLinkedIds(context.base) : undefined
  const plain = await followLink(context, link, { ids })
  if (plain.kind !== 'untried' || !mayStartAtTop(context.site, href)) return plain
  return followLink(context, link, { ids, top: (await learnLinks(context.base)).top })
}

/**
 * Suggestions as the site's own links are written: from its own top, and without the anchor of the old link where the
 * page lacks it.
 */
async function asSiteWrites(context: Context, hrefs: readonly string[]): Promise<string[]> {
  const checked: string[] = []
  for (const href of hrefs) {
    const { kind } = await followAsWritten(context, { href })
    const fit = kind === 'no_anchor' ? withoutHash(href) : href
    const top = mayStartAtTop(context.site, href) ? ((await learnLinks(context.base)).top ?? '') : ''
    checked.push(top !== '' && fit.startsWith(`/${top}`) ? fit.slice(top.length) : fit)
  }
  return [...new Set(checked)]
}

function encodeAnchor(anchor: string): string {
  return anchor.replace(/[\s()<>"%]/g, (character) => encodeURIComponent(character))
}

/** Entries of the navigation that name no page. */
export async function navigationProblems(view: SiteView): Promise<Problem[]> {
  const site = await view.site()
  try {
    const navigation = await openNavigation(view)
    return (navigation?.entries ?? [])
      .filter((entry) => entry.path === undefined && !isOutside(site, entry.text))
      .slice(0, maxProblems)
      .map(({ file, line, text }) => ({
        check: 'navigation',
        path: file,
        line,
        message: `Navigation entry ${short(text)} doesn’t match any page`,
        hint: 'Point it to an existing page or remove the entry',
        href: text,
      }))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [{ check: 'navigation', path: site.configPaths[0] ?? '', line: 1, message }]
  }
}

/** Whether an entry names a page that the site has outside of the folder that is asked for. */
function isOutside(site: Site, text: string): boolean {
  const target = site.resolveLink(site.configPaths[0] ?? '', text)
  return target.kind === 'external' && target.outside !== undefined
}

/** Whether a path is one of these files, or lies in one of these folders; every path when none is given. */
export function createSelection(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined || paths.length === 0) return () => true
  const wanted = paths.map((path) => path.replace(/^\.?\//, '').replace(/(?<!\/)\/+$/, ''))
  return (path) =>
    wanted.some((name) => name === '' || name === '.' || path === name || path.startsWith(`${name}/`))
}
