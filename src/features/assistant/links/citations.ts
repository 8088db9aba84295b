import { makeStorable } from '../../../lib/text/plain-text.ts'
import { ownAddress } from '../../../site/openapi/operation-pages.ts'
import type { SafeLink } from './inline.ts'
import type { AssistantPorts, AssistantProject, FoundPage, SearchHit } from '../ports.ts'

/** One result as model and client see it: the tool's output on the wire. */
export interface Result {
  path: string
  /** Absolute; the place to cite. */
  url: string
  title: string
  /** Empty for a page's beginning. */
  heading: string
  content: string
}

/** One page as model and client see it: the output of `read_page` on the wire. */
export interface PageText {
  path: string
  /** Absolute. */
  url: string
  title: string
  /** Markdown, cut where it is long. */
  content: string
}

/** A place on a page that can be cited. */
export interface Place {
  heading: string
  url: string
}

/** The pages of one answer: what was retrieved, and what a link may point to. */
export interface Citations {
  add(hit: SearchHit, content: string): Result
  /** The place that a hit is cited by. */
  urlOf(hit: SearchHit): string
  /** Every result so far, each place once, in the order found. */
  results(): Result[]
  /** Whether anything was retrieved that could be cited. */
  hasMaterial(): boolean
  resolve(target: string): Promise<SafeLink | undefined>
  /** @param length characters of its text at most */
  readPage(target: string, length: number): Promise<PageText | undefined>
  /** The sections of a page that was read, by its address. */
  placesOn(url: string): Place[]
}

/** A limit on queries for one answer, in case a model invents many links. */
const mostLookups = 100
const longestTarget = 1000
const mostPlaces = 100

export function createCitations<Project extends AssistantProject>(
  { findPage, linkOf }: Pick<AssistantPorts<Project>, 'findPage' | 'linkOf'>,
  project: Project,
): Citations {
  const byUrl = new Map<string, { result: Result; anchor: string | undefined }>()
  const lookups = new Map<string, Promise<SafeLink | undefined>>()
  const places = new Map<string, Place[]>()
  const sites = ['/', ownAddress].map((url) => safeUrl(linkOf(project, url, undefined)).slice(0, -url.length))

  const linkTo = (page: FoundPage, anchor: string | undefined): string =>
    safeUrl(linkOf(project, page.url, anchor))

  const lookUp = async (name: string, anchor: string): Promise<SafeLink | undefined> => {
    const page = await findPage(project.id, name)
    if (!page) return undefined
    const section = anchor === '' ? undefined : page.sections.find((one) => one.anchor === anchor)
    const { path, title } = page
    const heading = section?.headings.join(' – ')
    return { url: linkTo(page, section?.anchor), path, title, heading, anchor: section?.anchor }
  }

  const urlOf = (hit: SearchHit): string => safeUrl(linkOf(project, hit.url, hit.anchor))

  return {
    urlOf,
    add(hit, content) {
      const url = urlOf(hit)
      const result = { path: hit.path, url, title: hit.title, heading: hit.heading ?? '', content }
      if (!byUrl.has(url)) byUrl.set(url, { result, anchor: hit.anchor })
      return result
    },
    results: () => Array.from(byUrl.values(), ({ result }) => result),
    hasMaterial: () => byUrl.size > 0 || places.size > 0,
    async resolve(raw) {
      if (raw.length > longestTarget) return undefined
      const target = safeUrl(raw.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&'))
      const known = byUrl.get(target)
      if (known) {
        const heading = known.result.heading || undefined
        return { ...linkOfResult(known.result), heading, anchor: known.anchor }
      }
      const name = nameOnSite(sites, target)
      if (name === undefined) return undefined
      const { path, anchor } = partsOf(name)
      const key = `${path}#${anchor}`
      const found = lookups.get(key)
      if (found || lookups.size >= mostLookups) return found
      const lookup = lookUp(decode(path), decode(anchor))
      lookups.set(key, lookup)
      return lookup
    },
    async readPage(target, length) {
      const name = target.length > longestTarget ? undefined : nameOnSite(sites, safeUrl(target))
      if (name === undefined) return undefined
      const page = await findPage(project.id, makeStorable(decode(partsOf(name).path)))
      if (!page) return undefined
      const url = linkTo(page, undefined)
      const sections = page.sections.filter(({ headings }) => headings.length > 0).slice(0, mostPlaces)
      places.set(
        url,
        sections.map(({ headings, anchor }) => ({
          heading: headings.join(' – '),
          url: linkTo(page, anchor),
        })),
      )
      const cut = page.content.length > length ? `${page.content.slice(0, length)}\n[…]` : page.content
      return { path: page.path, url, title: page.title, content: makeStorable(cut) }
    },
    placesOn: (url) => places.get(url) ?? [],
  }
}

/** The link of a result, named by its page and section. */
export function linkOfResult({ url, path, title, heading }: Result): SafeLink {
  return { url, path, title: heading === '' || heading === title ? title : `${title} › ${heading}` }
}

// The path of an address on the site, or a path unchanged; undefined for an address elsewhere.
function nameOnSite(sites: readonly string[], target: string): string | undefined {
  for (const site of sites) {
    if (!target.startsWith(site)) continue
    const rest = target.slice(site.length)
    if (rest === '' || '/?#'.includes(rest.charAt(0))) return rest === '' ? '/' : rest
  }
  const elsewhere = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|$)/i.test(target)
  return elsewhere ? undefined : target
}

function partsOf(name: string): { path: string; anchor: string } {
  const [path = '', anchor = ''] = name.split('#')
  return { path: path.replace(/\?.*$/s, ''), anchor }
}

// The address, escaped so that no Markdown reader ends it early.
function safeUrl(url: string): string {
  return url.replaceAll(/[\s()<>{}\\"'`|^*]/g, (char) => {
    const code = char.charCodeAt(0)
    return code < 128 ? `%${code.toString(16).toUpperCase().padStart(2, '0')}` : encodeURIComponent(char)
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
