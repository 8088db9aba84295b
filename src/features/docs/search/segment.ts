import { dimensions } from '../meaning/meaning-table.ts'
import { signatureLength } from './signature.ts'
import { AppError } from '../../../lib/errors.ts'
import { randomText } from '../../../lib/ids.ts'
import { open, rename } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/**
 * An immutable part of an index. It consists of typed arrays over one buffer, so that it can be sent to a thread or
 * written to a file as it is. Terms are sorted by their UTF-8 bytes. A term's postings are pages in order, each
 * with its range of section postings. Sections are the passages of all pages in order.
 */
export interface Segment {
  buffer: ArrayBuffer
  pages: number
  sections: number
  terms: number

  termStarts: Uint32Array
  termBytes: Uint8Array
  /** For each term: where its pages start in `postingPages`. */
  postingStarts: Uint32Array
  postingPages: Uint32Array
  /** How often the term occurs in the page's title (bits 0–2), path (3–5) and headings (6–15). */
  postingFields: Uint16Array
  /** Per posting: where its sections start in `sectionSlots` and `sectionCounts`. */
  postingSections: Uint32Array
  /** Number of the section inside its page. */
  sectionSlots: Uint16Array
  /** How often the term occurs in the section: body (bits 0–5) and headings (6–7). */
  sectionCounts: Uint8Array

  /** Per page: its first section. */
  pageSections: Uint32Array
  /** Per page four lengths in words: title, headings, path, body. */
  pageLengths: Uint32Array
  /** Per page three strings: path, url, title. */
  pageStrings: Uint32Array
  pageBytes: Uint8Array
  /** Per page: language and version as numbers in the label table, 0 for none. */
  pageLabels: Uint32Array
  /** Per page: where the numbers of its groups and tags start in `groups` (see page-labels.ts). */
  groupStarts: Uint32Array
  groups: Uint32Array
  /** The label table; number 0 is the empty string. */
  labelStrings: Uint32Array
  labelBytes: Uint8Array
  /** Pages sorted by the bytes of their path, and of their url. */
  pathOrder: Uint32Array
  urlOrder: Uint32Array

  /** Per page: numbers by which pages of nearly the same words are recognised (see near-equal.ts). */
  pageSignatures: Uint16Array

  /** Per section: body length in words. */
  sectionLengths: Uint32Array
  /** Per section: 1, or 0 where it continues the section before it. */
  sectionOpens: Uint8Array
  /** Per section three strings: headings (separated by U+001F), anchor, text. */
  sectionStrings: Uint32Array
  sectionBytes: Uint8Array

  /** Per page: its first row of vectors. Its first sections have one each (see row-builder.ts), or none has. */
  pageRows: Uint32Array
  /** Per row: what the section is about, and what its title and headings are about (see section-meanings.ts). */
  textVectors: Int8Array
  textScales: Float32Array
  headingVectors: Int8Array
  headingScales: Float32Array
  /** Pieces of words in the sections that have rows, in order, and how many of these hold each. */
  pieces: Uint32Array
  pieceHolders: Uint32Array
  /** The sum of what the headings of all rows are about; empty without rows. */
  headingSum: Float32Array
}

/** How long each array of a new segment is, in elements. */
export interface SegmentSizes {
  pages: number
  sections: number
  terms: number
  termBytes: number
  postings: number
  sectionPostings: number
  groups: number
  labels: number
  pageBytes: number
  labelBytes: number
  sectionBytes: number
  rows: number
  pieces: number
}

/** An empty segment of the given sizes for a builder to fill. */
export function allocateSegment(sizes: SegmentSizes): Segment {
  const layout = layoutOf(sizes)
  const buffer = new ArrayBuffer(layout.bytes)
  const header = new Uint32Array(buffer, 0, headerWords)
  header.set([
    magic,
    formatVersion,
    0,
    layout.bytes % 2 ** 32,
    Math.floor(layout.bytes / 2 ** 32),
    ...sizeList(sizes),
  ])
  return viewsOf(buffer, sizes, layout.starts)
}

/**
 * Opens the segment in a buffer as a view, without parsing or copying. Throws when the buffer is not a complete
 * segment of this format. It does not verify the checksum (readSegment does, for files).
 */
export function openSegment(buffer: ArrayBuffer): Segment {
  if (buffer.byteLength < headerWords * 4) throw damaged('is too short')
  const header = new Uint32Array(buffer, 0, headerWords)
  if (header[0] !== magic) throw damaged('is not an index segment')
  if (header[1] !== formatVersion) throw damaged('was written by another version')
  const size = (name: number): number => header[5 + name] ?? 0
  const sizes: SegmentSizes = {
    pages: size(0),
    sections: size(1),
    terms: size(2),
    termBytes: size(3),
    postings: size(4),
    sectionPostings: size(5),
    groups: size(6),
    labels: size(7),
    pageBytes: size(8),
    labelBytes: size(9),
    sectionBytes: size(10),
    rows: size(11),
    pieces: size(12),
  }
  const layout = layoutOf(sizes)
  if (layout.bytes !== buffer.byteLength) throw damaged('is cut short or too long')
  return viewsOf(buffer, sizes, layout.starts)
}

/** 32-bit words before the first array. The third one is the checksum of everything after it; zero in memory. */
const headerWords = 24
const checksumWord = 2

function damaged(how: string): AppError {
  return new AppError('internal', `The search index file ${how}; build the index again from its pages.`)
}

const magic = 0x44575347
const formatVersion = 4

