import type { Page } from '../../../site/pages/page.ts'
import { createPageTable } from './page-table.ts'
import { labelsOf } from './page-labels.ts'
import { passagesOf } from './passages.ts'
import { createPostings } from './postings.ts'
import { allocateSegment, type Segment } from './segment.ts'

/** Takes pages one at a time. `finish` returns the segment, after which the builder cannot be used again. */
export interface SegmentBuilder {
  add: (page: Page) => void
  finish: () => Segment
}

/** A segment of the given pages, in their order. The caller must make sure that no path comes twice. */
export function buildSegment(pages: Iterable<Page>): Segment {
  const builder = createSegmentBuilder()
  for (const page of pages) builder.add(page)
  return builder.finish()
}

export function createSegmentBuilder(): SegmentBuilder {
  const postings = createPostings()
  const table = createPageTable()
  return {
    add(page) {
      const passages = passagesOf(page)
      const lengths = postings.addPage(page.title, page.path, passages)
      table.addPage({
        strings: [page.path, page.url, page.title],
        lengths: [lengths.title, lengths.headings, lengths.path, lengths.body],
        language: page.language ?? '',
        version: page.version ?? '',
        labels: labelsOf(page),
        signature: lengths.signature,
      })
      passages.forEach(({ headings, anchor, text, opens }, index) => {
        table.addSection([headings.join('\u001f'), anchor ?? '', text], lengths.sections[index] ?? 0, opens)
      })
    },
    finish() {
      const segment = allocateSegment({ ...postings.sizes(), ...table.sizes() })
      postings.writeTo(segment)
      table.writeTo(segment)
      return segment
    },
  }
}
