import type { PageText, Place, Result } from '../links/citations.ts'
import { confidenceFloor, type Found, type ReadersPage } from '../search/lookup.ts'

/** Results as models read them best: plain text in tags, each with the one address to cite. */
export function printResults({ results, unknown = [] }: Found, confidence: number): string {
  const missing =
    unknown.length === 0 ? [] : [`No page holds these words: ${unknown.map(oneLine).join(', ')}`]
  if (results.length === 0) return ['Nothing was found.', ...missing].join('\n')
  const weak = confidence < confidenceFloor ? [weakNote] : []
  return [...weak, ...missing, ...results.map((result, at) => printResult(result, at + 1))].join('\n')
}

const weakNote = 'These results share only some words with the query; they may be about something else.'

/** A page that was read as a whole, with the addresses of its sections. */
export function printPage({ title, url, content }: PageText, places: Place[]): string {
  return `${tagged('page', { url, title }, content)}\n${printPlaces(places)}`
}

/** The page that the reader is on, by the sections that matter. */
export function printReadersPage({ title, url, sections, places }: ReadersPage): string {
  const printed = sections.map((section, at) => printResult(section, at + 1))
  return [`${JSON.stringify(title)}, ${url}`, ...printed, printPlaces(places)].join('\n')
}

function printResult({ url, title, heading, content }: Result, n: number): string {
  return tagged('result', { n: String(n), url, page: title, section: heading }, content)
}

function printPlaces(places: Place[]): string {
  const lines = places.map(({ heading, url }) => `${oneLine(heading)}: ${url}`)
  return tagged('sections', {}, lines.join('\n'))
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