function sizeList(sizes: SegmentSizes): number[] {
  return [
    sizes.pages,
    sizes.sections,
    sizes.terms,
    sizes.termBytes,
    sizes.postings,
    sizes.sectionPostings,
    sizes.groups,
    sizes.labels,
    sizes.pageBytes,
    sizes.labelBytes,
    sizes.sectionBytes,
    sizes.rows,
    sizes.pieces,
  ]
}

/** Byte lengths of the arrays, in the order in which viewsOf takes them. */
function layoutOf(sizes: SegmentSizes): { starts: number[]; bytes: number } {
  const { pages, sections, terms, postings, sectionPostings, rows } = sizes
  const lengths = [
    (terms + 1) * 4,
    sizes.termBytes,
    (terms + 1) * 4,
    postings * 4,
    postings * 2,
    (postings + 1) * 4,
    sectionPostings * 2,
    sectionPostings,
    (pages + 1) * 4,
    pages * 4 * 4,
    (pages * 3 + 1) * 4,
    sizes.pageBytes,
    pages * 2 * 4,
    (pages + 1) * 4,
    sizes.groups * 4,
    (sizes.labels + 1) * 4,
    sizes.labelBytes,
    pages * 4,
    pages * 4,
    pages * signatureLength * 2,
    sections * 4,
    sections,
    (sections * 3 + 1) * 4,
    sizes.sectionBytes,
    (pages + 1) * 4,
    rows * dimensions,
    rows * 4,
    rows * dimensions,
    rows * 4,
    sizes.pieces * 4,
    sizes.pieces * 4,
    sumOf(rows) * 4,
  ]
  const starts: number[] = []
  let bytes = headerWords * 4
  for (const length of lengths) {
    starts.push(bytes)
    bytes += Math.ceil(length / 8) * 8
  }
  return { starts, bytes }
}

function viewsOf(buffer: ArrayBuffer, sizes: SegmentSizes, starts: number[]): Segment {
  const { pages, sections, terms, postings, sectionPostings, rows } = sizes
  let column = 0
  const bytes = (length: number) => new Uint8Array(buffer, starts[column++], length)
  const halves = (length: number) => new Uint16Array(buffer, starts[column++], length)
  const words = (length: number) => new Uint32Array(buffer, starts[column++], length)
  const signed = (length: number) => new Int8Array(buffer, starts[column++], length)
  const floats = (length: number) => new Float32Array(buffer, starts[column++], length)
  return {
    buffer,
    pages,
    sections,
    terms,
    termStarts: words(terms + 1),
    termBytes: bytes(sizes.termBytes),
    postingStarts: words(terms + 1),
    postingPages: words(postings),
    postingFields: halves(postings),
    postingSections: words(postings + 1),
    sectionSlots: halves(sectionPostings),
    sectionCounts: bytes(sectionPostings),
    pageSections: words(pages + 1),
    pageLengths: words(pages * 4),
    pageStrings: words(pages * 3 + 1),
    pageBytes: bytes(sizes.pageBytes),
    pageLabels: words(pages * 2),
    groupStarts: words(pages + 1),
    groups: words(sizes.groups),
    labelStrings: words(sizes.labels + 1),
    labelBytes: bytes(sizes.labelBytes),
    pathOrder: words(pages),
    urlOrder: words(pages),
    pageSignatures: halves(pages * signatureLength),
    sectionLengths: words(sections),
    sectionOpens: bytes(sections),
    sectionStrings: words(sections * 3 + 1),
    sectionBytes: bytes(sizes.sectionBytes),
    pageRows: words(pages + 1),
    textVectors: signed(rows * dimensions),
    textScales: floats(rows),
    headingVectors: signed(rows * dimensions),
    headingScales: floats(rows),
    pieces: words(sizes.pieces),
    pieceHolders: words(sizes.pieces),
    headingSum: floats(sumOf(rows)),
  }
}

function sumOf(rows: number): number {
  return rows === 0 ? 0 : dimensions
}

/** Large enough to be fast, small enough that the checksum of one chunk does not block other requests. */
const chunk = 4 * 2 ** 20

/** Writes the segment to a file atomically: on failure, the file that was there before stays. */
export async function writeSegment(segment: Segment, path: string): Promise<void> {
  const bytes = new Uint8Array(segment.buffer)
  const header = new Uint32Array(segment.buffer.slice(0, headerWords * 4))
  header[checksumWord] = await checksum(bytes)
  // Processes that share the folder may build the same one at once, and in containers they have the same ids.
  const unfinished = `${path}.${randomText(8)}.tmp`
  await using file = await open(unfinished, 'w')
  await file.writev([new Uint8Array(header.buffer)])
  for (let at = headerWords * 4; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes.subarray(at, at + chunk))
    at += bytesWritten
  }
  await file.sync()
  await rename(unfinished, path)
}

/** Reads the segment of a file and verifies its checksum. Throws AppError when the file is damaged. */
export async function readSegment(path: string): Promise<Segment> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(bytes, at, Math.min(chunk, size - at))
    if (bytesRead === 0) throw damaged('is cut short')
    at += bytesRead
  }
  const segment = openSegment(bytes.buffer)
  if (new Uint32Array(bytes.buffer, 0, headerWords)[checksumWord] !== (await checksum(bytes))) {
    throw damaged('does not match its checksum')
  }
  return segment
}

async function checksum(bytes: Uint8Array): Promise<number> {
  let sum = 0
  for (let at = (checksumWord + 1) * 4; at < bytes.length; at += chunk) {
    sum = crc32(bytes.subarray(at, at + chunk), sum)
    await new Promise(setImmediate)
  }
  return sum
}
