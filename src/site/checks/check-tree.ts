import { openNavigation } from '../navigation/open-navigation.ts'
import type { Site } from '../frameworks/site.ts'
import type { Link } from '../pages/extract-links.ts'
import { type Problem, short } from './problem.ts'
import type { SiteView } from './site-view.ts'
import { createSuggester } from './suggest.ts'

const maxProblems = 5000

/**
 * All problems of the tree's pages and navigation: links, anchors and images that lead nowhere, front matter that cannot
 * be read, navigation entries without a page. `paths` narrows it to files and folders.
 */
export async function checkTree(view: SiteView, paths?: readonly string[]): Promise<Problem[]> {
  const isWanted = createSelection(paths)
  const site = await view.site()
  const problems = await pageProblems(view, site.pages.filter(isWanted))
  const named = (await navigationProblems(view)).filter((problem) => isWanted(problem.path))
  return withSuggestions(view, [...problems, ...named].slice(0, maxProblems))
}

/** Problems of some pages, without suggestions. With `isWanted`, only problems of those links. */
export async function pageProblems(
  view: SiteView,
  pages: readonly string[],
  isWanted?: (link: Link) => boolean,
): Promise<Problem[]> {
  const site = await view.site()
  const problems: Problem[] = []
  for await (const { path, facts } of view.eachFacts(pages)) {
    const { problem } = facts.frontMatter
    if (problem !== undefined && isWanted === undefined) {
      // The message must not name the line: the same problem on another line is not a new one.
      const [place = '', line = 0] = / at line (\d+), column \d+:?$/.exec(problem) ?? []
      problems.push({
        check: 'front_matter',
        path,
        line: Number(line) + 1,
        message: `The front matter cannot be read: ${problem.slice(0, problem.length - place.length)}`,
        hint: 'Quote values that hold a colon or a quote',
      })
    }
    for (const link of facts.links) {
      const found = isWanted?.(link) === false ? undefined : await checkLink({ view, site, path }, link)
      if (found !== undefined) problems.push(found)
    }
    if (problems.length >= maxProblems) break
  }
  return problems
}

/** Adds suggestions to problems of links that lead nowhere. */
export async function withSuggestions(view: SiteView, problems: readonly Problem[]): Promise<Problem[]> {
  const site = await view.site()
  const suggester = createSuggester(site, view.oids())
  const explained: Problem[] = []
  for (const problem of problems) {
    const { check, path, href } = problem
    if (href === undefined || (check !== 'link' && check !== 'image') || problem.hint !== undefined) {
      explained.push(problem)
      continue
    }
    view.begin('page', path)
    const { suggestions, hint } = suggester(path, href)
    const found =
      suggestions.length > 0
        ? { ...problem, suggestions: await withAnchors({ view, site, path }, suggestions) }
        : problem
    explained.push(withHint(found, hint ?? (check === 'link' ? noPage : noImage)))
  }
  return explained
}

const noPage = 'Link to a page that is there, which list_pages names, or take the link out of the sentence'
const noImage = 'Name a file that is there, which list_files finds, or take the image out'

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
}

async function checkLink({ view, site, path }: Context, link: Link): Promise<Problem | undefined> {
  const { href, line } = link
  const target = site.resolveLink(path, href)
  if (target.kind === 'broken') {
    const isImage = link.kind === 'image' || (link.kind === 'attribute' && link.text === 'src')
    return {
      check: isImage ? 'image' : 'link',
      path,
      line,
      message: `${isImage ? 'The image' : 'The link'} ${short(href)} leads nowhere: ${target.reason}`,
      href,
    }
  }
  if (target.kind !== 'page' || target.anchor === undefined) return undefined
  const anchors = await view.anchors(target.path)
  const { anchor } = target
  if (
    anchors === undefined ||
    anchors.has(anchor) ||
    /^(?:top|[!/].*|fn(?:ref)?:.*)$/s.test(anchor) ||
    anchor.startsWith(':~:')
  )
    return undefined
  // Such a link may name a target of another project.
  if (site.needs.labels && href.startsWith('#')) return undefined
  // How Mintlify treats punctuation in ids is not documented, and existing links differ, so such links are left
  // alone.
  if (site.framework === 'mintlify' && [...anchors].some((name) => lettersOf(name) === lettersOf(anchor)))
    return undefined
  const near = nearAnchors(anchor, anchors).map(
    (name) => `${href.slice(0, href.indexOf('#'))}#${encodeAnchor(name)}`,
  )
  return withHint(
    {
      check: 'anchor',
      path,
      line,
      message: `The link ${short(href)} leads to a place that ${target.path === path ? 'this page' : target.path} does not have`,
      href,
      ...(near.length > 0 ? { suggestions: near } : {}),
    },
    "Link to one of the page's headings, or to the page alone",
  )
}

/** A suggested page may lack the anchor of the old link. Then the suggestion is the page alone. */
async function withAnchors(context: Context, hrefs: readonly string[]): Promise<string[]> {
  const checked: string[] = []
  for (const href of hrefs) {
    const target = context.site.resolveLink(context.path, href)
    const anchor = target.kind === 'page' ? target.anchor : undefined
    const anchors =
      target.kind === 'page' && anchor !== undefined ? await context.view.anchors(target.path) : undefined
    const has = anchors === undefined || (anchor !== undefined && anchors.has(anchor))
    checked.push(has ? href : href.replace(/#.*$/s, ''))
  }
  return [...new Set(checked)]
}

/** The one anchor that differs only in case or punctuation, else the few that share most words. */
function nearAnchors(anchor: string, anchors: ReadonlySet<string>): string[] {
  const key = anchorKey(anchor)
  const same = [...anchors].filter((name) => anchorKey(name) === key)
  if (same.length === 1) return same
  const words = new Set(wordsOf(anchor))
  const near = [...anchors]
    .map((name) => ({ name, shared: wordsOf(name).filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared * 2 >= words.size && shared > 0)
    .sort((one, other) => other.shared - one.shared || one.name.length - other.name.length)
    .slice(0, 3)
  // A single suggestion counts as certain, and this is only a guess.
  return near.length > 1 ? near.map(({ name }) => name) : []
}

function wordsOf(anchor: string): string[] {
  return anchor
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
}

/** Letters and digits, without the number that is added to repeated headings. */
function lettersOf(anchor: string): string {
  return anchor.replace(/-\d{1,3}$/, '').replace(/[^\p{L}\p{N}]+/gu, '')
}

function anchorKey(anchor: string): string {
  return anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
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
      .filter((entry) => entry.path === undefined)
      .slice(0, maxProblems)
      .map(({ file, line, text }) => ({
        check: 'navigation',
        path: file,
        line,
        message: `The navigation names ${short(text)}, which is no page`,
        hint: 'Name a page that is there, or take the entry out',
        href: text,
      }))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [{ check: 'navigation', path: site.configPaths[0] ?? '', line: 1, message }]
  }
}

/** Whether a path is one of these files, or lies in one of these folders; every path when none is given. */
export function createSelection(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined || paths.length === 0) return () => true
  const wanted = paths.map((path) => path.replace(/^\.?\//, '').replace(/(?<!\/)\/+$/, ''))
  return (path) =>
    wanted.some((name) => name === '' || name === '.' || path === name || path.startsWith(`${name}/`))
}
