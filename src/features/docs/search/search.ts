import { readPasted } from '../../../lib/prompts/pasted-text.ts'
import { filterPages, type SearchFilter } from './filter-pages.ts'
import {
  fuseRankings,
  pagesOf,
  weightOfWords,
  type OtherRanking,
  type QuestionRanking,
  type ScoredPlace,
} from './fuse-rankings.ts'
import { coverageBy } from './coverage.ts'
import { joinStructure } from './join-structure.ts'
import { gatherSections, type SectionHit } from './gather-sections.ts'
import { groupNearEqual } from './near-equal.ts'
import { joinVectors, type VectorList } from './join-vectors.ts'
import { namedPages } from './named-pages.ts'
import { nearPages } from './near-pages.ts'
import { locate, readerAt, usualReader } from './nearness.ts'
import { parseQuery, raritiesOf, type QueryWord } from './query.ts'
import { rankPart, type Candidate } from './rank-part.ts'
import { rankSections, type Section } from './rank-sections.ts'
import { defaultRanking, type Ranking } from './ranking.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import {
  findPath,
  findPosting,
  headingsAt,
  passageText,
  pathAt,
  sectionStringsOf,
  titleAt,
} from './segment-strings.ts'
import type { Segment } from './segment.ts'

export interface SearchRequest {
  /** As the user wrote it. Only the first 10,000 characters and 200 different words are used; a repeated word counts more. */
  query: string
  /** Sections to return. */
  limit: number
  filter?: SearchFilter | undefined
  /** The page that the reader is on, as people name it (see readPageName): pages near it rank a little higher. */
  currentPath?: string | undefined
  /** Addresses below which the pages are, for names of pages. */
  sites?: readonly string[] | undefined
  /** What the reader has selected or pasted: its rarest words count a little. */
  context?: string | undefined
  /** Searches only this page, as people name it. Then all of its sections may be found, not just three. */
  within?: string | undefined
  /** File paths to leave out of the results. */
  exclude?: string[] | undefined
  /** Characters of a section's text at most; of a longer one, the part around the best passage. Default 20,000. */
  longest?: number | undefined
  /** What models made of sections, which is joined with the ranking by words; at most one of each kind. */
  also?: readonly OtherRanking[] | undefined
  /** Kinds of rankings that are not joined with that by words: `questions`, `vectors`. */
  without?: readonly string[] | undefined
}

export interface SearchResult {
  /**
   * Sections, best first: at most three of one page, and of the first eight at least every second one is the first of
   * its page. The first sections of pages are in the order of the pages.
   */
  hits: SectionHit[]
  /**
   * Confidence in the first hit, 0 to 1 (see confidenceIn), the highest of all rankings; 0 without hits. Below 0.3 the site hardly covers the
   * question, from 0.5 on it does: 98 % of the benchmark's questions reach 0.3 and 92 % reach 0.5, but of unrelated
   * everyday questions only 31 % and 7 %.
   */
  confidence: number
  /** Words of the query, as written, that no page holds. */
  unknown: string[]
  /** How rare the words of the query are on the site (see raritiesOf). */
  rarities: ReadonlyMap<string, number>
  /** Whether the first hit is the page that a beginner's question asks for by what it is, whatever its words. */
  leads: boolean
}

/** In a page that is found for what it is. */
const confidenceOfLeading = 1

/** Searches an index. Synchronous and deterministic; takes a few milliseconds for 14,000 pages. */
export function search(index: SearchIndex, asked: SearchRequest, ranking = defaultRanking): SearchResult {
  const request = withoutPasted(asked)
  const { also = [] } = request
  if (request.limit < 1) return { hits: [], confidence: 0, unknown: [], rarities: new Map(), leads: false }
  const here =
    request.currentPath === undefined
      ? usualReader(index)
      : readerAt(index, request.currentPath, request.sites ?? [])
  const byWords = rankPages(index, request, ranking, here?.nearness)
  const named = namedPages(index, asked.query, asked.sites ?? [])
  const questions = also.filter((one) => one.kind === 'questions')
  const fused = questions.length === 0 ? byWords : fuseRankings(index, byWords, questions)
  const inOrder = {
    ...fused,
    ranked: fused.ranked.toSorted((a, b) => b.score - a.score || byPath(index, a, b)),
  }
  const joined = joinVectors(index, inOrder, vectorLists(index, request, byWords.allowed))
  const { ranked, sectionsOf, leads } =
    request.within === undefined
      ? joinStructure(index, joined, { ...byWords, ranking, named })
      : { ...joined, leads: false }
  const groups = groupNearEqual(index, ranked, here?.isAlike ?? (() => false))
  const least = leads ? confidenceOfLeading : byWords.confidence
  const confidence = also.reduce((most, one) => Math.max(most, one.confidence), least)
  const hits = gatherSections(index, groups, sectionsOf, ranking.furtherShare, {
    ...request,
    leads,
    questionsOf: questions[0]?.questionsOf,
  })
  return {
    hits: onOneScale(hits, confidence),
    confidence,
    unknown: byWords.unknown.filter((word) =>
      questions.every(({ unknown }) => unknown === undefined || unknown.includes(word)),
    ),
    rarities: raritiesOf(index, request.query),
    leads,
  }
}

/** What was pasted beside a question only says what it is about. */
function withoutPasted(request: SearchRequest): SearchRequest {
  const { asked, rest } = readPasted(request.query)
  if (rest === '') return request
  return { ...request, query: asked, context: [request.context ?? '', rest].join('\n') }
}

