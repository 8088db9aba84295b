import { dimensions, meaningTable } from '../meaning/meaning-table.ts'
import type { Segment } from './segment.ts'

/** What is usual on a site, so that it tells no pages apart. */
export interface SiteWeights {
  /** By piece of a word: the more, the fewer sections hold it. */
  rarities: Float32Array
  /** The mean of what titles and headings are about. */
  usualHeading: Float32Array
}

/** How many of some sections hold each piece, and the sum of what their headings are about. */
export interface RowCounts {
  rows: number
  holders: Uint32Array
  headingSum: Float32Array
}

export function noRowCounts(): RowCounts {
  return {
    rows: 0,
    holders: new Uint32Array(meaningTable().scales.length),
    headingSum: new Float32Array(dimensions),
  }
}

export function siteWeights({ rows, holders, headingSum }: RowCounts): SiteWeights {
  return {
    rarities: Float32Array.from(holders, (count) => Math.log(1 + rows / (count + 1))),
    usualHeading: headingSum.map((sum) => (rows === 0 ? 0 : sum / rows)),
  }
}

interface Parts {
  parts: readonly { segment: Segment }[]
}

const known = new WeakMap<Parts, { weights: SiteWeights | undefined }>()

/** Of all pages of an index, counted once; undefined where no section has vectors. */
export function weightsOf(index: Parts): SiteWeights | undefined {
  const before = known.get(index)
  if (before !== undefined) return before.weights
  const weights = index.parts.some(({ segment }) => segment.textScales.length > 0)
    ? siteWeights(countsOf(index))
    : undefined
  known.set(index, { weights })
  return weights
}

function countsOf({ parts }: Parts): RowCounts {
  const counts = noRowCounts()
  for (const { segment } of parts) if (segment.textScales.length > 0) addCounts(counts, segment, 1)
  return counts
}

/** Adds a share of what is counted in a segment. */
export function addCounts(counts: RowCounts, segment: Segment, share: number): void {
  const { pieces, pieceHolders, headingSum, textScales } = segment
  counts.rows += Math.round(textScales.length * share)
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] ?? 0
    counts.holders[piece] = (counts.holders[piece] ?? 0) + Math.round((pieceHolders[at] ?? 0) * share)
  }
  for (let at = 0; at < headingSum.length; at++)
    counts.headingSum[at] = (counts.headingSum[at] ?? 0) + (headingSum[at] ?? 0) * share
}

/** The pieces that are counted at all. */
export function heldPieces({ holders }: RowCounts): number[] {
  return Array.from(holders.keys()).filter((piece) => holders[piece] !== 0)
}

export function writeCounts(counts: RowCounts, segment: Segment): void {
  const held = heldPieces(counts)
  segment.pieces.set(held)
  segment.pieceHolders.set(held.map((piece) => counts.holders[piece] ?? 0))
  if (counts.rows > 0) segment.headingSum.set(counts.headingSum)
}
