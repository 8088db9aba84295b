import type { Candidate } from './rank-part.ts'
import type { Section } from './rank-sections.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'

/** A page whose vectors are near to a query's, with its nearest passages, the nearest first; at least one. */
export interface NearPage {
  part: number
  page: number
  /** A higher score is nearer; scores can only be compared within their list. */
  found: readonly { section: number; score: number }[]
}

/** Pages by how near their vectors of one kind are, the nearest first. */
export interface VectorList {
  /** How much it counts, of 1 together with words and other lists. */
  share: number
  /** Whether its pages and sections are found where few pages, and others of their sections, have the words of the query. */
  findsAlone: boolean
  pages: readonly NearPage[]
}

/** Pages in their order, and how to rank the sections of one. */
export interface RankedPages {
  ranked: readonly Candidate[]
  sectionsOf: (page: Candidate) => Section[]
}

/** A page that stands no higher than this in a ranking gets nothing from it. */
const reach = 30

/**
 * Joins pages by words with the first pages of lists by vectors. Each ranking gives a page its score as a share of the
 * way from the score of the thirtieth page to that of the first one, and counts by the list's share. Scores stay on the
 * scale of words, and pages that get nothing from any ranking keep their order. Pages without the words of the query
 * join where many have them: who asks for a rare word wants the pages that have it, and the sections.
 */
export function joinVectors(
  index: SearchIndex,
  byWords: RankedPages,
  lists: readonly VectorList[],
): RankedPages {
  const used = lists.filter(({ pages }) => pages.length > 0)
  if (used.length === 0) return byWords
  const { ranked } = byWords
  const left = used.reduce((sum, { share }) => sum - share, 1)
  const joined = new Map<string, Candidate>()
  const passages = new Map<string, Candidate['sections']>()
  const relativeToWords = relativeIn(ranked)
  for (const page of ranked) joined.set(keyOf(page), { ...page, score: left * relativeToWords(page.score) })
  for (const { share, findsAlone, pages } of used) {
    const first = pages.slice(0, reach)
    const relative = relativeIn(first.flatMap(({ found }) => found.slice(0, 1)))
    for (const { part, page, found } of first) {
      const key = keyOf({ part, page })
      const isFound = findsAlone || ranked.length >= reach
      const known = joined.get(key) ?? (isFound ? { part, page, score: 0, sections: [] } : undefined)
      if (known === undefined) continue
      const scored = found.map(({ section, score }) => ({ section, score: share * relative(score) }))
      joined.set(key, { ...known, score: known.score + (scored[0]?.score ?? 0) })
      // Within a page, words know better which section it is.
      if (!findsAlone && known.sections.length > 0) continue
      passages.set(key, [...(passages.get(key) ?? []), ...scored])
    }
  }
  const floor = floorOf(ranked)
  const way = (ranked[0]?.score ?? 1) - floor || 1
  return {
    ranked: [...joined.values()]
      .map((page) => ({ ...page, score: floor + way * page.score }))
      .sort((a, b) => b.score - a.score),
    sectionsOf(page) {
      const known = byWords.sectionsOf(page)
      const top = known[0]?.score || 1
      const sections = known.map((section) => ({ ...section, score: (left * section.score) / top }))
      for (const { section: passage, score } of passages.get(keyOf(page)) ?? []) {
        const holder = sections.find(({ first, end }) => first <= passage && passage < end)
        if (holder !== undefined) holder.score += score
        else sections.push({ ...sectionAround(segmentOf(index, page.part), page.page, passage), score })
      }
      return sections.sort((a, b) => b.score - a.score || a.first - b.first)
    },
  }
}

/** A score's share of the way from the thirtieth one, or the last of fewer, to the first one. */
function relativeIn(pages: readonly { score: number }[]): (score: number) => number {
  const floor = floorOf(pages)
  const way = (pages[0]?.score ?? 0) - floor
  return (score) => (way > 0 ? Math.max(0, (score - floor) / way) : 1)
}

export function floorOf(pages: readonly { score: number }[]): number {
  return pages[Math.min(reach, pages.length) - 1]?.score ?? 0
}

export function keyOf({ part, page }: { part: number; page: number }): string {
  return `${part} ${page}`
}

/** The section that holds a passage, which is its best one. */
export function sectionAround(segment: Segment, page: number, best: number): Omit<Section, 'score'> {
  let first = best
  while (first > (segment.pageSections[page] ?? 0) && segment.sectionOpens[first] !== 1) first -= 1
  let end = best + 1
  while (end < (segment.pageSections[page + 1] ?? 0) && segment.sectionOpens[end] !== 1) end += 1
  return { first, end, best }
}
