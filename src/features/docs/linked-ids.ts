import { type HeadingLink, type LearnedIds, learnIds } from '../../site/links/learn-ids.ts'
import { extractLinks } from '../../site/markdown/extract-links.ts'
import { type SlugStyle, slugStyles } from '../../site/markdown/slug.ts'
import { anchorsOf } from '../../site/pages/parse-page.ts'
import type { Site } from '../../site/site.ts'

const mostPages = 200
const mostLinks = 2000
/** A style for each page is kept with the project, so there are not many. */
const mostKept = 20
const mark = ' ids '

/** What the links of a commit show of the ids of its headings. `reading` is told which file is read next. */
export async function linkedIds(
  site: Site,
  read: (path: string) => Promise<string | undefined>,
  reading: (path: string) => void,
): Promise<LearnedIds> {
  const links: HeadingLink[] = []
  const step = Math.ceil(site.pages.length / mostPages)
  for (const path of site.pages.filter((_, at) => at % step === 0)) {
    const text = await read(path)
    if (text === undefined || links.length >= mostLinks) continue
    for (const { href } of extractLinks(text)) {
      const link = href.includes('#') ? site.resolveLink(path, href) : undefined
      if (link?.kind === 'page' && link.anchor !== undefined)
        links.push({ target: link.path, anchor: link.anchor })
    }
  }
  const known = new Map<string, ReadonlySet<string> | undefined>()
  return learnIds(links.slice(0, mostLinks), async (path, slugs) => {
    const key = `${slugs ?? ''} ${path}`
    if (known.has(key)) return known.get(key)
    const text = await read(path)
    reading(path)
    const anchors = text === undefined ? undefined : anchorsOf(site, path, text, slugs)
    known.set(key, anchors)
    return anchors
  })
}

/** A fingerprint with what was learned: ids are learned anew only when all pages are parsed anew. */
export function withLearned(fingerprint: string, { all, pages }: LearnedIds): string {
  const kept = [...pages].filter(([, style]) => style !== 'unknown').slice(0, mostKept)
  if (all === undefined && kept.length === 0) return fingerprint
  return `${fingerprint}${mark}${JSON.stringify({ all, pages: kept })}`
}

/** What was learned when pages were parsed with this fingerprint; undefined where it was another one. */
export function learnedWith(stored: string | undefined, fingerprint: string): LearnedIds | undefined {
  if (stored === fingerprint) return { pages: new Map() }
  if (stored?.startsWith(`${fingerprint}${mark}`) !== true) return undefined
  const { all, pages }: { all?: string; pages: [string, string][] } = JSON.parse(
    stored.slice(fingerprint.length + mark.length),
  )
  const named = (name: string | undefined) => slugStyles.find((style) => style === name)
  const style = named(all)
  const kept = new Map<string, SlugStyle>()
  for (const [path, name] of pages) {
    const own = named(name)
    if (own !== undefined) kept.set(path, own)
  }
  return style === undefined ? { pages: kept } : { all: style, pages: kept }
}
