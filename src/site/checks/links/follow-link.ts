import type { Site } from '../../site.ts'
import { splitHref } from '../../links/href.ts'
import type { Link } from '../../markdown/extract-links.ts'
import { type LearnedIds, nothingLearned, styleOf } from '../../links/learn-ids.ts'
import type { SiteView } from '../site-view.ts'

/** Pages that are looked through for an id. */
const mostPages = 2000

/** What a link leads to. */
export type Outcome =
  | { kind: 'found' }
  /** It cannot be tried; `why` says what it is, in words that can follow a number. */
  | { kind: 'untried'; why: string }
  /** `isAddress`: the link would lead somewhere in Markdown. */
  | { kind: 'broken'; reason: string; isAddress?: boolean }
  | { kind: 'no_anchor'; target: string; anchor: string; anchors: ReadonlySet<string> }

/** What the files of a site do not say about its links, but the links themselves show. */
export interface LinkStyle {
  /** How heading ids are made, where the site does not do it as its framework does. */
  ids?: LearnedIds | undefined
  /** Plain Markdown: the folder from which links with a slash at their start count, `''` or with a slash at its end. */
  top?: string | undefined
}

export async function followLink(
  { view, site, path }: { view: SiteView; site: Site; path: string },
  { href, isRaw }: Pick<Link, 'href' | 'isRaw'>,
  { ids = nothingLearned, top }: LinkStyle,
): Promise<Outcome> {
  let target = site.resolveLink(path, href, isRaw)
  if (target.kind === 'external') {
    const isFromTop = mayStartAtTop(site, href)
    if (isFromTop && top !== undefined) target = site.resolveLink(path, `/${top}${href.trim().slice(1)}`)
    if (target.kind === 'external') {
      if (!isFromTop || top === undefined) return { kind: 'untried', why: untried(site, href.trim()) }
      return { kind: 'broken', reason: `no page or file of the repository is at ${href.trim()}` }
    }
  }
  if (target.kind === 'broken') {
    const isAddress = isRaw === true && site.resolveLink(path, href).kind !== 'broken'
    const reason = isAddress ? 'an element of HTML needs the address as the built page has it' : target.reason
    return { kind: 'broken', reason, isAddress }
  }
  if (target.kind !== 'page' || target.anchor === undefined) return { kind: 'found' }
  const { anchor, path: to } = target
  const anchors = await view.anchors(to, styleOf(ids, to))
  if (
    anchors === undefined ||
    anchors.has(anchor) ||
    site.customs.ownAnchors?.includes(anchor) === true ||
    /^(?:top|[!/].*|:~:.*|fn(?:ref)?:.*)$/s.test(anchor)
  )
    return { kind: 'found' }
  // Such a link may name a target of another project.
  if (site.needs.labels && /^[#{]/.test(href))
    if (site.customs.definesLabels !== true || (await isAnywhere(view, site, anchor)))
      return { kind: 'untried', why: 'links to labels that no page here defines' }
  if (ids.pages.get(to) === 'unknown')
    return { kind: 'untried', why: 'links to headings whose ids have a form of their own' }
  if (site.dialectOf(to).hasOwnSlugs === true) {
    const letters = lettersOf(anchor).toLowerCase()
    if ([...anchors].some((name) => lettersOf(name).toLowerCase() === letters))
      return { kind: 'untried', why: 'links to headings whose ids are made by code of the site' }
  }
  if (site.customs.hasLooseIds === true && [...anchors].some((name) => lettersOf(name) === lettersOf(anchor)))
    return { kind: 'found' }
  return { kind: 'no_anchor', target: to, anchor, anchors }
}

/** Whether a page of the site has the id: some generators find headings of other pages by it. */
async function isAnywhere(view: SiteView, { pages }: Site, anchor: string): Promise<boolean> {
  for (const page of pages.slice(0, mostPages)) {
    const anchors = await view.anchors(page)
    if (anchors?.has(anchor) === true || anchors?.has(anchor.toLowerCase()) === true) return true
  }
  return pages.length > mostPages
}

/** Whether a link starts at the top of a site whose top no framework tells. */
export function mayStartAtTop({ customs }: Site, href: string): boolean {
  return customs.hasUnknownTop === true && /^\/(?!\/)/.test(href.trim())
}

export function isImage({ kind, text }: Link): boolean {
  return kind === 'image' || (kind === 'attribute' && text === 'src')
}

function untried({ customs }: Site, href: string): string {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) return 'links to other sites'
  if (/[{}]|<%|\$\(/.test(href)) return 'links that a template fills in'
  if (/^[@~]/.test(href)) return 'links to an alias of the build'
  return customs.hasUnknownTop === true
    ? 'links from the top of a site whose top is not known'
    : 'links to addresses that the build may make'
}

/** Letters and digits, without the number that is added to repeated headings. */
function lettersOf(anchor: string): string {
  return anchor.replace(/-\d{1,3}$/, '').replace(/[^\p{L}\p{N}]+/gu, '')
}

export function withoutHash(href: string): string {
  const { hash } = splitHref(href)
  return hash === undefined ? href : href.slice(0, -hash.length - 1)
}
