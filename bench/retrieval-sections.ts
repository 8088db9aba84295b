import { createSegmentBuilder } from '../src/features/docs/search/build-segment.ts'
import { createIndex, type SearchIndex } from '../src/features/docs/search/search-index.ts'
import { search } from '../src/features/docs/search/search.ts'
import type { Page } from '../src/site/pages/page.ts'
import { pageOf, type CorpusDocument, type Question } from './retrieval-corpus.ts'

/** Of the questions whose page was found: how many have the right section first, or among the first three of the page. */
export interface SectionQuality {
  questions: number
  found: number
  first: number
  firstThree: number
}

interface Case {
  query: string
  path: string
  anchor: string | undefined
}

const mostCases = 100

/**
 * Asks for sections by their own headings, which are blanked. The sections are those whose heading the corpus has blanked
 * for a question already, where a page has one such, and of other pages (100 at most, by a hash) one heading of three or
 * more words each, blanked here.
 */
export function judgeSections(
  documents: Iterable<CorpusDocument>,
  pages: number,
  questions: readonly Question[],
): { all: SectionQuality; byWords: SectionQuality } {
  const builder = createSegmentBuilder()
  const cases: Case[] = []
  for (const document of documents) {
    const page = pageOf(document)
    const blank = page.sections.filter(({ headings }) => headings.at(-1) === '')
    const asked = questions.filter(
      ({ kind, relevant }) => /^(?:faq|howto)$/.test(kind) && relevant[0] === document.id,
    )
    const [question] = asked
    if (blank.length === 1 && asked.length === 1 && question !== undefined)
      cases.push({ query: question.query, path: page.path, anchor: blank[0]?.anchor })
    else if (blank.length === 0 && hashOf(document.id) % pages < mostCases) cases.push(...blankOne(page))
    builder.add(page)
  }
  const index = createIndex([builder.finish()])
  return { all: judgeCases(index, cases, []), byWords: judgeCases(index, cases, ['vectors']) }
}

function judgeCases(index: SearchIndex, cases: readonly Case[], without: string[]): SectionQuality {
  const quality: SectionQuality = { questions: cases.length, found: 0, first: 0, firstThree: 0 }
  for (const { query, path, anchor } of cases) {
    const onPage = search(index, { query, limit: 50, without }).hits.filter((hit) => hit.path === path)
    if (onPage.length === 0) continue
    quality.found += 1
    const place = onPage.findIndex((hit) => hit.anchor === anchor)
    if (place === 0) quality.first += 1
    if (place >= 0) quality.firstThree += 1
  }
  return quality
}

/** Blanks a heading of the page, also above its subsections. */
function blankOne(page: Page): Case[] {
  const able = page.sections.filter(
    ({ headings, text }) =>
      /\S\s+\S+\s+\S|\p{Script=Han}{5}/u.test(headings.at(-1) ?? '') && text.length > 80,
  )
  const chosen = page.sections.length < 3 ? undefined : able[hashOf(page.path) % able.length]
  if (chosen === undefined) return []
  const depth = chosen.headings.length
  const query = chosen.headings[depth - 1] ?? ''
  for (const section of page.sections.slice(page.sections.indexOf(chosen))) {
    if (section !== chosen && section.headings.length <= depth) break
    section.headings = section.headings.with(depth - 1, '')
  }
  return [{ query, path: page.path, anchor: chosen.anchor }]
}

function hashOf(text: string): number {
  let hash = 2166136261
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0
  return hash
}
