import { keyOf, sectionAround, type RankedPages } from './join-vectors.ts'
import type { Candidate } from './rank-part.ts'
import type { Section } from './rank-sections.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import { findPath } from './segment-strings.ts'

/** A ranking of sections by what models made of them. */
export type OtherRanking = QuestionRanking | VectorRanking

/** Sections by how near the vectors that a model made of them are to the query's, the nearest first. */
export interface VectorRanking {
  kind: 'vectors'
  places: readonly ScoredPlace[]
  /** Confidence in the first place, 0 to 1, on the scale of a search's confidence. */
  confidence: number
}

/** Sections by what models wrote about them, the best first. */
export interface QuestionRanking {
  kind: 'questions'
  places: readonly ScoredPlace[]
  /** How much its scores count, as `weightOfWords` gives it. */
  weight: number
  /** Confidence in the first place, 0 to 1, on the scale of a search's confidence. */
  confidence: number
  /** Words of the query that it does not know either; undefined where it does not tell. */
  unknown?: string[]
  /** Questions that are written down for passages of a page, from one number to before another. */
  questionsOf?(path: string, first: number, end: number): string[]
}

/** Where a section stands: the file of its page, and its number among the page's passages. */
export interface SectionPlace {
  path: string
  slot: number
}

/** A place with its score: 1 for the best place of a ranking of questions, 0 for one that is as good as any other. */
export interface ScoredPlace extends SectionPlace {
  score: number
}

/** A ranking with fewer places than this is complete: what it leaves out has no score at all. */
const complete = 30

/**
 * Joins rankings by their scores, each relative to the best score of its ranking and times the ranking's weight. Ranks
 * alone say too little: the tenth of a ranking may be nearly as good as the first, or not good at all.
 */
export function fuseRankings(
  index: SearchIndex,
  byWords: {
    ranked: readonly Candidate[]
    weight: number
    allowed: (part: number, page: number) => boolean
    sectionsOf: (page: Candidate) => Section[]
  },
  others: readonly QuestionRanking[],
): RankedPages {
  const fused = new Map<string, Candidate>()
  /** By page: passages of other rankings, with what they count. */
  const passages = new Map<string, Candidate['sections']>()
  const { ranked, weight } = byWords
  const best = ranked[0]?.score || 1
  const floor = floorOf(ranked) / best
  for (const candidate of ranked)
    fused.set(keyOf(candidate), { ...candidate, score: weight * (candidate.score / best - floor) })
  for (const other of others) {
    const least = floorOf(other.places)
    for (const { part, page, found } of pagesOf(index, other.places, byWords.allowed)) {
      const key = keyOf({ part, page })
      const scored = found.map((one) => ({ ...one, score: other.weight * (one.score - least) }))
      const candidate = fused.get(key) ?? { part, page, score: 0, sections: [] }
      fused.set(key, { ...candidate, score: candidate.score + (scored[0]?.score ?? 0) })
      passages.set(key, [...(passages.get(key) ?? []), ...scored])
    }
  }
  return {
    ranked: [...fused.values()],
    sectionsOf(page) {
      const known = page.sections.length === 0 ? [] : byWords.sectionsOf(page)
      const top = known[0]?.score || 1
      const sections = known.map((section) => ({ ...section, score: (weight * section.score) / top }))
      for (const { section: passage, score } of passages.get(keyOf(page)) ?? []) {
        const holder = sections.find(({ first, end }) => first <= passage && passage < end)
        if (holder !== undefined) holder.score += score
        else sections.push({ ...sectionAround(segmentOf(index, page.part), page.page, passage), score })
      }
      return sections.sort((a, b) => b.score - a.score || a.first - b.first)
    },
  }
}

/**
 * How much a ranking by words counts: the more, the more of the query its first page covers, and the further that page
 * stands before the second one.
 */
export function weightOfWords(ranked: readonly { score: number }[], confidence: number): number {
  const [first = 0, second = 0] = ranked.map(({ score }) => score)
  const lead = first > 0 ? (first - second) / first : 0
  return 38 * (0.1 + 0.9 * confidence) * (0.6 + lead)
}

/** The score that what is outside of the ranking has at most. */
function floorOf(places: readonly { score: number }[]): number {
  return places.length < complete ? 0 : (places.at(-1)?.score ?? 0)
}

/** The pages of the places in the index, with their passages, in the order of the best ones. */
export function pagesOf(
  index: SearchIndex,
  places: readonly ScoredPlace[],
  allowed: (part: number, page: number) => boolean,
): { part: number; page: number; found: Candidate['sections'] }[] {
  return [...Map.groupBy(places, ({ path }) => path)].flatMap(([path, ofPage]) => {
    for (const [part, { segment, deleted }] of index.parts.entries()) {
      const page = findPath(segment, path)
      if (page < 0 || deleted[page] === 1) continue
      if (!allowed(part, page)) return []
      const [first = 0, end = 0] = segment.pageSections.subarray(page, page + 2)
      const hits = ofPage.flatMap(({ slot, score }) =>
        first + slot < end ? [{ section: first + slot, score }] : [],
      )
      return hits.length === 0 ? [] : [{ part, page, found: hits }]
    }
    return []
  })
}
