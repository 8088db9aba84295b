import type { QueryWord } from './query.ts'
import type { Candidate } from './rank-part.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'

/**
 * How much of what was asked the page speaks of, 0 to 1: the share of the query's weight (rare words weigh more,
 * words the index does not know most, stop words nothing) that stands in the given section or in the page's
 * title or path. A word found elsewhere on the page counts half; one known under another spelling only, 0.4 of that.
 */
export function confidenceIn(index: SearchIndex, candidate: Candidate, words: QueryWord[]): number {
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
