import type { Page } from '../../../site/pages/page.ts'
import { dimensions, meaningTable } from '../meaning/meaning-table.ts'
import { poolRows, withLengthOne } from '../meaning/pool-rows.ts'
import { createPieceReader } from '../meaning/word-pieces.ts'
import { growingHalves, growingWords } from './growing.ts'
import { isForTable } from './page-language.ts'
import type { Passage } from './passages.ts'
import type { Segment, SegmentSizes } from './segment.ts'
import { heldPieces, noRowCounts, siteWeights, writeCounts, type SiteWeights } from './site-weights.ts'

/** Makes the vectors of sections, in two passes: rare words count more, and which are rare is only known at the end. */
export interface RowBuilder {
  addPage(page: Page, passages: readonly Passage[]): void
  sizes(): Pick<SegmentSizes, 'rows' | 'pieces'>
  /** @param beat is called now and then: thousands of pages take long */
  writeTo(segment: Segment, beat?: () => void): void
}

/** Rows between two calls of `beat`. */
const beatEvery = 5000
/** Bounds for generated pages: sections of a page that have rows, and pieces of a title and of the headings above a section. */
const mostRows = 2000
const mostPieces = 64

/** @param site what is usual in the index to which the pages are added; without it, what is usual among them */
export function createRowBuilder(site?: SiteWeights): RowBuilder {
  const table = meaningTable()
  const reader = createPieceReader(table)
  const pageRows = growingWords()
  // The pieces of all rows one after the other: title, headings, text.
  const pieces = growingHalves()
  const textStarts = growingWords()
  const ends = growingWords()
  const counts = noRowCounts()
  const { holders, headingSum } = counts
  const lastHolder = new Uint32Array(holders.length)

  const piecesAt = (from: number, to: number): Uint16Array =>
    Uint16Array.from({ length: to - from }, (_, at) => pieces.at(from + at))
  const startOf = (row: number): number => (row === 0 ? 0 : ends.at(row - 1))

  const headingOf = (row: number): Float32Array => poolRows(table, piecesAt(startOf(row), textStarts.at(row)))
  const addRow = (title: readonly number[], { headings, text }: Passage): void => {
    for (const piece of title) pieces.push(piece)
    for (const piece of reader.read(headings.join(' – ')).slice(0, mostPieces)) pieces.push(piece)
    textStarts.push(pieces.length)
    for (const piece of reader.read(text)) pieces.push(piece)
    ends.push(pieces.length)
    const row = ends.length
    counts.rows = row
    for (let at = startOf(row - 1); at < pieces.length; at++) {
      const piece = pieces.at(at)
      if (lastHolder[piece] === row) continue
      lastHolder[piece] = row
      holders[piece] = (holders[piece] ?? 0) + 1
    }
    headingOf(row - 1).forEach((value, at) => (headingSum[at] = (headingSum[at] ?? 0) + value))
  }

  return {
    addPage(page, passages) {
      pageRows.push(ends.length)
      if (!isForTable(table, sampleOf(page, passages), page.language)) return
      const title = reader.read(page.title).slice(0, mostPieces)
      for (const passage of passages.slice(0, mostRows)) addRow(title, passage)
    },
    sizes: () => ({ rows: ends.length, pieces: heldPieces(counts).length }),
    writeTo(segment, beat) {
      const { rarities, usualHeading } = site ?? siteWeights(counts)
      pageRows.copyTo(segment.pageRows)
      segment.pageRows[pageRows.length] = ends.length
      writeCounts(counts, segment)
      for (let row = 0; row < ends.length; row++) {
        if (row % beatEvery === beatEvery - 1) beat?.()
        const whole = poolRows(table, piecesAt(startOf(row), ends.at(row)), rarities)
        segment.textScales[row] = writeRow(segment.textVectors, row, whole)
        const heading = unusual(headingOf(row), usualHeading)
        segment.headingScales[row] = writeRow(segment.headingVectors, row, heading)
      }
    },
  }
}

/** What headings are about, less what those of the site are about; changes the vector. */
function unusual(heading: Float32Array, usual: Float32Array): Float32Array {
  for (let at = 0; at < heading.length; at++) heading[at] = (heading[at] ?? 0) - (usual[at] ?? 0)
  return withLengthOne(heading)
}

/** Writes a vector as bytes. @returns their scale */
function writeRow(rows: Int8Array, row: number, vector: Float32Array): number {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return 0
  const factor = 127 / largest
  for (let at = 0; at < dimensions; at++) rows[row * dimensions + at] = Math.round((vector[at] ?? 0) * factor)
  return largest / 127
}

function sampleOf({ title }: Page, passages: readonly Passage[]): string {
  return [title, ...passages.slice(0, 20).map(({ headings, text }) => `${headings.join(' ')}\n${text}`)].join(
    '\n',
  )
}
