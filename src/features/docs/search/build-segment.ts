import type { Page } from '../../../site/pages/page.ts'
import { createPageTable } from './page-table.ts'
import { labelsOf } from './page-labels.ts'
import { passagesOf } from './passages.ts'
import { createPostings } from './postings.ts'
import { createRowBuilder } from './row-builder.ts'
import { allocateSegment, type Segment } from './segment.ts'
import type { SiteWeights } from './site-weights.ts'

/** Takes pages one at a time. `finish` returns the segment, after which the builder cannot be used again. */
export interface SegmentBuilder {
  add: (page: Page) => void
  /** @param beat is called now and then, as it takes long for many pages */
  finish: (beat?: () => void) => Segment
}

/**
 * A segment of the given pages, in their order. The caller must make sure that no path comes twice.
 * @param site what is usual in the index to which they are added
 */
export function buildSegment(pages: Iterable<Page>, site?: SiteWeights): Segment {
  const builder = createSegmentBuilder(site)
  for (const page of pages) builder.add(page)
  return builder.finish()
}

export function createSegmentBuilder(site?: SiteWeights): SegmentBuilder {
  const postings = createPostings()
  const table = createPageTable()
  const rows = createRowBuilder(site)
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
      rows.addPage(page, passages)
    },
    finish(beat) {
      const segment = allocateSegment({ ...postings.sizes(), ...table.sizes(), ...rows.sizes() })
      postings.writeTo(segment)
      table.writeTo(segment)
      rows.writeTo(segment, beat)
      return segment
    },
  }
}
