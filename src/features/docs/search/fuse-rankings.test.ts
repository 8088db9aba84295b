import { describe, expect, it } from 'vitest'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { buildSegment } from './build-segment.ts'
import { weightOfWords, type OtherRanking } from './fuse-rankings.ts'
import { createIndex } from './search-index.ts'
import { search } from './search.ts'

const index = createIndex([
  buildSegment([
    pageOf('car.md', 'Car', 'The automobile needs petrol before it leaves.'),
    pageOf('boat.md', 'Boat', 'A vessel floats on water. Check the hull.'),
    pageOf('plane.md', 'Plane', 'Aircraft fly over water and land.'),
  ]),
])

function vectors(confidence = 0): OtherRanking {
  const places = ['plane.md', 'car.md', 'boat.md'].map((path, rank) => ({
    path,
    slot: 0,
    score: 1 - rank * 0.4,
  }))
  return { kind: 'vectors', places, confidence }
}

function questions(weight: number): OtherRanking {
  const places = ['plane.md', 'car.md'].map((path, rank) => ({ path, slot: 0, score: 1 - rank * 0.8 }))
  return { kind: 'questions', places, weight, confidence: 0 }
}

function found(query: string, also: OtherRanking[]): string[] {
  return search(index, { query, limit: 3, also }).hits.map(({ path }) => path)
}

describe('joined rankings', () => {
  it('leave the order of words alone where questions hardly decide', () => {
    expect(found('vessel hull water', [questions(0.3)])[0]).toBe('boat.md')
    expect(found('vessel hull water', [questions(0)]).slice(0, 2)).toEqual(['boat.md', 'plane.md'])
  })

  it('follow questions that decide clearly', () => {
    expect(found('vessel hull water', [questions(100)])[0]).toBe('plane.md')
  })

  it('let vectors of a model count a third beside words, and find what no word finds', () => {
    expect(found('vessel hull water', [vectors()])[0]).toBe('boat.md')
    expect(found('water', [vectors()])[0]).toBe('plane.md')
    expect(found('jumbo jet', [vectors()])).toEqual(['plane.md', 'car.md', 'boat.md'])
  })

  it('are as sure as the surest of them', () => {
    const confidence = (also: OtherRanking[]): number =>
      search(index, { query: 'jumbo jet', limit: 3, also }).confidence
    expect(confidence([vectors()])).toBe(0)
    expect(confidence([vectors(0.6)])).toBe(0.6)
  })

  it('count words more where they cover the question and lead clearly', () => {
    const weight = (first: number, second: number, confidence: number): number =>
      weightOfWords([{ score: first }, { score: second }], confidence)
    expect(weight(10, 2, 1)).toBeGreaterThan(weight(10, 9, 1))
    expect(weight(10, 2, 1)).toBeGreaterThan(weight(10, 2, 0.2))
    expect(weightOfWords([], 0)).toBeLessThan(3)
  })
})
