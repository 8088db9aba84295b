import type { Store } from '../../../store/database.ts'
import { TurnLost } from '../turns/turn-failure.ts'

const interval = 400

export interface TurnWatch extends Disposable {
  /** Aborts with TurnLost soon after the turn was cancelled by any process. */
  signal: AbortSignal
}

export function watchTurn(store: Store, turnId: string): TurnWatch {
  const controller = new AbortController()
  const look = async (): Promise<void> => {
    // Selects the status alone: prompts are long, and this query is frequent.
    const turn = await store.db
      .selectFrom('turns')
      .select('status')
      .where('id', '=', turnId)
      .executeTakeFirst()
    if (turn?.status !== 'queued' && turn?.status !== 'running') controller.abort(new TurnLost())
  }
  let timer: NodeJS.Timeout
  const again = (): void => {
    timer = setTimeout(() => {
      // A short outage of the store is no reason to stop: the next write will fail if it lasts.
      void look()
        .catch(() => undefined)
        .then(() => (controller.signal.aborted ? undefined : again()))
    }, interval)
  }
  again()
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      if (!controller.signal.aborted) controller.abort(new TurnLost())
    },
  }
}
