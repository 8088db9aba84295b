import { filterPages, type SearchFilter } from './filter-pages.ts'
import { gatherSections, type SectionHit } from './gather-sections.ts'
import { groupNearEqual } from './near-equal.ts'
import { locate, readerAt } from './nearness.ts'
import { idfOfTerm, parseQuery, type QueryTerm, type QueryWord } from './query.ts'
import { rankPart, type Candidate } from './rank-part.ts'
import { rankSections } from './rank-sections.ts'
import { defaultRanking, type Ranking } from './ranking.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import { findPath, findPosting, headingsAt, pathAt, titleAt } from './segment-strings.ts'
import type { Segment } from './segment.ts'
import { scanWords, stopWords, termsOf } from './words.ts'

export interface SearchRequest {
  /** As the user wrote it. Only the first 10,000 characters and 200 different words are used; a repeated word counts more. */
  query: string
  /** Sections to return. */
  limit: number
  filter?: SearchFilter | undefined
  /** The page that the reader is on (file or site path): pages near it rank a little higher. */
  currentPath?: string | undefined
  /** What the reader has selected or pasted: its rarest words count a little. */
  context?: string | undefined
  /** Searches only this page (file or site path). Then all of its sections may be found, not just three. */
  within?: string | undefined
  /** File paths to leave out of the results. */
  exclude?: string[] | undefined
  /** Characters of a section's text at most; of a longer one, the part around the best passage. Default 20,000. */
  longest?: number | undefined
}

export interface SearchResult {
  /**
   * Sections, best first: at most three of one page, and of the first eight at least every second one is the first of
   * its page. The first sections of pages are in the order of the pages.
   */
  hits: SectionHit[]
  /**
   * Confidence in the first hit, 0 to 1 (see confidenceIn); 0 without hits. Below 0.3 the site hardly covers the
   * question, from 0.5 on it does: 98 % of the benchmark's questions reach 0.3 and 92 % reach 0.5, but of unrelated
   * everyday questions only 31 % and 7 %.
   */
  confidence: number
  /** Words of the query, as written, that no page holds. */
  unknown: string[]
}

/** Searches an index. Synchronous and deterministic; takes a few milliseconds for 14,000 pages. */
export function search(index: SearchIndex, request: SearchRequest, ranking = defaultRanking): SearchResult {
  const query = parseQuery(index, ranking, request.query, request.context)
  if (query.terms.length === 0 || request.limit < 1)
    return { hits: [], confidence: 0, unknown: query.unknown }
  const here = request.currentPath === undefined ? undefined : readerAt(index, request.currentPath)
  const coverageOf = coverageBy(index, request.query)
  const ranked = findCandidates(index, request, ranking, query.terms)
    .map((candidate) => {
      const title = titleAt(segmentOf(index, candidate.part), candidate.page)
      const heading = bestHeadingOf(index, candidate) ?? ''
      const score =
        candidate.score + ranking.titleBoost * coverageOf(title) + ranking.headingBoost * coverageOf(heading)
      return { ...candidate, score: score * (here?.nearness(candidate) ?? 1) }
    })
    .sort((a, b) => b.score - a.score || byPath(index, a, b))

  const first = ranked[0]
  return {
    hits: gatherSections(
      index,
      groupNearEqual(index, ranked, here?.isAlike ?? (() => false)),
      (page) => rankSections(index, ranking, page, query.terms, coverageOf),
      ranking.furtherShare,
      request,
    ),
    confidence: first === undefined ? 0 : confidenceIn(index, first, query.words),
    unknown: query.unknown,
  }
}

function findCandidates(
  index: SearchIndex,
  request: SearchRequest,
  ranking: Ranking,
  terms: QueryTerm[],
): Candidate[] {
  const matching = filterPages(index, request.filter ?? {})
  const only = request.within === undefined ? undefined : locate(index, request.within)
  if (request.within !== undefined && only === undefined) return []
  const count = Math.max(ranking.reranked, request.limit)
  return index.parts
    .flatMap(({ segment, deleted }, part) => {
      const excluded = new Set((request.exclude ?? []).map((path) => findPath(segment, path)))
      const allowed = (page: number): boolean =>
        deleted[page] !== 1 &&
        (only === undefined || (only.part === part && only.page === page)) &&
        (matching === undefined || matching[part]?.[page] === 1) &&
        !excluded.has(page)
      return rankPart(ranking, index, part, terms, allowed, count)
    })
    .sort((a, b) => b.score - a.score || byPath(index, a, b))
    .slice(0, count)
}

/**
 * Orders equal scores by path, so that the order does not depend on the layout of the index, which changes with
 * every update.
 */
function byPath(index: SearchIndex, a: Candidate, b: Candidate): number {
  const [pathA, pathB] = [a, b].map(({ part, page }) => pathAt(segmentOf(index, part), page))
  return pathA === pathB ? 0 : (pathA ?? '') < (pathB ?? '') ? -1 : 1
}

function bestHeadingOf(index: SearchIndex, { part, sections }: Candidate): string | undefined {
  const best = sections[0]
  return best === undefined ? undefined : headingsAt(segmentOf(index, part), best.section).at(-1)
}

/**
 * How much of the query the page covers, 0 to 1: the share of the query's weight (rare words weigh more, unknown
 * words most, stop words nothing) that occurs in the given section or in the page's title or path. A word elsewhere
 * on the page counts half. A word that is only known in another spelling counts 0.4 of that.
 */
function confidenceIn(index: SearchIndex, candidate: Candidate, words: QueryWord[]): number {
  const { part, page } = candidate
  const segment = segmentOf(index, part)
  const section = candidate.sections[0]?.section ?? -1
  let weight = 0
  let covered = 0
  for (const word of words) {
    weight += word.idf
    let most = 0
    for (const term of word.terms) {
      most = Math.max(most, presence(segment, term.places[part] ?? -1, page, section))
    }
    covered += word.idf * most * (word.guessed ? 0.4 : 1)
  }
  return weight === 0 ? 0 : covered / weight
}

function presence(segment: Segment, term: number, page: number, section: number): number {
  const from = findPosting(segment, term, page)
  if (from < 0) return 0
  const inTitleOrPath = (segment.postingFields[from] ?? 0) & 63
  const slot = section - (segment.pageSections[page] ?? 0)
  const slots = segment.sectionSlots.subarray(
    segment.postingSections[from],
    segment.postingSections[from + 1],
  )
  return inTitleOrPath !== 0 || slots.includes(slot) ? 1 : 0.5
}

/**
 * Returns a function for how much a title or heading and the query cover each other: a short title that is entirely in
 * the query gets more than a long one that shares a word. In units of the query's weight.
 */
function coverageBy(index: SearchIndex, query: string): (text: string) => number {
  const wanted = contentTerms(query)
  return (text) => {
    let weight = 0
    let shared = 0
    for (const term of contentTerms(text)) {
      const idf = idfOfTerm(index, term)
      weight += idf
      if (wanted.has(term)) shared += idf
    }
    return shared === 0 ? 0 : (shared / weight) * shared
  }
}

/** Stems of plain words, the exact form of everything else; stop words left out. */
function contentTerms(text: string): Set<string> {
  const terms = new Set<string>()
  scanWords(text.slice(0, 10_000), (word) => {
    const { exact, stems } = termsOf(word)
    if (exact.length === 1 && stopWords.has(exact[0] ?? '')) return
    for (const term of stems.length > 0 ? stems : exact) terms.add(term)
  })
  return terms
}
