import type { CodeHit } from '../code/search-code.ts'
import type { PageText, Place, Result } from '../links/citations.ts'
import { confidenceFloor, moreMark, type Found, type ReadersPage } from '../search/lookup.ts'

/**
 * Results as models read them best: plain text in tags, each with the one address to cite.
 * @param shown addresses of those that the model has read before, which are only named
 */
export function printResults(
  { results, unknown = [] }: Found,
  confidence: number,
  shown: readonly string[] = [],
): string {
  const missing =
    unknown.length === 0 ? [] : [`No page holds these words: ${unknown.map(oneLine).join(', ')}`]
  const before = shown.length === 0 ? [] : [`Found again, see above: ${shown.map(oneLine).join(', ')}`]
  const fresh = results.filter(({ url }) => !shown.includes(url))
  if (fresh.length === 0)
    return [...(before.length > 0 ? before : ['Nothing was found.']), ...missing].join('\n')
  const weak = confidence < confidenceFloor ? [weakNote] : []
  return [...weak, ...missing, ...before, ...fresh.map((result, at) => printResult(result, at + 1))].join(
    '\n',
  )
}

const weakNote = 'These results share only some words with the query; they may be about something else.'

/** What was read of a page, where to read on, and its other sections. */
export function printPage({ title, url, content, next }: PageText, places: Place[]): string {
  const rest = next === undefined ? [] : [`The page continues: read_page with this url and from ${next}.`]
  return [tagged('page', { url, title }, content), ...rest, ...printPlaces(url, places)].join('\n')
}

/** The page that the reader is on, by the sections that matter. */
export function printReadersPage({ title, url, sections, places }: ReadersPage): string {
  const printed = sections.map((section, at) => printResult(section, at + 1))
  return [`${JSON.stringify(title)}, ${url}`, ...printed, ...printPlaces(url, places)].join('\n')
}

/** Places in code: the address of each is the one to cite; where there is none, the place itself is named. */
export function printCode(hits: readonly CodeHit[]): string {
  if (hits.length === 0) return 'Nothing was found in the code.'
  return hits
    .map(({ place, url, commit, lines }) =>
      tagged(
        'code',
        { ...(url !== undefined && { url }), place, commit: commit.slice(0, 12) },
        lines.map(({ line, text }) => `${line}: ${text}`).join('\n'),
      ),
    )
    .join('\n')
}

function printResult({ url, title, heading, content }: Result, n: number): string {
  const text = content.endsWith(moreMark) ? `${content} (read on: read_page with this url)` : content
  return tagged('result', { n: String(n), url, page: title, section: heading }, text)
}

/** In few tokens: the address of a section is that of the page with what stands behind its name. */
function printPlaces(url: string, places: Place[]): string[] {
  if (places.length === 0) return []
  const page = url.replace(/#.*$/s, '')
  const top = Math.min(...places.map(({ level }) => level))
  const lines = places.map(({ heading, level, anchor }) => {
    const id = anchor === undefined ? '' : ` #${oneLine(anchor)}`
    return `${'  '.repeat(level - top)}- ${oneLine(heading)}${id}`
  })
  return [tagged('sections', { of: page }, lines.join('\n'))]
}

function tagged(name: string, attributes: Record<string, string>, text: string): string {
  const present = Object.entries(attributes).filter(([, value]) => value !== '')
  const opening = present
    .map(([key, value]) => ` ${key}="${oneLine(value).replaceAll('"', '&quot;')}"`)
    .join('')
  // Content stays as it is written, but cannot close its tag.
  const inside = text.replaceAll(/<(?=\/(?:result|page|sections)\b)/gi, '&lt;')
  return `<${name}${opening}>\n${inside}\n</${name}>`
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\r\n\u2028\u2029]/g, ' ')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
