import type { Candidate } from './rank-part.ts'
import type { SearchIndex } from './search-index.ts'
import { findPath } from './segment-strings.ts'

/** A ranking of sections by something else than the words of their pages, best first. */
export interface OtherRanking {
  /** What models wrote about sections, or how near their vectors are to the query's. */
  kind: 'questions' | 'vectors'
  places: readonly SectionPlace[]
  /** Confidence in the first one, 0 to 1, as a search has it. */
  confidence: number
}

/** Where a section stands: the file of its page, and its number among the page's passages. */
export interface SectionPlace {
  path: string
  slot: number
}

/** How fast the weight of a rank falls: the first of a ranking counts twice as much as the one of this rank. */
const steadiness = 10
const weights = { words: 1, questions: 1, vectors: 1 }

/**
 * Joins rankings by rank: a page, and a section in its page, count the more the higher they stand in each of them.
 * Scores of different rankings cannot be compared, but ranks can.
 */
export function fuseRankings(
  index: SearchIndex,
  byWords: readonly Candidate[],
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
  byWords.forEach((candidate, rank) => add(candidate, rank, weights.words))
  for (const { kind, places } of others)
    pagesOf(index, places, allowed).forEach((candidate, rank) => add(candidate, rank, weights[kind]))
  return [...fused.values()].map((candidate) => ({
    ...candidate,
    sections: candidate.sections.toSorted((a, b) => b.score - a.score),
  }))
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
