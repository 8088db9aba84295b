import type { Frame } from '../../../../features/assistant/downgrade-frames.ts'
import { makeStorable } from '../../../../lib/plain-text.ts'

/**
 * Frames as Server-Sent Events, `[DONE]` last.
 * @param onCancel called when the reader goes away; the frames are then closed
 */
export function eventStream(frames: AsyncGenerator<Frame>, onCancel: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await frames.next()
      controller.enqueue(encoder.encode(`data: ${done ? '[DONE]' : JSON.stringify(value, storable)}\n\n`))
      if (done) controller.close()
    },
    async cancel() {
      onCancel()
      await frames.return(undefined)
    },
  })
}

// Clients echo what they got, and what cannot be stored is refused from them.
function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? makeStorable(value) : value
}
