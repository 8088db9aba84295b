import type { Candidate } from './rank-part.ts'
import type { SearchIndex } from './search-index.ts'
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
  byWords: { ranked: readonly Candidate[]; confidence: number },
  others: readonly OtherRanking[],
  allowed: (part: number, page: number) => boolean,
): Candidate[] {
  const fused = new Map<string, Candidate>()
  const add = ({ part, page, sections }: Omit<Candidate, 'score'>, rank: number, weight: number): void => {
    const key = `${part} ${page}`
    const found = fused.get(key) ?? { part, page, score: 0, sections: [] }
    found.score += weight / (steadiness + rank)
    sections.forEach(({ section }, place) => {
      const known = found.sections.find((one) => one.section === section)
      const score = weight / (steadiness + place)
      if (known) known.score += score
      else found.sections.push({ section, score })
    })
    fused.set(key, found)
  }
  byWords.ranked.forEach((candidate, rank) => add(candidate, rank, weightOf(byWords)))
  for (const { places, confidence } of others)
    pagesOf(index, places, allowed).forEach((candidate, rank) =>
      add(candidate, rank, weightOf({ confidence })),
    )
  return [...fused.values()].map((candidate) => ({
    ...candidate,
    sections: candidate.sections.toSorted((a, b) => b.score - a.score),
  }))
}

function weightOf({ confidence }: { confidence: number }): number {
  return Math.min(1, Math.max(leastConfidence, confidence))
}

/** The pages of the places in the index, with their sections, in the order of their best ones. */
function pagesOf(
  index: SearchIndex,
  places: readonly SectionPlace[],
  allowed: (part: number, page: number) => boolean,
): Omit<Candidate, 'score'>[] {
  return [...Map.groupBy(places, ({ path }) => path)].flatMap(([path, ofPage]) => {
    for (const [part, { segment, deleted }] of index.parts.entries()) {
      const page = findPath(segment, path)
      if (page < 0 || deleted[page] === 1) continue
      if (!allowed(part, page)) return []
      const [first = 0, end = 0] = segment.pageSections.subarray(page, page + 2)
      const sections = [...new Set(ofPage.map(({ slot }) => first + slot))]
        .filter((section) => section < end)
        .map((section) => ({ section, score: 0 }))
      return sections.length === 0 ? [] : [{ part, page, sections }]
    }
    return []
  })
}
