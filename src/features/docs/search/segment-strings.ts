import type { Segment } from './segment.ts'

export interface PageStrings {
  path: string
  url: string
  title: string
}

export interface SectionStrings {
  headings: string[]
  anchor: string | undefined
}

export function pageStringsOf(segment: Segment, page: number): PageStrings {
  const { pageStrings, pageBytes } = segment
  return {
    path: stringAt(pageStrings, pageBytes, page * 3),
    url: stringAt(pageStrings, pageBytes, page * 3 + 1),
    title: stringAt(pageStrings, pageBytes, page * 3 + 2),
  }
}

export function sectionStringsOf(segment: Segment, section: number): SectionStrings {
  const { sectionStrings, sectionBytes } = segment
  const anchor = stringAt(sectionStrings, sectionBytes, section * 3 + 1)
  return {
    headings: headingsAt(segment, section),
    anchor: anchor === '' ? undefined : anchor,
  }
}

/** The text of a passage with the space around it, as it stands in its section. */
export function passageText(segment: Segment, passage: number): string {
  return stringAt(segment.sectionStrings, segment.sectionBytes, passage * 3 + 2)
}

export function headingsAt(segment: Segment, section: number): string[] {
  const headings = stringAt(segment.sectionStrings, segment.sectionBytes, section * 3)
  return headings === '' ? [] : headings.split('\u001f')
}

export function pathAt(segment: Segment, page: number): string {
  return stringAt(segment.pageStrings, segment.pageBytes, page * 3)
}

export function titleAt(segment: Segment, page: number): string {
  return stringAt(segment.pageStrings, segment.pageBytes, page * 3 + 2)
}

/** The label of a number; number 0 is the empty string. */
export function labelAt(segment: Segment, label: number): string {
  return stringAt(segment.labelStrings, segment.labelBytes, label)
}

/** Number of a term in the segment, or -1. */
export function findTerm(segment: Segment, term: Uint8Array): number {
  const at = lowerBound(segment.terms, (i) => compareAt(segment.termStarts, segment.termBytes, i, term) < 0)
  return at < segment.terms && compareAt(segment.termStarts, segment.termBytes, at, term) === 0 ? at : -1
}

/** The range of terms that start with the given bytes: `[from, to)`. */
export function termsWithPrefix(segment: Segment, prefix: Uint8Array): { from: number; to: number } {
  const { termStarts, termBytes } = segment
  const starts = (i: number): number => {
    const start = termStarts[i] ?? 0
    const end = Math.min(termStarts[i + 1] ?? 0, start + prefix.length)
    return compareBytes(termBytes, start, end, prefix)
  }
  const from = lowerBound(segment.terms, (i) => starts(i) < 0)
  return { from, to: lowerBound(segment.terms, (i) => starts(i) <= 0) }
}

export function compareTerms(a: Segment, termA: number, b: Segment, termB: number): number {
  return compareAt(a.termStarts, a.termBytes, termA, pieceOf(b.termStarts, b.termBytes, termB))
}

export function termAt(segment: Segment, term: number): string {
  return stringAt(segment.termStarts, segment.termBytes, term)
}

/** The posting of a page among those of a term, or -1. */
export function findPosting(segment: Segment, term: number, page: number): number {
  if (term < 0) return -1
  let from = segment.postingStarts[term] ?? 0
  let to = segment.postingStarts[term + 1] ?? 0
  const end = to
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((segment.postingPages[middle] ?? 0) < page) from = middle + 1
    else to = middle
  }
  return from < end && segment.postingPages[from] === page ? from : -1
}

/** Page of the given path, or -1. */
export function findPath(segment: Segment, path: string): number {
  return findPage(segment, segment.pathOrder, 0, path)
}

/** Page of the given url, or -1. */
export function findUrl(segment: Segment, url: string): number {
  return findPage(segment, segment.urlOrder, 1, url)
}

/** Fills the sorted orders that findPath and findUrl search. */
export function sortPages(segment: Segment): void {
  for (const [order, string] of [
    [segment.pathOrder, 0],
    [segment.urlOrder, 1],
  ] as const) {
    const keys = Array.from({ length: segment.pages }, (_, page) =>
      pieceOf(segment.pageStrings, segment.pageBytes, page * 3 + string),
    )
    const pages = Array.from({ length: segment.pages }, (_, page) => page)
    pages.sort((a, b) => compareKeys(keys[a], keys[b]) || a - b)
    order.set(pages)
  }
}

export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function findPage(segment: Segment, order: Uint32Array, string: number, text: string): number {
  const key = utf8(text)
  const compare = (i: number): number =>
    compareAt(segment.pageStrings, segment.pageBytes, (order[i] ?? 0) * 3 + string, key)
  const at = lowerBound(segment.pages, (i) => compare(i) < 0)
  return at < segment.pages && compare(at) === 0 ? (order[at] ?? -1) : -1
}

/** The bytes of one string of a table. */
export function pieceOf(starts: Uint32Array, bytes: Uint8Array, index: number): Uint8Array {
  return bytes.subarray(starts[index], starts[index + 1])
}

function compareKeys(a: Uint8Array | undefined, b: Uint8Array | undefined): number {
  return a === undefined || b === undefined ? 0 : compareBytes(a, 0, a.length, b)
}

function stringAt(starts: Uint32Array, bytes: Uint8Array, index: number): string {
  return decoder.decode(bytes.subarray(starts[index], starts[index + 1]))
}

function compareAt(starts: Uint32Array, bytes: Uint8Array, index: number, key: Uint8Array): number {
  return compareBytes(bytes, starts[index] ?? 0, starts[index + 1] ?? 0, key)
}

function compareBytes(bytes: Uint8Array, start: number, end: number, key: Uint8Array): number {
  const shared = Math.min(end - start, key.length)
  for (let i = 0; i < shared; i++) {
    const difference = (bytes[start + i] ?? 0) - (key[i] ?? 0)
    if (difference !== 0) return difference
  }
  return end - start - key.length
}

/** First index in [0, end) for which `before` no longer holds. */
function lowerBound(end: number, before: (index: number) => boolean): number {
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (before(middle)) low = middle + 1
    else high = middle
  }
  return low
}