/** How much the nearness to sections counts by vectors of a model, which stand in place of the table's. */
const shareOfModel = 0.3

/** The pages that are near to the query by vectors: by a model's of sections, where there are any, and by the table's. */
function vectorLists(
  index: SearchIndex,
  { query, within, without, also = [] }: SearchRequest,
  allowed: (part: number, page: number) => boolean,
): VectorList[] {
  if (within !== undefined || without?.includes('vectors')) return []
  const near = nearPages(index, query, allowed)
  const byModel = also.find((one) => one.kind === 'vectors')
  const text =
    byModel === undefined
      ? near?.text
      : { share: shareOfModel, findsAlone: true, pages: pagesOf(index, byModel.places, allowed) }
  return [text, near?.headings].filter((list) => list !== undefined)
}

/**
 * Scores of a ranking can only be compared within it. Those of the results tell, from 0 to 1, how well the site covers
 * the query, times how near a section comes to the first one.
 */
function onOneScale(hits: readonly SectionHit[], confidence: number): SectionHit[] {
  const best = hits[0]?.score ?? 0
  return hits.map((hit) => ({
    ...hit,
    score: confidence * (best > 0 ? Math.min(1, Math.max(0, hit.score / best)) : 1),
  }))
}

/**
 * Ranks sections, for a search of another index of the same pages. Each section's anchor is its number there.
 * @returns `allows` tells whether the request's filter lets a page through
 */
export function rankPlaces(
  index: SearchIndex,
  request: SearchRequest,
): Omit<QuestionRanking, 'kind'> & {
  places: ScoredPlace[]
  unknown: string[]
  allows(path: string): boolean
} {
  const { ranked, weight, allowed, confidence, unknown } = rankPages(
    index,
    request,
    defaultRanking,
    undefined,
  )
  const top = ranked[0]?.score || 1
  const places = ranked.flatMap(({ part, page, score, sections }) => {
    const segment = segmentOf(index, part)
    const best = sections[0]?.score || 1
    return sections.map((one) => ({
      path: pathAt(segment, page),
      slot: Number(sectionStringsOf(segment, one.section).anchor),
      score: (score / top) * (one.score / best),
    }))
  })
  return {
    places,
    weight,
    confidence,
    unknown,
    allows: (path) =>
      index.parts.some(({ segment }, part) => {
        const page = findPath(segment, path)
        return page >= 0 && allowed(part, page)
      }),
  }
}

/** The texts of the sections of a page whose anchors are numbers from `first` to before `end`. */
export function textsAt({ parts }: SearchIndex, path: string, first: number, end: number): string[] {
  return parts.flatMap(({ segment, deleted }) => {
    const page = findPath(segment, path)
    if (page < 0 || deleted[page] === 1) return []
    const [from = 0, to = 0] = segment.pageSections.subarray(page, page + 2)
    return Array.from({ length: to - from }, (_, at) => from + at).flatMap((section) => {
      const slot = Number(sectionStringsOf(segment, section).anchor)
      return first <= slot && slot < end ? [passageText(segment, section)] : []
    })
  })
}

/** Pages by their words, the best first, and how to rank the sections of one. */
function rankPages(
  index: SearchIndex,
  request: SearchRequest,
  ranking: Ranking,
  nearness: ((candidate: Candidate) => number) | undefined,
) {
  const query = parseQuery(index, ranking, request.query, request.context)
  const coverage = coverageBy(index, request.query)
  const allowed = allowedPages(index, request)
  const count = Math.max(ranking.reranked, request.limit)
  const parts = query.terms.length === 0 ? [] : index.parts
  const ranked = parts
    .flatMap((_, part) => rankPart(ranking, index, part, query.terms, (page) => allowed(part, page), count))
    .sort((a, b) => b.score - a.score || byPath(index, a, b))
    .slice(0, count)
    .map((candidate) => {
      const title = titleAt(segmentOf(index, candidate.part), candidate.page)
      const heading = bestHeadingOf(index, candidate) ?? ''
      const score =
        candidate.score +
        ranking.titleBoost * coverage.of(title) +
        ranking.headingBoost * coverage.of(heading)
      return { ...candidate, score: score * (nearness?.(candidate) ?? 1) }
    })
    .sort((a, b) => b.score - a.score || byPath(index, a, b))
  const first = ranked[0]
  const confidence = first === undefined ? 0 : confidenceIn(index, first, query.words)
  return {
    ranked,
    weight: weightOfWords(ranked, confidence),
    allowed,
    coverage,
    sectionsOf: (page: Candidate): Section[] => rankSections(index, ranking, page, query.terms, coverage.of),
    confidence,
    unknown: query.unknown,
  }
}

/** Whether a page lives, and the request lets it through. */
function allowedPages(index: SearchIndex, request: SearchRequest): (part: number, page: number) => boolean {
  const matching = filterPages(index, request.filter ?? {})
  const only = request.within === undefined ? undefined : locate(index, request.within, request.sites ?? [])
  if (request.within !== undefined && only === undefined) return () => false
  const excluded = index.parts.map(
    ({ segment }) => new Set((request.exclude ?? []).map((path) => findPath(segment, path))),
  )
  return (part, page) =>
    index.parts[part]?.deleted[page] !== 1 &&
    (only === undefined || (only.part === part && only.page === page)) &&
    (matching === undefined || matching[part]?.[page] === 1) &&
    excluded[part]?.has(page) !== true
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
