import type { Candidate } from './rank-part.ts'

/** A page whose vectors are near to a query's, with its nearest section. */
export interface NearPage {
  part: number
  page: number
  section: number
  /** Higher is nearer; only comparable within its list. */
  score: number
}

/** Pages by how near their vectors of one kind are, the nearest first. */
export interface VectorList {
  /** How much it counts, of 1 together with words and other lists. */
  share: number
  pages: readonly NearPage[]
}

/** A page that stands no higher than this in a ranking gets nothing from it. */
const reach = 30

/**
 * Joins pages by words with the first pages of lists by vectors. Each ranking gives a page its score as a share of the
 * way from the score of the thirtieth page to that of the first one, and counts by the list's share. Scores stay on the
 * scale of words, and pages that get nothing from any ranking keep their order.
 */
export function joinVectors(ranked: readonly Candidate[], lists: readonly VectorList[]): Candidate[] {
  const used = lists.filter(({ pages }) => pages.length > 0)
  if (used.length === 0) return [...ranked]
  const left = used.reduce((sum, { share }) => sum - share, 1)
  const joined = new Map<string, Candidate>()
  const relativeToWords = relativeIn(ranked)
  for (const page of ranked) joined.set(keyOf(page), { ...page, score: left * relativeToWords(page.score) })
  for (const { share, pages } of used) {
    const first = pages.slice(0, reach)
    const relative = relativeIn(first)
    for (const { part, page, section, score } of first) {
      const key = keyOf({ part, page })
      const known = joined.get(key) ?? { part, page, score: 0, sections: [{ section, score: 0 }] }
      joined.set(key, { ...known, score: known.score + share * relative(score) })
    }
  }
  const floor = floorOf(ranked)
  const scale = ranked.length === 0 ? 1 : Math.max((ranked[0]?.score ?? 0) - floor, Number.MIN_VALUE)
  return [...joined.values()]
    .map((page) => ({ ...page, score: floor + scale * page.score }))
    .sort((a, b) => b.score - a.score)
}

/** A page's share of the way from the thirtieth page, or from nothing in a shorter ranking by words, to the first one. */
function relativeIn(pages: readonly { score: number }[]): (score: number) => number {
  const floor = floorOf(pages)
  const way = (pages[0]?.score ?? 0) - floor
  return (score) => (way > 0 ? Math.max(0, (score - floor) / way) : 1)
}

function floorOf(pages: readonly { score: number }[]): number {
  return pages[Math.min(reach, pages.length) - 1]?.score ?? 0
}

function keyOf({ part, page }: { part: number; page: number }): string {
  return `${part} ${page}`
}
