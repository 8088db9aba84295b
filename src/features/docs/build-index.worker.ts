import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import { type PackedPage, unpackPage } from './pages.ts'
import { createSegmentBuilder } from './search/build-segment.ts'
import { writeSegment } from './search/segment.ts'
import type { SiteWeights } from './search/site-weights.ts'

/** Builds a segment in a thread, from pages that it asks for until there are none left. */
export interface BuildThread {
  /** `file`: where the segment is stored, instead of being the answer. `site`: of the index to which it is added. */
  task: { file: string | undefined; site: SiteWeights | undefined }
  request: void
  reply: PackedPage[]
  answer: ArrayBuffer | undefined
}

answerTasks<BuildThread>(async ({ file, site }, owner) => {
  const builder = createSegmentBuilder(site)
  for (;;) {
    const pages = await owner.ask()
    if (pages.length === 0) break
    for (const page of pages) {
      owner.reading(page.path)
      builder.add(unpackPage(page))
    }
  }
  owner.reading(undefined)
  const segment = builder.finish(() => owner.reading(undefined))
  if (file === undefined) return segment.buffer
  await writeSegment(segment, file)
  return undefined
})
