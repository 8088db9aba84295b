import { makeStorable } from '../../../lib/text/plain-text.ts'
import { seesPage } from '../../../site/pages/page-groups.ts'
import type { SafeLink } from './inline.ts'
import type { AssistantPorts, AssistantProject, FoundPage, SearchHit } from '../ports.ts'

/** What stands beside a page's name on the wire. */
interface PageMetadata {
  title: string
  /** Empty where the page has none. */
  description: string
  /** Path in the repository. */
  file: string
}

/** One result as model and client see it: the tool's output on the wire. */
export interface Result {
  /** The page's slug. */
  path: string
  /** Absolute; the place to cite. */
  url: string
  title: string
  /** Empty for a page's beginning. */
  heading: string
  content: string
  metadata: PageMetadata
}

/** One page as model and client see it: the output of `read_page` on the wire. */
export interface PageText {
  /** Its slug. */
  path: string
  /** Absolute. */
  url: string
  title: string
  /** Markdown, cut where it is long. */
  content: string
  metadata: PageMetadata
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
  /** The slug of a page that was found. */
  slugOf(page: { url: string }): string
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

/** @param groups the reader's: pages that are not for them are not there; undefined for all pages */
export function createCitations<Project extends AssistantProject>(
  { findPage, linkOf, slugOf }: Pick<AssistantPorts<Project>, 'findPage' | 'linkOf' | 'slugOf'>,
  project: Project,
  groups?: readonly string[],
): Citations {
  const byUrl = new Map<string, { result: Result; anchor: string | undefined }>()
  const lookups = new Map<string, Promise<SafeLink | undefined>>()
  const places = new Map<string, Place[]>()

  const linkTo = (page: FoundPage, anchor: string | undefined): string =>
    safeUrl(linkOf(project, page.url, anchor))

  const find = async (name: string): Promise<FoundPage | undefined> => {
    const page = await findPage(project, name)
    return page && seesPage(page.groups, groups) ? page : undefined
  }

  const lookUp = async (name: string, anchor: string): Promise<SafeLink | undefined> => {
    const page = await find(name)
    if (!page) return undefined
    const section = anchor === '' ? undefined : page.sections.find((one) => one.anchor === anchor)
    const { path, title } = page
    const heading = section?.headings.join(' – ')
    return { url: linkTo(page, section?.anchor), path, title, heading, anchor: section?.anchor }
  }

  const urlOf = (hit: SearchHit): string => safeUrl(linkOf(project, hit.url, hit.anchor))

  return {
    urlOf,
    slugOf: ({ url }) => slugOf(project, url),
    add(hit, content) {
      const url = urlOf(hit)
      const { path: file, title, description = '', heading = '' } = hit
      const path = slugOf(project, hit.url)
      const result = { path, url, title, heading, content, metadata: { title, description, file } }
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
      const { path, anchor } = partsOf(target)
      const key = `${path}#${anchor}`
      const earlier = lookups.get(key)
      if (earlier || lookups.size >= mostLookups) return earlier
      const lookup = lookUp(path, decode(anchor))
      lookups.set(key, lookup)
      return lookup
    },
    async readPage(target, length) {
      const page = target.length > longestTarget ? undefined : await find(makeStorable(target))
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
      const { path: file, title, description = '' } = page
      const path = slugOf(project, page.url)
      return { path, url, title, content: makeStorable(cut), metadata: { title, description, file } }
    },
    placesOn: (url) => places.get(url) ?? [],
  }
}

/** The link of a result, named by its page and section. */
export function linkOfResult({ url, title, heading, metadata }: Result): SafeLink {
  return {
    url,
    path: metadata.file,
    title: heading === '' || heading === title ? title : `${title} › ${heading}`,
  }
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
