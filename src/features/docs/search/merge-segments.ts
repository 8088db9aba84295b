import { growingBytes, growingHalves, growingStrings, growingWords } from './growing.ts'
import { createPageTable, type PageTable } from './page-table.ts'
import { createRowCopier } from './row-copier.ts'
import { allocateSegment, type Segment } from './segment.ts'
import { signatureLength } from './signature.ts'
import { compareTerms, labelAt, pieceOf } from './segment-strings.ts'

/** A segment and its deleted pages (one byte per page, 1 when deleted), as an index holds it. */
interface IndexedSegment {
  segment: Segment
  deleted: Uint8Array
}

/** Merges the pages of all segments that are not deleted into one, in order, without tokenising them again. */
export function mergeSegments(parts: IndexedSegment[]): Segment {
  const table = createPageTable()
  const rows = createRowCopier()
  let pages = 0
  const sources = parts.map(({ segment, deleted }): Source => {
    const numbers = new Int32Array(segment.pages).fill(-1)
    for (let page = 0; page < segment.pages; page++) {
      if (deleted[page] === 1) continue
      copyPage(table, segment, page)
      numbers[page] = pages
      pages += 1
    }
    rows.addPages(segment, (page) => deleted[page] !== 1)
    return { segment, numbers, term: 0 }
  })
  const postings = mergePostings(sources)
  const segment = allocateSegment({ ...postings.sizes, ...table.sizes(), ...rows.sizes() })
  postings.writeTo(segment)
  table.writeTo(segment)
  rows.writeTo(segment)
  return segment
}

/** A segment that is being merged: the new numbers of its pages (-1 when deleted) and its next term. */
interface Source {
  segment: Segment
  numbers: Int32Array
  term: number
}

function copyPage(table: PageTable, segment: Segment, page: number): void {
  const { pageLengths, pageStrings, pageBytes, pageLabels, groupStarts, groups } = segment
  const { pageSections, pageSignatures, sectionLengths, sectionOpens, sectionStrings, sectionBytes } = segment
  table.addPage({
    strings: [0, 1, 2].map((string) => pieceOf(pageStrings, pageBytes, page * 3 + string)),
    lengths: pageLengths.subarray(page * 4, page * 4 + 4),
    language: labelAt(segment, pageLabels[page * 2] ?? 0),
    version: labelAt(segment, pageLabels[page * 2 + 1] ?? 0),
    labels: Array.from(groups.subarray(groupStarts[page], groupStarts[page + 1]), (group) =>
      labelAt(segment, group),
    ),
    signature: pageSignatures.subarray(page * signatureLength, (page + 1) * signatureLength),
  })
  for (let section = pageSections[page] ?? 0; section < (pageSections[page + 1] ?? 0); section++) {
    const strings = [0, 1, 2].map((string) => pieceOf(sectionStrings, sectionBytes, section * 3 + string))
    table.addSection(strings, sectionLengths[section] ?? 0, sectionOpens[section] === 1)
  }
}

function mergePostings(sources: Source[]) {
  const terms = growingStrings()
  const starts = growingWords()
  const pages = growingWords()
  const fields = growingHalves()
  const sections = growingWords()
  const slots = growingHalves()
  const counts = growingBytes()

  function copyPostings({ segment, numbers, term }: Source): void {
    for (let i = segment.postingStarts[term] ?? 0; i < (segment.postingStarts[term + 1] ?? 0); i++) {
      const page = numbers[segment.postingPages[i] ?? 0] ?? -1
      if (page < 0) continue
      pages.push(page)
      fields.push(segment.postingFields[i] ?? 0)
      sections.push(slots.length)
      for (let j = segment.postingSections[i] ?? 0; j < (segment.postingSections[i + 1] ?? 0); j++) {
        slots.push(segment.sectionSlots[j] ?? 0)
        counts.push(segment.sectionCounts[j] ?? 0)
      }
    }
  }

  for (let least = leastOf(sources); least !== undefined; least = leastOf(sources)) {
    const before = pages.length
    const { segment, term } = least
    for (const source of sources) {
      if (source.term >= source.segment.terms) continue
      if (source !== least && compareTerms(source.segment, source.term, segment, term) !== 0) continue
      copyPostings(source)
      source.term += 1
    }
    if (pages.length === before) continue
    terms.pushBytes(pieceOf(segment.termStarts, segment.termBytes, term))
    starts.push(before)
  }

  return {
    sizes: {
      terms: terms.length,
      termBytes: terms.bytes,
      postings: pages.length,
      sectionPostings: slots.length,
    },
    writeTo(segment: Segment): void {
      terms.copyTo(segment.termStarts, segment.termBytes)
      starts.copyTo(segment.postingStarts)
      segment.postingStarts[terms.length] = pages.length
      pages.copyTo(segment.postingPages)
      fields.copyTo(segment.postingFields)
      sections.copyTo(segment.postingSections)
      segment.postingSections[pages.length] = slots.length
      slots.copyTo(segment.sectionSlots)
      counts.copyTo(segment.sectionCounts)
    },
  }
}

/** The source whose next term comes first. Of equal ones it is the earliest, so that page numbers stay in order. */
function leastOf(sources: Source[]): Source | undefined {
  let least: Source | undefined
  for (const source of sources) {
    if (source.term >= source.segment.terms) continue
    if (least === undefined || compareTerms(source.segment, source.term, least.segment, least.term) < 0)
      least = source
  }
  return least
}
