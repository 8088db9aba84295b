import type { Store } from '../../../store/database.ts'
import { TurnFailure, TurnLost } from '../turns/turn-failure.ts'
import { countStart, uncountedStart, updateTurn } from '../turns.ts'

/** The most process ends during one turn. An end by the watchdog counts as four, so three of those are too many. */
const mostEnds = 10

/** Counts how often processes start to work on a turn. */
export interface StartCounter {
  /**
   * Counts the start of a turn, once per process. A turn that repeatedly ends its process, by memory use or by
   * blocking it, would otherwise do so for ever.
   * @throws TurnFailure when that happened too often, TurnLost when the turn has ended
   */
  count(turnId: string): Promise<void>
  /** Uncounts the start, because the process leaves the turn without having crashed. */
  forget(turnId: string): Promise<void>
}

export function createStartCounter(store: Store): StartCounter {
  const counted = new Set<string>()
  return {
    async count(turnId) {
      if (counted.has(turnId)) return
      const starts = await store.transaction((tx) => countStart(tx, turnId))
      counted.add(turnId)
      if (starts === undefined) throw new TurnLost()
      if (starts > mostEnds) throw endedTooOften()
    },
    async forget(turnId) {
      if (!counted.has(turnId)) return
      await store
        .transaction((tx) => updateTurn(tx, turnId, uncountedStart))
        .then(() => counted.delete(turnId))
        .catch(() => undefined)
    },
  }
}

function endedTooOften(): TurnFailure {
  return new TurnFailure(
    'internal',
    `The server restarted repeatedly during this prompt, so it was stopped. Changes so far are saved. Send a follow-up to try again, with a smaller request if possible`,
  )
}
