import type { Frame } from '../../../../features/assistant/downgrade-frames.ts'
import { storableJson } from '../../text-stream.ts'

/** Frames as Server-Sent Events, `[DONE]` last. */
export async function* eventLines(frames: AsyncGenerator<Frame>): AsyncGenerator<string, void, undefined> {
  for await (const frame of frames) yield `data: ${storableJson(frame)}\n\n`
  yield 'data: [DONE]\n\n'
}
