import type { Store } from '../../../store/database.ts'
import { TurnFailure, TurnLost } from '../turns/turn-failure.ts'
import { countStart, oneStartLess, updateTurn } from '../turns.ts'

/** Ends of the process, of which one by the watchdog counts as four: three of those are too many. */
const mostEnds = 10

/** What this process has taken up of turns. */
export interface Starts {
  /**
   * Counts that it takes a turn up, once. What ends its process again and again, by its size or because nothing else
   * runs beside it, would do so for ever.
   * @throws TurnFailure when that happened too often, TurnLost when the turn has ended
   */
  count(turnId: string): Promise<void>
  /** It leaves the turn and lives on: that is no end. */
  forget(turnId: string): Promise<void>
}

export function createStarts(store: Store): Starts {
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
        .transaction((tx) => updateTurn(tx, turnId, oneStartLess))
        .then(() => counted.delete(turnId))
        .catch(() => undefined)
    },
  }
}

function endedTooOften(): TurnFailure {
  return new TurnFailure(
    'internal',
    `The server ended again and again while it worked on this turn, which got no further. What was done so far is kept: send a message to try again, with a smaller request if you can`,
  )
}
