import { setImmediate as turn } from 'node:timers/promises'
import type { Page } from '../../../site/pages/page.ts'
import { buildSegment } from './build-segment.ts'
import { mergeSegments } from './merge-segments.ts'
import type { Segment } from './segment.ts'
import { findPath, pathAt } from './segment-strings.ts'
import { weightsOf } from './site-weights.ts'

/**
 * An immutable index: segments, newest last, and which of their pages are deleted (replaced or removed). A change
 * makes a new index; a running search keeps the one that it started with.
 */
export interface SearchIndex {
  parts: IndexPart[]
  /** Pages that can be found. */
  pages: number
  sections: number
  /** Paths of the first pages of the site's navigation, in its order; empty where that is not known. */
  firstPages: readonly string[]
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
/** Bytes of a segment that is merged with others at once: a page of tens of thousands of headings waits as well. */
const mostMerged = 128 * 1024
/** Segments beyond which they are merged however few pages they have. */
const mostParts = 48
/** Pages that are looked up in one turn. */
const inOneTurn = 1000

/** An index of one segment, or of none. */
export function createIndex(segments: Segment[], firstPages: readonly string[] = []): SearchIndex {
  return indexOf(
    segments.map((segment) => ({ segment, deleted: new Uint8Array(segment.pages), deletedPages: 0 })),
    firstPages,
  )
}

/** The same pages, with others at the beginning of the navigation. */
export function withFirstPages(index: SearchIndex, firstPages: readonly string[]): SearchIndex {
  const isSame =
    firstPages.length === index.firstPages.length &&
    firstPages.every((path, at) => path === index.firstPages[at])
  return isSame ? index : { ...index, firstPages }
}

export function withChanges(index: SearchIndex, changes: IndexChanges): SearchIndex {
  // The last page of a path wins, as if the upserts came one after the other.
  const upserts = new Map(changes.upserts.map((page) => [page.path, page]))
  const segment = buildSegment(upserts.values(), weightsOf(index))
  const replaced = [...changes.removals, ...pathsIn(segment, 0, segment.pages)]
  return indexOf(withPart(withoutPaths(index.parts, replaced), segment), index.firstPages)
}

/**
 * The same for many pages, whose segment was built elsewhere. They replace the pages with the same paths. Others have
 * their turn meanwhile.
 */
export async function withSegment(
  index: SearchIndex,
  segment: Segment,
  removals: readonly string[],
): Promise<SearchIndex> {
  let { parts } = await withoutPages(index, removals)
  for (let at = 0; at < segment.pages; at += inOneTurn) {
    parts = withoutPaths(parts, pathsIn(segment, at, at + inOneTurn))
    await turn()
  }
  return indexOf(withPart(parts, segment), index.firstPages)
}

/** An index without some pages. Others have their turn meanwhile. */
export async function withoutPages(index: SearchIndex, removals: readonly string[]): Promise<SearchIndex> {
  if (removals.length === 0) return index
  let { parts } = index
  for (let at = 0; at < removals.length; at += inOneTurn) {
    parts = withoutPaths(parts, removals.slice(at, at + inOneTurn))
    await turn()
  }
  return indexOf(
    parts.filter((part) => part.deletedPages < part.segment.pages),
    index.firstPages,
  )
}

/** Paths of the pages that can be found. Others have their turn meanwhile. */
export async function* pathsOf(index: SearchIndex): AsyncGenerator<string> {
  for (const { segment, deleted } of index.parts) {
    for (let page = 0; page < segment.pages; page++) {
      if (page % inOneTurn === inOneTurn - 1) await turn()
      if (deleted[page] !== 1) yield pathAt(segment, page)
    }
  }
}

function pathsIn(segment: Segment, from: number, to: number): string[] {
  const length = Math.max(0, Math.min(to, segment.pages) - from)
  return Array.from({ length }, (_, page) => pathAt(segment, from + page))
}

function withPart(parts: IndexPart[], segment: Segment): IndexPart[] {
  const living = parts.filter((part) => part.deletedPages < part.segment.pages)
  const added = { segment, deleted: new Uint8Array(segment.pages), deletedPages: 0 }
  return mergeSmall(segment.pages > 0 ? [...living, added] : living)
}

/**
 * Whether to rebuild the index: when deleted pages, and pages outside of the largest segment, are more than 15 % of
 * it, or when it has many segments. Word statistics count deleted pages until then, which changes scores a little.
 */
export function needsCompaction(index: SearchIndex): boolean {
  if (index.parts.length > mostParts) return true
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
  const indexPart = index.parts[part]
  if (indexPart === undefined) throw new Error(`the index has no part ${part}`)
  return indexPart.segment
}

function withoutPaths(parts: IndexPart[], paths: readonly string[]): IndexPart[] {
  return parts.map((part) => partWithout(part, paths))
}

function partWithout(part: IndexPart, paths: readonly string[]): IndexPart {
  const pages = paths
    .map((path) => findPath(part.segment, path))
    .filter((page) => page >= 0 && part.deleted[page] !== 1)
  if (pages.length === 0) return part
  const deleted = part.deleted.slice()
  for (const page of pages) deleted[page] = 1
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
      segment.pages >= tier && segment.pages < tier * together && segment.buffer.byteLength <= mostMerged
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

function indexOf(parts: IndexPart[], firstPages: readonly string[]): SearchIndex {
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
    firstPages,
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
