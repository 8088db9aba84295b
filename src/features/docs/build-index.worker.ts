import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import { type PackedPage, unpackPage } from './pages.ts'
import { createSegmentBuilder } from './search/build-segment.ts'
import { writeSegment } from './search/segment.ts'

/** Builds a segment in a thread, from pages that it asks for until there are none left. */
export interface BuildThread {
  /** `file`: where the segment is stored, instead of being the answer. */
  task: { file: string | undefined }
  request: void
  reply: PackedPage[]
  answer: ArrayBuffer | undefined
}

answerTasks<BuildThread>(async ({ file }, owner) => {
  const builder = createSegmentBuilder()
  for (;;) {
    const pages = await owner.ask()
    if (pages.length === 0) break
    for (const page of pages) {
      owner.reading(page.path)
      builder.add(unpackPage(page))
    }
  }
  owner.reading(undefined)
  const segment = builder.finish()
  if (file === undefined) return segment.buffer
  await writeSegment(segment, file)
  return undefined
})
