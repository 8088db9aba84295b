import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import type { Page } from '../../site/pages/page.ts'
import { createSegmentBuilder } from './search/build-segment.ts'
import { writeSegment } from './search/segment.ts'

/** Builds a segment in a thread, from pages that it asks for until there are none left. */
export interface BuildThread {
  /** `file`: where the segment is also stored. */
  task: { file: string | undefined }
  request: void
  reply: Page[]
  answer: ArrayBuffer
}

answerTasks<BuildThread>(async ({ file }, owner) => {
  const builder = createSegmentBuilder()
  for (;;) {
    const pages = await owner.ask()
    if (pages.length === 0) break
    for (const page of pages) {
      owner.reading(page.path)
      builder.add(page)
    }
  }
  owner.reading(undefined)
  const segment = builder.finish()
  if (file !== undefined) await writeSegment(segment, file)
  return segment.buffer
})
