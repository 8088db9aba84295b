import type { Answer } from '../../features/assistant/ask.ts'
import type { Frame } from '../../features/assistant/streams/downgrade-frames.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import type { Sharer } from '../endpoint.ts'

/**
 * Answers that this process works on at the same time, until their model is asked: more of them would only wait for the
 * processor and the database in turn, and another organization's question behind all of them.
 */
const turns = createFairQueue({ atOnce: 2, each: 1, waiting: { each: Infinity, all: Infinity } })

/**
 * Waits until it is this organization's turn, however many questions of another one wait.
 * @returns a function that ends the turn
 * @throws the reason of the signal when that aborts first
 */
export function takeAnswerTurn(
  { organization, project, address = '' }: Sharer,
  signal: AbortSignal,
): Promise<() => void> {
  return turns.enter(organization ?? project ?? address, 1, signal)
}

/** Ends the turn with the answer, or with its first frame where another server's model does most of the work. */
export async function* untilElsewhere(
  { isLocal, frames }: Pick<Answer, 'isLocal' | 'frames'>,
  end: () => void,
): AsyncGenerator<Frame> {
  try {
    for await (const frame of frames) {
      if (!isLocal) end()
      yield frame
    }
  } finally {
    end()
  }
}
