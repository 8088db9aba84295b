import { describe, expect, it } from 'vitest'
import {
  findNearest,
  storedVector,
  withVectors,
  type PlacedVector,
  type VectorIndex,
} from './vector-index.ts'

const dimensions = 512
const empty: VectorIndex = { parts: [] }
const all = (): boolean => true

/** Numbers from -0.5 to 0.5, the same for the same seed. */
function numbersOf(seed: number): number[] {
  let state = seed * 7919 + 1
  return Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  })
}

/** Not centred, as vectors of real models are. */
function vectorOf(topic: number, own: number): number[] {
  const [base, noise] = [numbersOf(topic), numbersOf(100_000 + own)]
  return base.map((value, at) => value + (noise[at] ?? 0) + Math.sin(at))
}

function placed(path: string, slot: number, vector: number[]): PlacedVector {
  const stored = storedVector(vector)
  if (stored === undefined) throw new Error('the vector has no direction')
  return { path, slot, ...stored }
}

describe('the index of vectors', () => {
  it('finds the nearest sections of pages that are allowed', () => {
    const vectors = Array.from({ length: 100 }, (_, n) =>
      placed(`${n % 10}.md`, Math.floor(n / 10), vectorOf(n, n)),
    )
    const index = withVectors(empty, vectors, new Set())
    expect(findNearest(index, vectorOf(42, 1), 3, all).places[0]).toMatchObject({ path: '2.md', slot: 4 })
    const others = findNearest(index, vectorOf(42, 1), 100, (path) => path !== '2.md').places
    expect(others).toHaveLength(90)
    expect(findNearest(index, [1, 2, 3], 3, all)).toEqual({ places: [], confidence: 0 })
    expect(findNearest(index, Array<number>(dimensions).fill(0), 3, all).places).toEqual([])
    expect(findNearest(empty, vectorOf(1, 1), 3, all)).toEqual({ places: [], confidence: 0 })
  })

  it('finds almost the same among so many that signs choose the candidates', () => {
    const count = 12_000
    const vectors = Array.from({ length: count }, (_, n) => placed(`${n}.md`, 0, vectorOf(n % 600, n)))
    let index = empty
    for (let at = 0; at < count; at += 500) index = withVectors(index, vectors.slice(at, at + 500), new Set())
    expect(index.parts.length).toBeLessThan(12)
    for (const topic of [3, 77, 599]) {
      const query = vectorOf(topic, -topic)
      const found = findNearest(index, query, 20, all).places.map(({ path }) => Number.parseInt(path))
      expect(found.filter((n) => n % 600 === topic).length).toBeGreaterThanOrEqual(19)
    }
  })

  it('replaces and removes the vectors of pages', () => {
    let index = withVectors(
      empty,
      [placed('a', 0, vectorOf(1, 1)), placed('b', 0, vectorOf(2, 2))],
      new Set(),
    )
    index = withVectors(index, [placed('a', 0, vectorOf(3, 3))], new Set(['a']))
    expect(findNearest(index, vectorOf(3, 9), 9, all).places).toMatchObject([
      { path: 'a', slot: 0 },
      { path: 'b', slot: 0 },
    ])
    index = withVectors(index, [], new Set(['a', 'b']))
    expect(index.parts).toEqual([])
  })

  it('is as sure as the nearest page stands out, whatever the scale of the similarities is', () => {
    const vectors = Array.from({ length: 400 }, (_, n) => placed(`${n}.md`, 0, vectorOf(n, n)))
    const index = withVectors(empty, vectors, new Set())
    const known = findNearest(index, vectorOf(42, -1), 60, all)
    expect(known.confidence).toBeGreaterThan(0.5)
    const foreign = findNearest(index, vectorOf(-5, -1), 60, all)
    expect(foreign.confidence).toBe(0)
    const twice = [...vectors, placed('copy.md', 0, vectorOf(42, 42))]
    const shared = findNearest(withVectors(empty, twice, new Set()), vectorOf(42, -1), 60, all)
    expect(shared.confidence).toBeLessThan(known.confidence)
  })

  it('keeps a vector in bytes without losing its direction', () => {
    const stored = storedVector([3, -4, 0])
    const back = Array.from(stored?.numbers ?? [], (value) => value * (stored?.scale ?? 0))
    expect(Math.hypot(...back)).toBeCloseTo(1, 2)
    expect(back[0]).toBeCloseTo(0.6, 2)
    expect(storedVector([0, 0])).toBeUndefined()
    expect(storedVector([])).toBeUndefined()
  })
})
