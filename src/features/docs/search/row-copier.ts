import { dimensions } from '../meaning/meaning-table.ts'
import type { Segment, SegmentSizes } from './segment.ts'
import { addCounts, heldPieces, noRowCounts, writeCounts } from './site-weights.ts'

/** Copies the vectors of sections from other segments as they are: what is usual there, the site's weights, stays in them. */
export interface RowCopier {
  /** Copies some pages of a segment, and their share of what is counted there. */
  addPages(from: Segment, isKept: (page: number) => boolean): void
  sizes(): Pick<SegmentSizes, 'rows' | 'pieces'>
  writeTo(segment: Segment): void
}

export function createRowCopier(): RowCopier {
  const pages: { from: Segment; first: number; end: number }[] = []
  const counts = noRowCounts()
  return {
    addPages(from, isKept) {
      let kept = 0
      for (let page = 0; page < from.pages; page++) {
        if (!isKept(page)) continue
        const [first = 0, end = 0] = from.pageRows.subarray(page, page + 2)
        pages.push({ from, first, end })
        kept += end - first
      }
      if (kept > 0) addCounts(counts, from, kept / from.textScales.length)
    },
    sizes: () => ({ rows: counts.rows, pieces: heldPieces(counts).length }),
    writeTo(segment) {
      let row = 0
      for (const [page, { from, first, end }] of pages.entries()) {
        segment.pageRows[page] = row
        const bytes = [first * dimensions, end * dimensions] as const
        segment.textVectors.set(from.textVectors.subarray(...bytes), row * dimensions)
        segment.headingVectors.set(from.headingVectors.subarray(...bytes), row * dimensions)
        segment.textScales.set(from.textScales.subarray(first, end), row)
        segment.headingScales.set(from.headingScales.subarray(first, end), row)
        row += end - first
      }
      segment.pageRows[pages.length] = row
      writeCounts(counts, segment)
    },
  }
}
