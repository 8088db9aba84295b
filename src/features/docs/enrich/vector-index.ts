import type { ScoredPlace, SectionPlace, VectorRanking } from '../search/fuse-rankings.ts'

/**
 * An immutable index of section vectors: parts, newest last. A vector is one byte for each number and a scale; its signs
 * alone find candidates where there are many.
 */
export interface VectorIndex {
  parts: VectorPart[]
}

interface VectorPart {
  dimensions: number
  rows: number
  /** Rows whose page was not replaced or removed. */
  living: number
  paths: string[]
  /** By row: the number of its path, and of its section. */
  pages: Uint32Array
  slots: Uint16Array
  scales: Float32Array
  /** The rows one after the other. */
  numbers: Int8Array
  /** By row: whether each number is over the mean of all rows, one bit each. */
  signs: Int32Array
  mean: Float32Array
  /** By path: 1 when it was replaced or removed. */
  deleted: Uint8Array
}

/** A vector as it is stored: each number is `scale` times its byte. */
export interface StoredVector {
  scale: number
  numbers: Int8Array
}

export interface PlacedVector extends SectionPlace, StoredVector {}

/** Numbers that are multiplied in a few milliseconds; where there are more, signs choose the candidates. */
const quick = 4_000_000
const candidates = 1000
/** This many parts of fewer rows are joined, so that a change never copies much. */
const together = 8
const small = 512

/** A vector of length 1 as bytes; undefined for one without a direction. */
export function storedVector(vector: readonly number[]): StoredVector | undefined {
  const length = Math.hypot(...vector)
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (!(length > 0) || !Number.isFinite(length)) return undefined
  const scale = largest / length / 127
  return { scale, numbers: Int8Array.from(vector, (value) => Math.round((value / largest) * 127)) }
}

/**
 * Adds the vectors of pages, in place of those that the pages had. It takes milliseconds for a few hundred vectors, so
 * add many in several calls.
 */
export function withVectors(
  { parts }: VectorIndex,
  vectors: readonly PlacedVector[],
  replaced: ReadonlySet<string>,
): VectorIndex {
  const kept = parts
    .map((part) => withoutPaths(part, replaced))
    .filter(({ living }) => living > 0)
    .map((part) => (part.living < part.rows / 2 ? partOf(livingVectors(part)) : part))
  const added = vectors.length === 0 ? kept : [...kept, partOf(vectors)]
  const few = added.filter(({ rows }) => rows < small)
  if (few.length < together) return { parts: added }
  return { parts: [...added.filter((part) => !few.includes(part)), partOf(few.flatMap(livingVectors))] }
}

/** Rows from which the usual similarity is taken. */
const sampled = 500
/** Similarities of unrelated texts differ by this at least: of a few rows, the real deviation is not known. */
const leastDeviation = 0.05

/**
 * The sections whose vectors are nearest, the nearest first, of pages that `allowed` lets through. Similarities of one
 * model cannot be compared with those of another, but all can be compared with what is usual for the query: the confidence
 * comes from the standard deviations by which the best page stands out, over the best of as many rows by chance and over
 * the second page.
 */
export function findNearest(
  { parts }: VectorIndex,
  vector: readonly number[],
  limit: number,
  allowed: (path: string) => boolean,
): Omit<VectorRanking, 'kind'> {
  const query = storedVector(vector)
  const comparable = parts.filter(({ dimensions }) => dimensions === query?.numbers.length)
  const rows = comparable.reduce((sum, part) => sum + part.rows, 0)
  if (query === undefined || rows === 0) return { places: [], confidence: 0 }
  const near = rows * query.numbers.length > quick ? candidatesOf(comparable, query) : undefined
  const nearest = comparable
    .flatMap((part, at) => nearestIn(part, query, near?.[at] ?? Array(part.rows).keys(), limit, allowed))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1) || a.slot - b.slot)
    .slice(0, limit)
  const best = nearest[0]
  const second = nearest.find(({ path }) => path !== best?.path)
  if (best === undefined) return { places: [], confidence: 0 }
  const { mean, deviation } = usualSimilarity(comparable, query, rows, best.path)
  const above = (score: number): number => Math.max(0, (score - mean) / deviation)
  const chance = Math.sqrt(2 * Math.log(rows))
  const lead = second === undefined ? 0 : above(best.score) - above(second.score)
  const standout = Math.max(0, above(best.score) - chance) + lead
  return { places: nearest, confidence: confidenceAt(standout) }
}

/**
 * The confidence of vectors that stand out so far. Of questions that a site does not answer, nine in ten stay near 4 or
 * below, and most of the others below 6.5, which is a confidence of 0.3.
 */
function confidenceAt(standout: number): number {
  return Math.min(1, Math.max(0, (standout - 4) / 8))
}

/** How near vectors are to the query, of other pages than the one with this path. */
function usualSimilarity(
  parts: readonly VectorPart[],
  query: StoredVector,
  rows: number,
  path: string,
): { mean: number; deviation: number } {
  const step = Math.max(1, Math.floor(rows / sampled))
  const similarities = parts.flatMap((part) => {
    const page = part.paths.indexOf(path)
    const some: number[] = []
    for (let row = 0; row < part.rows; row += step)
      if (part.pages[row] !== page && part.deleted[part.pages[row] ?? 0] !== 1)
        some.push(similarity(part, row, query))
    return some
  })
  const count = Math.max(1, similarities.length)
  const mean = similarities.reduce((sum, one) => sum + one, 0) / count
  const squares = similarities.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt((squares + leastDeviation ** 2) / count) }
}

function similarity({ dimensions, numbers, scales }: VectorPart, row: number, query: StoredVector): number {
  const wanted = query.numbers
  let sum = 0
  for (let at = 0, from = row * dimensions; at < dimensions; at++, from++)
    sum += (numbers[from] ?? 0) * (wanted[at] ?? 0)
  return sum * (scales[row] ?? 0) * query.scale
}

