import { parentPort } from 'node:worker_threads'
import type { Page } from './page.ts'
import { createSegmentBuilder } from './search/build-segment.ts'
import { writeSegment } from './search/segment-file.ts'

/** Builds a segment off the main thread: batches of pages, then `file`, where it is also kept if given. */
export type BuildMessage = { pages: Page[] } | { file: string | undefined }

const builder = createSegmentBuilder()

parentPort?.on('message', (message: BuildMessage) => {
  if ('pages' in message) {
    for (const page of message.pages) builder.add(page)
    parentPort?.postMessage('next')
    return
  }
  void finish(message.file)
})

async function finish(file: string | undefined): Promise<void> {
  const segment = builder.finish()
  if (file !== undefined) await writeSegment(segment, file)
  parentPort?.postMessage(segment.buffer, [segment.buffer])
  parentPort?.close()
}
