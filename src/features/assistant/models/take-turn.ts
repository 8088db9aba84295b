import { endingSignal } from '../../../lib/ending-signal.ts'
import { ModelTrouble } from '../../../integrations/models/trouble.ts'
import type { Frame } from '../streams/downgrade-frames.ts'
import type { NamedModel } from '../ports.ts'
import type { Trial } from './trial.ts'

/** Milliseconds that a reader waits for others at most. */
const longestQueue = 1_800_000

/** What clients show while there is no text yet. Their messages do not keep it. */
export type AnswerStatus = { state: 'waiting'; ahead: number } | { state: 'reading' }

export function statusFrame(status: AnswerStatus): Frame {
  return { type: 'data-status', data: status, transient: true }
}

/**
 * Waits for the turn of a reader at a model that answers few at once, and says how many come before.
 * @returns the turn, which ends when it is disposed
 * @throws ModelTrouble when it takes too long, and the reason of the trial's signal
 */
export async function* takeTurn(
  { name, turns }: NamedModel,
  { reader, signal }: Pick<Trial, 'reader' | 'signal'>,
): AsyncGenerator<Frame, Disposable | undefined> {
  if (!turns) return undefined
  const tooLong = (): ModelTrouble =>
    new ModelTrouble('overloaded', `Too many questions are waiting for ${name}. Try again later`)
  using waiting = endingSignal({ signals: [signal], milliseconds: longestQueue, reason: tooLong })
  let ahead = 0
  let told: number | undefined
  let change = Promise.withResolvers<undefined>()
  const taking = turns.take(name, reader, {
    signal: waiting.signal,
    onAhead(now) {
      ahead = now
      change.resolve(undefined)
    },
  })
  let isHandedOver = false
  try {
    for (;;) {
      const turn = await Promise.race([taking, change.promise])
      if (turn) {
        if (told !== undefined) yield statusFrame({ state: 'reading' })
        isHandedOver = true
        return turn
      }
      change = Promise.withResolvers()
      if (ahead !== told) yield statusFrame({ state: 'waiting', ahead })
      told = ahead
    }
  } finally {
    // The reader has left, or waited too long.
    if (!isHandedOver) taking.then((turn) => turn[Symbol.dispose]()).catch(() => undefined)
  }
}
