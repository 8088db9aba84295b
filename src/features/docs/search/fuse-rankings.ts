import type { Candidate } from './rank-part.ts'
import type { Section } from './rank-sections.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'
import { findPath } from './segment-strings.ts'

/** A ranking of sections by something else than the words of their pages, best first. */
export interface OtherRanking {
  /** What models wrote about sections, or how near their vectors are to the query's. */
  kind: 'questions' | 'vectors'
  places: readonly SectionPlace[]
  /**
   * Confidence in the first ones, 0 to 1. Of questions as a search has it; of vectors the part of the similarity that
   * only the first ones have.
   */
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

/** The first of a ranking counts twice as much as the one that stands this many places lower. */
const steadiness = 2
const leastConfidence = 0.05

/**
 * Joins rankings by rank: a page, and a section in its page, count the more the higher they stand in each of them, and
 * the more the ranking is sure. Scores of different rankings cannot be compared, but ranks can. With weights that do
 * not depend on the query, weak vectors made clear questions worse, and strong ones did not help where words fail.
 */
export function fuseRankings(
  index: SearchIndex,
  byWords: {
    ranked: readonly Candidate[]
    confidence: number
    allowed: (part: number, page: number) => boolean
    sectionsOf: (page: Candidate) => Section[]
  },
  others: readonly OtherRanking[],
): { ranked: Candidate[]; sectionsOf: (page: Candidate) => Section[] } {
  const fused = new Map<string, Candidate>()
  /** By page: passages of other rankings, with what their ranks count. */
  const passages = new Map<string, Candidate['sections']>()
  const weight = weightOf(byWords)
  byWords.ranked.forEach((candidate, rank) =>
    fused.set(keyOf(candidate), { ...candidate, score: weight / (steadiness + rank) }),
  )
  for (const other of others)
    pagesOf(index, other.places, byWords.allowed).forEach(({ part, page, found }, rank) => {
      const key = keyOf({ part, page })
      const candidate = fused.get(key) ?? { part, page, score: 0, sections: [] }
      fused.set(key, { ...candidate, score: candidate.score + weightOf(other) / (steadiness + rank) })
      const scored = found.map((section, place) => ({
        section,
        score: weightOf(other) / (steadiness + place),
      }))
      passages.set(key, [...(passages.get(key) ?? []), ...scored])
    })
  return {
    ranked: [...fused.values()],
    sectionsOf(page) {
      const known = page.sections.length === 0 ? [] : byWords.sectionsOf(page)
      const sections = known.map((section, rank) => ({ ...section, score: weight / (steadiness + rank) }))
      for (const { section: passage, score } of passages.get(keyOf(page)) ?? []) {
        const found = sections.find(({ first, end }) => first <= passage && passage < end)
        if (found !== undefined) found.score += score
        else sections.push({ ...sectionAround(segmentOf(index, page.part), page.page, passage), score })
      }
      return sections.sort((a, b) => b.score - a.score || a.first - b.first)
    },
  }
}

function keyOf({ part, page }: { part: number; page: number }): string {
  return `${part} ${page}`
}

function sectionAround(segment: Segment, page: number, best: number): Omit<Section, 'score'> {
  let first = best
  while (first > (segment.pageSections[page] ?? 0) && segment.sectionOpens[first] !== 1) first -= 1
  let end = best + 1
  while (end < (segment.pageSections[page + 1] ?? 0) && segment.sectionOpens[end] !== 1) end += 1
  return { first, end, best }
}

function weightOf({ confidence }: { confidence: number }): number {
  return Math.min(1, Math.max(leastConfidence, confidence))
}

/** The pages of the places in the index, with their passages, in the order of their best ones. */
function pagesOf(
  index: SearchIndex,
  places: readonly SectionPlace[],
  allowed: (part: number, page: number) => boolean,
): { part: number; page: number; found: number[] }[] {
  return [...Map.groupBy(places, ({ path }) => path)].flatMap(([path, ofPage]) => {
    for (const [part, { segment, deleted }] of index.parts.entries()) {
      const page = findPath(segment, path)
      if (page < 0 || deleted[page] === 1) continue
      if (!allowed(part, page)) return []
      const [first = 0, end = 0] = segment.pageSections.subarray(page, page + 2)
      const found = [...new Set(ofPage.map(({ slot }) => first + slot))].filter((section) => section < end)
      return found.length === 0 ? [] : [{ part, page, found }]
    }
    return []
  })
}
