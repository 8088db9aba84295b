import type { Page } from '../../../site/pages/page.ts'
import { buildSegment } from './build-segment.ts'
import { mergeSegments } from './merge-segments.ts'
import type { Segment } from './segment.ts'
import { findPath, pathAt } from './segment-strings.ts'

/**
 * An immutable index: segments, newest last, and which of their pages are deleted (replaced or removed). A change
 * makes a new index; a running search keeps the one that it started with.
 */
export interface SearchIndex {
  parts: IndexPart[]
  /** Pages that can be found. */
  pages: number
  sections: number
  /** Average lengths in words over the living pages. */
  averages: { title: number; path: number; headings: number; body: number; section: number }
  /** Cached inverse document frequencies of the words of titles and headings. */
  idfs: Map<string, number>
}

interface IndexPart {
  segment: Segment
  /** One byte per page, 1 when it is deleted. */
  deleted: Uint8Array
  deletedPages: number
}

/** Pages to add, or to replace the page of the same path with, and paths to remove. */
export interface IndexChanges {
  upserts: Page[]
  removals: string[]
}

/** Segments below this many pages are merged while a change is applied; larger merges wait for compaction. */
const mergedAtOnce = 64
const together = 8

/** An index of one segment, or of none. */
export function createIndex(segments: Segment[]): SearchIndex {
  return indexOf(
    segments.map((segment) => ({ segment, deleted: new Uint8Array(segment.pages), deletedPages: 0 })),
  )
}

export function withChanges(index: SearchIndex, changes: IndexChanges): SearchIndex {
  // The last page of a path wins, as if the upserts came one after the other.
  const upserts = new Map(changes.upserts.map((page) => [page.path, page]))
  return withSegment(index, buildSegment(upserts.values()), changes.removals)
}

/** The same for many pages, whose segment was built elsewhere. They replace the pages with the same paths. */
export function withSegment(index: SearchIndex, segment: Segment, removals: string[]): SearchIndex {
  const replaced = Array.from({ length: segment.pages }, (_, page) => pathAt(segment, page))
  const kept = index.parts
    .map((part) => withoutPaths(part, [...removals, ...replaced]))
    .filter((part) => part.deletedPages < part.segment.pages)
  const added = { segment, deleted: new Uint8Array(segment.pages), deletedPages: 0 }
  return indexOf(mergeSmall(segment.pages > 0 ? [...kept, added] : kept))
}

/**
 * Whether to rebuild the index: when deleted pages, and pages outside of the largest segment, are more than 15 % of
 * it. Word statistics count deleted pages until then, which changes scores a little.
 */
export function needsCompaction(index: SearchIndex): boolean {
  const largest = Math.max(0, ...index.parts.map((part) => part.segment.pages))
  const deleted = index.parts.reduce((sum, part) => sum + part.deletedPages, 0)
  const living = index.parts.reduce((sum, part) => sum + part.segment.pages - part.deletedPages, 0)
  const outside = index.parts.length > 1 ? Math.max(0, living + deleted - largest) : 0
  return largest > mergedAtOnce * 4 && deleted + outside > 0.15 * largest
}

/** Merges the index into one segment without deleted pages. Slow on a large index. */
export function compact(index: SearchIndex): Segment {
  return mergeSegments(index.parts)
}

export function segmentOf(index: SearchIndex, part: number): Segment {
  const found = index.parts[part]
  if (found === undefined) throw new Error(`the index has no part ${part}`)
  return found.segment
}

function withoutPaths(part: IndexPart, paths: string[]): IndexPart {
  const found = paths
    .map((path) => findPath(part.segment, path))
    .filter((page) => page >= 0 && part.deleted[page] !== 1)
  if (found.length === 0) return part
  const deleted = part.deleted.slice()
  for (const page of found) deleted[page] = 1
  const deletedPages = deleted.reduce((sum, mark) => sum + mark, 0)
  return { segment: part.segment, deleted, deletedPages }
}

/**
 * Merges eight segments of similar size (the same power of eight) into one. So a page is copied at most three times
 * in all, and most changes copy nothing.
 */
function mergeSmall(parts: IndexPart[]): IndexPart[] {
  let merged = parts
  for (let tier = 1; tier * together <= mergedAtOnce; tier *= together) {
    const isOfTier = ({ segment }: IndexPart): boolean =>
      segment.pages >= tier && segment.pages < tier * together
    const small = merged.filter(isOfTier)
    if (small.length < together) continue
    const segment = mergeSegments(small)
    merged = [
      ...merged.filter((part) => !isOfTier(part)),
      { segment, deleted: new Uint8Array(segment.pages), deletedPages: 0 },
    ]
  }
  return merged
}

function indexOf(parts: IndexPart[]): SearchIndex {
  const sums = { title: 0, headings: 0, path: 0, body: 0 }
  let pages = 0
  let sections = 0
  for (const { segment, deleted } of parts) {
    const { pageLengths, pageSections } = segment
    for (let page = 0; page < segment.pages; page++) {
      if (deleted[page] === 1) continue
      pages += 1
      sections += (pageSections[page + 1] ?? 0) - (pageSections[page] ?? 0)
      sums.title += pageLengths[page * 4] ?? 0
      sums.headings += pageLengths[page * 4 + 1] ?? 0
      sums.path += pageLengths[page * 4 + 2] ?? 0
      sums.body += pageLengths[page * 4 + 3] ?? 0
    }
  }
  const average = (sum: number, count: number): number => (sum > 0 && count > 0 ? sum / count : 1)
  return {
    parts,
    pages,
    sections,
    idfs: new Map(),
    averages: {
      title: average(sums.title, pages),
      headings: average(sums.headings, pages),
      path: average(sums.path, pages),
      body: average(sums.body, pages),
      section: average(sums.body, sections),
    },
  }
}
