import { actingLinks } from '../../markdown/extract-links.ts'
import { type HeadingLink, type LearnedIds, learnIds } from '../../links/learn-ids.ts'
import { splitHref } from '../../links/href.ts'
import { decodeDestination } from '../../markdown/entities.ts'
import { folderOf, joinPath } from '../../text/paths.ts'
import { type LinkStyle, type Outcome, followLink, mayStartAtTop, withoutHash } from './follow-link.ts'
import { learnOnce, sample } from '../learn.ts'
import type { SiteView } from '../site-view.ts'
import { type Suggester, createSuggester, nearAnchors } from './suggest.ts'

/** How a site's own links are written, and which of them fail although the site is built. */
export interface LinkHabits {
  /** Plain Markdown: the folder from which links with a slash at their start count; undefined where it is not known. */
  top: LinkStyle['top']
  /** Why a link that fails is most likely right: the site has many like it. Undefined where it has not. */
  excuse: (link: FailedLink) => Excuse | undefined
}

interface FailedLink {
  /** The page that it stands on. */
  path: string
  href: string
  /** Where it leads to, when only the anchor is missing. */
  target?: string | undefined
  /** It stands in the tree that is learned from. */
  isOfBase?: boolean
}

interface Excuse {
  reason: string
  /** Whether even a suggestion that looks certain would be wrong. */
  isCertain: boolean
}

const maxPages = 1500
const maxLinks = 100_000
const maxAnchors = 1000
/** Failing links for which a suggestion is looked for: of all, and of one group. */
const maxMended = 1000
/** Links from the top that are compared with files, and files of one name. */
const maxFromTop = 300
const maxAlike = 300
/** Pages and links to headings in which the style of their ids is looked for. */
const maxForSlugs = 400
const maxTried = 2000
const mostMended = 20

/** Learns from a tree, which should be the one that a change began with. */
export const learnLinks = learnOnce(readHabits)

/** What the links to headings show of their ids. Looks at a part of the pages only, so that every change can ask. */
export const learnLinkedIds = learnOnce(idsOf)

interface Anchored {
  path: string
  href: string
}

interface Group {
  found: number
  failed: number
  /** Of the failing ones that were looked at: for how many there is one suggestion that looks certain. */
  looked: number
  mended: number
}

async function readHabits(view: SiteView): Promise<LinkHabits> {
  const site = await view.site()
  const groups = new Map<string, Group>()
  const suggester = createSuggester(site, view.oids())
  const anchored: Anchored[] = []
  const fromTop: { failed: string[]; found: number } = { failed: [], found: 0 }
  let [noted, looked] = [0, 0]
  const note = (outcome: Outcome, one: FailedLink): void => {
    if (outcome.kind === 'untried') return
    noted++
    const mayLook = outcome.kind !== 'found' && looked < maxMended
    let mended: boolean | undefined
    for (const key of groupsOf(one)) {
      const group = groups.get(key) ?? { found: 0, failed: 0, looked: 0, mended: 0 }
      groups.set(key, group)
      if (outcome.kind === 'found') group.found++
      else {
        group.failed++
        if (!mayLook || group.looked === mostMended) continue
        group.looked++
        if (mended === undefined) looked++
        mended ??= isMended(suggester, outcome, one)
        if (mended) group.mended++
      }
    }
  }
  for await (const { path, facts } of view.eachFacts(sample(site.pages, maxPages))) {
    const links = actingLinks(facts.links, site.dialectOf(path))
    for (const { href } of links.slice(0, Math.max(0, maxLinks - noted))) {
      const name = nameOf(href)
      if (hasAnchor(href) && anchored.length < maxAnchors) anchored.push({ path, href })
      const target = site.resolveLink(path, withoutHash(href))
      if (mayStartAtTop(site, href)) {
        if (target.kind === 'external') fromTop.failed.push(name)
        else fromTop.found++
      }
      if (target.kind === 'external') continue
      const outcome: Outcome =
        target.kind === 'broken' ? { kind: 'broken', reason: target.reason } : { kind: 'found' }
      if (name !== '') note(outcome, { path, href })
    }
  }
  const ids = await learnLinkedIds(view)
  for (const one of anchored) {
    view.begin('page', one.path)
    const outcome = await followLink({ view, site, path: one.path }, one, { ids })
    const target = site.resolveLink(one.path, one.href)
    if (target.kind === 'page') note(outcome, { ...one, target: target.path })
  }
  return {
    top: topOf(view, fromTop),
    excuse: (link) => excuseOf(groups, link),
  }
}

function nameOf(href: string): string {
  return splitHref(decodeDestination(href.trim())).path
}

