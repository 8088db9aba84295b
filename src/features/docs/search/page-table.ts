import { growingBytes, growingHalves, growingStrings, growingWords } from './growing.ts'
import type { Segment, SegmentSizes } from './segment.ts'
import { sortPages } from './segment-strings.ts'

/** A row of the page table. Strings: path, url, title. Lengths in words: title, headings, path, body. */
interface PageRow {
  strings: (string | Uint8Array)[]
  lengths: Iterable<number>
  language: string
  version: string
  labels: string[]
  signature: Uint16Array
}

/** Collects what a segment keeps of its pages and sections beside the postings. */
export interface PageTable {
  addPage: (row: PageRow) => void
  /** A section of the page added last. Strings: headings (joined by U+001F), anchor, text. */
  addSection: (strings: (string | Uint8Array)[], length: number, opens: boolean) => void
  sizes: () => Omit<SegmentSizes, 'terms' | 'termBytes' | 'postings' | 'sectionPostings' | 'rows' | 'pieces'>
  writeTo: (segment: Segment) => void
}

export function createPageTable(): PageTable {
  const pages = growingStrings()
  const labels = growingStrings()
  const sections = growingStrings()
  const labelNumbers = new Map<string, number>()
  const pageSections = growingWords()
  const pageLengths = growingWords()
  const pageLabels = growingWords()
  const groupStarts = growingWords()
  const groups = growingWords()
  const signatures = growingHalves()
  const sectionLengths = growingWords()
  const sectionOpens = growingBytes()

  function labelOf(label: string): number {
    const known = labelNumbers.get(label)
    if (known !== undefined) return known
    const number = labelNumbers.size
    labelNumbers.set(label, number)
    labels.push(label)
    return number
  }
  labelOf('')

  return {
    addPage(row) {
      pageSections.push(sectionLengths.length)
      for (const length of row.lengths) pageLengths.push(length)
      for (const string of row.strings) keep(pages, string)
      pageLabels.push(labelOf(row.language))
      pageLabels.push(labelOf(row.version))
      groupStarts.push(groups.length)
      for (const label of row.labels) groups.push(labelOf(label))
      for (const number of row.signature) signatures.push(number)
    },
    addSection(strings, length, opens) {
      sectionLengths.push(length)
      sectionOpens.push(opens ? 1 : 0)
      for (const string of strings) keep(sections, string)
    },
    sizes() {
      return {
        pages: pageSections.length,
        sections: sectionLengths.length,
        groups: groups.length,
        labels: labels.length,
        pageBytes: pages.bytes,
        labelBytes: labels.bytes,
        sectionBytes: sections.bytes,
      }
    },
    writeTo(segment) {
      pages.copyTo(segment.pageStrings, segment.pageBytes)
      labels.copyTo(segment.labelStrings, segment.labelBytes)
      sections.copyTo(segment.sectionStrings, segment.sectionBytes)
      pageSections.copyTo(segment.pageSections)
      segment.pageSections[pageSections.length] = sectionLengths.length
      pageLengths.copyTo(segment.pageLengths)
      pageLabels.copyTo(segment.pageLabels)
      groupStarts.copyTo(segment.groupStarts)
      segment.groupStarts[groupStarts.length] = groups.length
      groups.copyTo(segment.groups)
      signatures.copyTo(segment.pageSignatures)
      sectionLengths.copyTo(segment.sectionLengths)
      sectionOpens.copyTo(segment.sectionOpens)
      sortPages(segment)
    },
  }
}

function keep(
  target: { push: (text: string) => void; pushBytes: (text: Uint8Array) => void },
  text: string | Uint8Array,
): void {
  if (typeof text === 'string') target.push(text)
  else target.pushBytes(text)
}
