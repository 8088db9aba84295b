import { expect, it } from 'vitest'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { buildSegment } from './build-segment.ts'
import { joinVectors, type VectorList } from './join-vectors.ts'
import type { Candidate } from './rank-part.ts'
import { createIndex } from './search-index.ts'

const count = 60
const index = createIndex([
  buildSegment(Array.from({ length: count }, (_, n) => pageOf(`p${n}.md`, `Page ${n}`, 'Text.'))),
])

/** Pages by words, in the order of their numbers, whose scores go from 10 downwards. */
function byWords(pages: number): Candidate[] {
  return Array.from({ length: pages }, (_, page) => ({ part: 0, page, score: 10 - page / 10, sections: [] }))
}

function near(pages: readonly number[], options: Partial<VectorList> = {}): VectorList {
  return {
    share: 0.2,
    findsAlone: false,
    ...options,
    pages: pages.map((page, rank) => ({ part: 0, page, found: [{ section: page, score: 1 - rank / 100 }] })),
  }
}

function order(ranked: Candidate[], lists: VectorList[]): number[] {
  return joinVectors(index, { ranked, sectionsOf: () => [] }, lists).ranked.map(({ page }) => page)
}

const backwards = Array.from({ length: 40 }, (_, n) => 39 - n)

it('gives each ranking its share, and leaves what it does not reach in the order of words', () => {
  expect(order(byWords(40), [])).toEqual(byWords(40).map(({ page }) => page))
  const joined = order(byWords(40), [near([4, ...backwards])])
  expect(joined[0]).toBe(4)
  expect(joined.slice(1, 5)).toEqual([0, 1, 2, 3])
  expect(order(byWords(40), [near(backwards, { share: 0.9 })])[0]).toBe(39)
})

it('keeps scores on the scale of words', () => {
  const { ranked } = joinVectors(index, { ranked: byWords(40), sectionsOf: () => [] }, [near([0, 1, 2])])
  expect(ranked[0]).toMatchObject({ page: 0, score: 10 })
  expect(Math.min(...ranked.map(({ score }) => score))).toBeGreaterThan(6)
})

it('finds pages without the words where many pages have them, or where the list may find alone', () => {
  expect(order(byWords(40), [near([55, 54])])).toContain(55)
  expect(order(byWords(3), [near([55, 1])])).toEqual([0, 1, 2])
  expect(order(byWords(3), [near([55, 1], { findsAlone: true })])).toContain(55)
  expect(order([], [near([55, 1], { findsAlone: true })])).toEqual([55, 1])
})
