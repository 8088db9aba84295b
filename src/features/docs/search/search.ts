import { filterPages, type SearchFilter } from './filter-pages.ts'
import { nearnessTo } from './nearness.ts'
import { idfOfTerm, parseQuery, type QueryTerm, type QueryWord } from './query.ts'
import { rankPart, type Candidate } from './rank-part.ts'
import { defaultRanking, type Ranking } from './ranking.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import {
  findPath,
  headingsAt,
  labelAt,
  pageStringsOf,
  pathAt,
  sectionStringsOf,
  titleAt,
} from './segment-strings.ts'
import type { Segment } from './segment.ts'
import { scanWords, stopWords, termsOf } from './words.ts'

export interface SearchRequest {
  /** As the user wrote it. Only the first 10,000 characters and 200 different words are used; a repeated word counts more. */
  query: string
  /** Pages to return. */
  limit: number
  filter?: SearchFilter | undefined
  /** The page that the reader is on (file or site path): pages near it rank a little higher. */
  boost?: { path?: string | undefined } | undefined
  /** What the reader has selected: its rarest words count a little. */
  context?: string | undefined
  /** File paths to leave out of the results. */
  exclude?: string[] | undefined
  /** Sections per page, at most; 3 when not given. */
  sectionLimit?: number | undefined
}

export interface SearchResult {
  hits: SearchHit[]
  /**
   * Confidence in the first hit, 0 to 1 (see confidenceIn); 0 without hits. Below 0.3 the site hardly covers the
   * question, from 0.5 on it does: 98 % of the benchmark's questions reach 0.3 and 92 % reach 0.5, but of unrelated
   * everyday questions only 31 % and 7 %.
   */
  confidence: number
}

/** A page that was found. Scores can only be compared within one result. */
interface SearchHit {
  path: string
  url: string
  title: string
  language: string | undefined
  version: string | undefined
  score: number
  /** The page's matching sections, best first; at least one. */
  sections: SectionHit[]
}

export interface SectionHit {
  headings: string[]
  anchor: string | undefined
  text: string
  score: number
}

/** Searches an index. Synchronous and deterministic; takes a few milliseconds for 14,000 pages. */
export function search(index: SearchIndex, request: SearchRequest, ranking = defaultRanking): SearchResult {
  const query = parseQuery(index, ranking, request.query, request.context)
  if (query.terms.length === 0 || request.limit < 1) return { hits: [], confidence: 0 }
  const candidates = findCandidates(index, request, ranking, query.terms)

  const gain = coverageBoost(index, ranking, request.query)
  const near = request.boost?.path ? nearnessTo(index, request.boost.path) : () => 1
  const ranked = candidates
    .map((candidate) => {
      const score =
        candidate.score +
        gain(titleAt(segmentOf(index, candidate.part), candidate.page), bestHeadingOf(index, candidate))
      return { ...candidate, score: score * near(candidate.part, candidate.page) }
    })
    .sort((a, b) => b.score - a.score || byPath(index, a, b))
    .slice(0, request.limit)

  const first = ranked[0]
  return {
    hits: ranked.map((candidate) => hitOf(index, candidate, request.sectionLimit ?? 3)),
    confidence: first === undefined ? 0 : confidenceIn(index, first, query.words),
  }
}

function findCandidates(
  index: SearchIndex,
  request: SearchRequest,
  ranking: Ranking,
  terms: QueryTerm[],
): Candidate[] {
  const matching = filterPages(index, request.filter ?? {})
  const count = Math.max(ranking.reranked, request.limit)
  return index.parts
    .flatMap(({ segment, deleted }, part) => {
      const excluded = new Set((request.exclude ?? []).map((path) => findPath(segment, path)))
      const allowed = (page: number): boolean =>
        deleted[page] !== 1 && (matching === undefined || matching[part]?.[page] === 1) && !excluded.has(page)
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

function hitOf(index: SearchIndex, candidate: Candidate, sectionLimit: number): SearchHit {
  const segment = segmentOf(index, candidate.part)
  const { path, url, title } = pageStringsOf(segment, candidate.page)
  const [language, version] = [0, 1].map((column) => {
    const label = labelAt(segment, segment.pageLabels[candidate.page * 2 + column] ?? 0)
    return label === '' ? undefined : label
  })
  const sections = candidate.sections
    .slice(0, Math.max(1, sectionLimit))
    .map(({ section, score }) => ({ ...sectionStringsOf(segment, section), score }))
  return { path, url, title, language, version, score: candidate.score, sections }
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
  if (term < 0) return 0
  let from = segment.postingStarts[term] ?? 0
  let to = segment.postingStarts[term + 1] ?? 0
  const end = to
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((segment.postingPages[middle] ?? 0) < page) from = middle + 1
    else to = middle
  }
  if (from === end || segment.postingPages[from] !== page) return 0
  const inTitleOrPath = (segment.postingFields[from] ?? 0) & 63
  const slot = section - (segment.pageSections[page] ?? 0)
  const slots = segment.sectionSlots.subarray(
    segment.postingSections[from],
    segment.postingSections[from + 1],
  )
  return inTitleOrPath !== 0 || slots.includes(slot) ? 1 : 0.5
}

/**
 * Returns a function for the bonus of a page whose title, or the heading of its best section, and the query cover
 * each other: a short title that is entirely in the query beats a long one that shares a word.
 */
function coverageBoost(index: SearchIndex, ranking: Ranking, query: string) {
  const wanted = contentTerms(query)
  let queryWeight = 0
  for (const term of wanted) queryWeight += idfOfTerm(index, term)

  function gain(text: string): number {
    let weight = 0
    let shared = 0
    for (const term of contentTerms(text)) {
      const idf = idfOfTerm(index, term)
      weight += idf
      if (wanted.has(term)) shared += idf
    }
    return shared === 0 ? 0 : (shared / weight) * shared
  }

  return (title: string, heading: string | undefined): number =>
    queryWeight === 0
      ? 0
      : ranking.titleBoost * gain(title) + (heading === undefined ? 0 : ranking.headingBoost * gain(heading))
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
