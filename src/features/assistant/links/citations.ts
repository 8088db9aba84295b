import { makeStorable } from '../../../lib/text/plain-text.ts'
import { findFrontMatter } from '../../../site/markdown/front-matter.ts'
import { readPart, type ReadablePart } from '../../../site/pages/read-part.ts'
import { seesPage } from '../../../site/pages/page-groups.ts'
import type { SafeLink } from './inline.ts'
import type { AssistantPorts, AssistantProject, FoundPage, SearchHit } from '../ports.ts'
import { decoded } from '../../../lib/text/decoded.ts'

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

/** One page, or a section of it, as model and client see it: the output of `read_page` on the wire. */
export interface PageText {
  /** Its slug. */
  path: string
  /** Absolute; of the section where one is read. */
  url: string
  title: string
  /** As much as is read at once; headings have their ids behind them. */
  content: string
  /** Where the rest begins; left out at the end. */
  next?: number | undefined
  metadata: PageMetadata
}

/** What to read of a page. */
export interface PageRequest {
  /** Its slug, file or address, as people write them; a fragment names a section. */
  name: string
  /** `next` of the reading before. */
  from?: number | undefined
  /** Bytes, at least. */
  budget: number
}

/** A section of a page that can be read and cited by itself. */
export interface Place {
  heading: string
  /** From 1 on, for the uppermost. */
  level: number
  /** Undefined where the heading has no known id. */
  anchor: string | undefined
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
  /** Lets links lead to a place outside of the documentation that was looked up. @returns its address, as it is cited */
  allow(link: SafeLink): string
  readPage(request: PageRequest): Promise<PageText | undefined>
  /** The sections of a page that were not in what was read of it last, by the address of what was read. */
  placesOn(url: string): Place[]
}

/** A limit on queries for one answer, in case a model invents many links. */
const mostLookups = 100
const longestTarget = 1000

/** @param groups the reader's: pages that are not for them are not there; undefined for all pages */
export function createCitations<Project extends AssistantProject>(
  { findPage, linkOf, slugOf }: Pick<AssistantPorts<Project>, 'findPage' | 'linkOf' | 'slugOf'>,
  project: Project,
  groups?: readonly string[],
): Citations {
  const byUrl = new Map<string, { result: Result; anchor: string | undefined }>()
  const lookups = new Map<string, Promise<SafeLink | undefined>>()
  const places = new Map<string, Place[]>()
  const allowed = new Map<string, SafeLink>()

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
    hasMaterial: () => byUrl.size > 0 || places.size > 0 || allowed.size > 0,
    allow(link) {
      const url = safeUrl(link.url)
      allowed.set(url, { ...link, url })
      return url
    },
    async resolve(raw) {
      if (raw.length > longestTarget) return undefined
      const target = safeUrl(raw.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&'))
      const known = byUrl.get(target)
      if (known) {
        const heading = known.result.heading || undefined
        return { ...linkOfResult(known.result), heading, anchor: known.anchor }
      }
      const outside = allowed.get(target)
      if (outside) return outside
      const { path, anchor } = partsOf(target)
      const key = `${path}#${anchor}`
      const earlier = lookups.get(key)
      if (earlier || lookups.size >= mostLookups) return earlier
      const lookup = lookUp(path, decoded(anchor))
      lookups.set(key, lookup)
      return lookup
    },
    async readPage({ name, from, budget }) {
      const page = name.length > longestTarget ? undefined : await find(makeStorable(name))
      if (!page) return undefined
      const written = page.path === name ? '' : decoded(partsOf(name).anchor)
      const parts = readableParts(page)
      const section = written === '' ? undefined : readPart(parts, { anchor: written, from, budget })
      const reading = section ?? readPart(parts, { from, budget }) ?? { text: '', others: [] }
      const { path: file, title, description = '' } = page
      const path = slugOf(project, page.url)
      const url = linkTo(page, section && written)
      places.set(
        url,
        reading.others.map(({ heading, level, anchor }) => ({ heading, level, anchor })),
      )
      const next = reading.next === undefined ? {} : { next: reading.next }
      return {
        path,
        url,
        title,
        content: makeStorable(reading.text),
        ...next,
        metadata: { title, description, file },
      }
    },
    placesOn: (url) => places.get(url) ?? [],
  }
}

/** A page as the index knows it, or its source where there is no other text. */
function readableParts({ sections, content, title }: FoundPage): ReadablePart[] {
  if (!sections.some(({ text = '' }) => text !== ''))
    return [
      { level: 0, heading: title, text: content.slice(findFrontMatter(content)?.bodyStart ?? 0).trim() },
    ]
  return sections.map(({ headings, anchor, text = '' }) => {
    const heading = headings.at(-1) ?? ''
    const level = headings.length
    const id = anchor === undefined ? '' : ` {#${anchor}}`
    const line = heading === '' ? [] : [`${'#'.repeat(Math.min(6, level + 1))} ${heading}${id}`]
    return { anchor, level, heading, text: [...line, ...(text === '' ? [] : [text])].join('\n\n') }
  })
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