export function bytesOf({ parts }: VectorIndex): number {
  return parts.reduce(
    (sum, { numbers, signs, rows }) => sum + numbers.length + signs.length * 4 + rows * 10,
    0,
  )
}

function nearestIn(
  part: VectorPart,
  query: StoredVector,
  rows: Iterable<number>,
  limit: number,
  allowed: (path: string) => boolean,
): ScoredPlace[] {
  const { pages, slots, paths, deleted } = part
  const scored: { row: number; score: number }[] = []
  for (const row of rows) {
    if (deleted[pages[row] ?? 0] === 1) continue
    scored.push({ row, score: similarity(part, row, query) })
  }
  scored.sort((a, b) => b.score - a.score || a.row - b.row)
  const places: ScoredPlace[] = []
  for (const { row, score } of scored) {
    const path = paths[pages[row] ?? 0] ?? ''
    if (allowed(path)) places.push({ path, slot: slots[row] ?? 0, score })
    if (places.length >= limit) break
  }
  return places
}

/** By part: the rows whose signs differ least from the query's, about a thousand of all. */
function candidatesOf(parts: readonly VectorPart[], query: StoredVector): number[][] {
  const counts = new Uint32Array(query.numbers.length + 1)
  const distances = parts.map((part) => distancesTo(part, query, counts))
  let most = 0
  for (let sum = 0; most < counts.length && sum < candidates; most++) sum += counts[most] ?? 0
  return distances.map((ofPart) => {
    const near: number[] = []
    for (let row = 0; row < ofPart.length; row++) if ((ofPart[row] ?? 0) < most) near.push(row)
    return near
  })
}

/** By row of a part: how many signs differ from the query's. Also counts the rows by distance. */
function distancesTo(part: VectorPart, { numbers, scale }: StoredVector, counts: Uint32Array): Uint16Array {
  const { rows, dimensions, signs, mean } = part
  const words = Math.ceil(dimensions / 32)
  const wanted = new Int32Array(words)
  writeSigns(wanted, 0, dimensions, (at) => (numbers[at] ?? 0) * scale, mean)
  const distances = new Uint16Array(rows)
  for (let row = 0, start = 0; row < rows; row++, start += words) {
    let distance = 0
    for (let word = 0; word < words; word++) {
      // Counts the bits that differ, in parallel within the word.
      let bits = (signs[start + word] ?? 0) ^ (wanted[word] ?? 0)
      bits -= (bits >>> 1) & 0x55555555
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
      distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
    }
    distances[row] = distance
    counts[distance] = (counts[distance] ?? 0) + 1
  }
  return distances
}

function partOf(given: readonly PlacedVector[]): VectorPart {
  const dimensions = given[0]?.numbers.length ?? 0
  const vectors = given.filter(({ numbers }) => numbers.length === dimensions)
  const [rows, words] = [vectors.length, Math.ceil(dimensions / 32)]
  const numberOf = new Map<string, number>()
  const part: VectorPart = {
    dimensions,
    rows,
    living: rows,
    paths: [],
    pages: new Uint32Array(rows),
    slots: new Uint16Array(rows),
    scales: new Float32Array(rows),
    numbers: new Int8Array(rows * dimensions),
    signs: new Int32Array(rows * words),
    mean: new Float32Array(dimensions),
    deleted: new Uint8Array(),
  }
  const { mean } = part
  vectors.forEach(({ path, slot, scale, numbers }, row) => {
    if (!numberOf.has(path)) numberOf.set(path, numberOf.size)
    part.pages[row] = numberOf.get(path) ?? 0
    part.slots[row] = slot
    part.scales[row] = scale
    part.numbers.set(numbers, row * dimensions)
    for (let at = 0; at < dimensions; at++) mean[at] = (mean[at] ?? 0) + ((numbers[at] ?? 0) * scale) / rows
  })
  vectors.forEach(({ scale, numbers }, row) =>
    writeSigns(part.signs, row * words, dimensions, (at) => (numbers[at] ?? 0) * scale, mean),
  )
  part.paths = [...numberOf.keys()]
  part.deleted = new Uint8Array(part.paths.length)
  return part
}

function writeSigns(
  signs: Int32Array,
  start: number,
  dimensions: number,
  valueAt: (at: number) => number,
  mean: Float32Array,
): void {
  for (let at = 0; at < dimensions; at++)
    if (valueAt(at) > (mean[at] ?? 0))
      signs[start + (at >>> 5)] = (signs[start + (at >>> 5)] ?? 0) | (1 << (at & 31))
}

function withoutPaths(part: VectorPart, paths: ReadonlySet<string>): VectorPart {
  if (!part.paths.some((path) => paths.has(path))) return part
  const deleted = Uint8Array.from(part.deleted, (mark, number) =>
    mark === 1 || paths.has(part.paths[number] ?? '') ? 1 : 0,
  )
  const living = part.pages.reduce((sum, page) => sum + (deleted[page] === 1 ? 0 : 1), 0)
  return { ...part, deleted, living }
}

function livingVectors(part: VectorPart): PlacedVector[] {
  const { rows, dimensions, paths, pages, slots, scales, numbers, deleted } = part
  const vectors: PlacedVector[] = []
  for (let row = 0; row < rows; row++) {
    const page = pages[row] ?? 0
    if (deleted[page] === 1) continue
    const bytes = numbers.subarray(row * dimensions, (row + 1) * dimensions)
    vectors.push({ path: paths[page] ?? '', slot: slots[row] ?? 0, scale: scales[row] ?? 0, numbers: bytes })
  }
  return vectors
}