/** The groups that a link belongs to, the narrowest first. */
function groupsOf({ path, href, target }: FailedLink): string[] {
  if (target !== undefined)
    return [`exact ${target}#${splitHref(href).hash ?? ''}`, `page ${target}`, 'anchors']
  const name = nameOf(href)
  const address = name.startsWith('/') ? name : (joinPath(folderOf(path), name) ?? name)
  const parts = address.split('/').slice(0, 8)
  const folders = parts.slice(0, -1).flatMap((_, at) => {
    const folder = parts.slice(0, parts.length - 1 - at).join('/')
    return folder === '' ? [] : [`folder ${folder}/`]
  })
  const ending = /\.[a-z\d]{1,8}$/i.exec(name)?.[0].toLowerCase() ?? (name.endsWith('/') ? '/' : '')
  return [`exact ${address}`, ...folders, `form ${name.startsWith('/') ? 'absolute' : 'relative'} ${ending}`]
}

function excuseOf(groups: ReadonlyMap<string, Group>, link: FailedLink): Excuse | undefined {
  for (const key of groupsOf(link)) {
    const { found = 0, failed = 0, looked = 0, mended = 0 } = groups.get(key) ?? {}
    const [kind = ''] = key.split(' ', 1)
    // Links of one site to one place excuse a new one, but not each other: its page may have moved.
    const isUsual =
      kind === 'exact'
        ? link.isOfBase !== true && failed > 1 && found === 0
        : failed >= least(kind) && failed >= found
    if (!isUsual) continue
    // Where most of them have a suggestion that looks certain, they are broken, as by the move of a page. But a form in
    // which nearly all links fail is the site's own.
    const isForm = kind === 'anchors' || (kind === 'form' && failed >= 10 && failed >= 2 * found)
    if (!isForm && looked > 0 && mended * 2 >= looked) continue
    return {
      reason: `${failed} of ${failed + found} ${noun(kind, key)} in the rest of the site lead nowhere by this check either, so it may be right: leave it if it follows them`,
      isCertain: isForm || failed >= 10,
    }
  }
  return undefined
}

function least(kind: string): number {
  return kind === 'anchors' || kind === 'form' ? 5 : 3
}

function noun(kind: string, key: string): string {
  if (kind === 'anchors') return 'links to headings'
  if (kind === 'page') return 'links to headings of this page'
  if (kind === 'exact') return 'links to the same place'
  return kind === 'folder' ? `links below ${key.slice('folder '.length)}` : 'links of this form'
}

function isMended(suggest: Suggester, outcome: Outcome, { path, href }: FailedLink): boolean {
  if (outcome.kind === 'no_anchor') return nearAnchors(outcome.anchor, outcome.anchors).length === 1
  return suggest(path, href).suggestions.length === 1
}

async function idsOf(view: SiteView): Promise<LearnedIds> {
  const site = await view.site()
  const links: HeadingLink[] = []
  for await (const { path, facts } of view.eachFacts(sample(site.pages, maxForSlugs)))
    for (const { href } of actingLinks(facts.links, site.dialectOf(path))) {
      const link = hasAnchor(href) ? site.resolveLink(path, href) : undefined
      if (link?.kind === 'page' && link.anchor !== undefined)
        links.push({ target: link.path, anchor: link.anchor })
    }
  return learnIds(sample(links, maxTried), (path, slugs) => view.anchors(path, slugs))
}

function hasAnchor(href: string): boolean {
  return (splitHref(href).hash ?? '') !== ''
}

/** The folder from which plain Markdown's links with a slash at their start count, if most of them lead to a file then. */
function topOf(
  view: SiteView,
  { failed, found }: { failed: readonly string[]; found: number },
): string | undefined {
  const isEnough = (count: number, all: number) => count >= 5 && count * 5 >= all * 4
  if (isEnough(found, failed.length + found)) return ''
  const ends = new Map<string, string[]>()
  for (const path of view.oids().keys()) {
    const key = `/${path}`.replace(/(?:\/(?:index|readme))?\.(?:mdx?|markdown)$/i, '')
    const name = key.slice(key.lastIndexOf('/'))
    const alike = ends.get(name) ?? []
    ends.set(name, alike)
    if (alike.length < maxAlike) alike.push(key)
  }
  const votes = new Map<string, number>()
  for (const href of sample(failed, maxFromTop)) {
    const key = href.replace(/(?:\/(?:index|readme))?\.(?:mdx?|markdown)$/i, '').replace(/(?<!\/)\/+$/, '')
    if (key.length < 2) continue
    const likely = (ends.get(key.slice(key.lastIndexOf('/'))) ?? []).filter((path) => path.endsWith(key))
    for (const top of new Set(likely.map((path) => path.slice(1, path.length - key.length + 1))))
      votes.set(top, (votes.get(top) ?? 0) + 1)
  }
  const [best] = [...votes].sort((one, other) => other[1] - one[1])
  return best !== undefined && isEnough(best[1], Math.min(failed.length, maxFromTop) + found)
    ? best[0]
    : undefined
}
