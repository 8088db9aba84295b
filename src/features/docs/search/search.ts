import { confidenceIn } from './confidence.ts'
import { filterPages, type SearchFilter } from './filter-pages.ts'
import { nearnessTo } from './nearness.ts'
import { parseQuery, type QueryTerm } from './query.ts'
import { rankPart, type Candidate } from './rank-part.ts'
import { defaultRanking, type Ranking } from './ranking.ts'
import { coverageBoost } from './rerank.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import {
  findPath,
  headingsAt,
  labelAt,
  pathAt,
  pageStringsOf,
  sectionStringsOf,
  titleAt,
} from './segment-strings.ts'

export interface SearchRequest {
  /** As the user wrote it; what is beyond 10,000 characters or 200 different words is not looked at. */
  query: string
  /** Pages to return. */
  limit: number
  filter?: SearchFilter | undefined
  /** Where the reader is (file or site path): near pages rank a little higher. */
  boost?: { path?: string | undefined } | undefined
  /** What the reader has selected: its rarest words count a little. */
  context?: string | undefined
  /** File paths that must not be found. */
  exclude?: string[] | undefined
  /** Sections per page, at most; 3 when not given. */
  sectionLimit?: number | undefined
}

export interface SearchResult {
  hits: SearchHit[]
  /**
   * Of the first hit, 0 to 1: see confidenceIn. 0 without hits. Below 0.3 the site hardly speaks of it; from 0.5 it
   * does (of the bench's questions 98 % reach 0.3 and 92 % reach 0.5, of everyday questions asked there 31 % and 7 %).
   */
  confidence: number
}

/** A page that answers, best first. Scores compare within one result only. */
interface SearchHit {
  path: string
  url: string
  title: string
  language: string | undefined
  version: string | undefined
  score: number
  /** What the page has to say about it, best first; at least one. */
  sections: SectionHit[]
}

export interface SectionHit {
  headings: string[]
  anchor: string | undefined
  text: string
  score: number
}

/** Synchronous and deterministic: a few milliseconds at 14,000 pages. */
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
    .flatMap(({ segment, dead }, part) => {
      const excluded = new Set((request.exclude ?? []).map((path) => findPath(segment, path)))
      const allowed = (page: number): boolean =>
        dead[page] !== 1 && (matching === undefined || matching[part]?.[page] === 1) && !excluded.has(page)
      return rankPart(ranking, index, part, terms, allowed, count)
    })
    .sort((a, b) => b.score - a.score || byPath(index, a, b))
    .slice(0, count)
}

/** Decides between equals whatever the layout of the index, which changes with every change of a page. */
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
