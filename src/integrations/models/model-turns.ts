import { createFairQueue, type FairQueue } from '../../lib/fair-queue.ts'

/** Lets callers of a model that answers few at once take turns. */
export interface ModelTurns {
  /**
   * Waits until the model can be called. The turn ends when it is disposed.
   * @param who readers are one each; what waits for no reader shares a name, so that it never has more than one turn
   * in a round
   * @param options.onAhead called with the number of turns before this one, whenever it changes; never for a caller
   * that does not wait
   * @throws the signal's reason, or AppError `unavailable` when too many wait already
   */
  take(name: string, who: string, options: TurnOptions): Promise<Disposable>
  /** Whether a call of the model would begin at once. */
  isFree(name: string): boolean
}

export interface TurnOptions {
  signal?: AbortSignal | undefined
  onAhead?: (ahead: number) => void
}

/** @param callsOf how many calls a model gets at once; undefined: any number */
export function createModelTurns(callsOf: (name: string) => Promise<number | undefined>): ModelTurns {
  const queues = new Map<string, { opening: Promise<FairQueue | undefined>; open?: FairQueue | undefined }>()
  const queueOf = async (name: string): Promise<FairQueue | undefined> => {
    let known = queues.get(name)
    if (!known) {
      const opening = callsOf(name).then((calls) =>
        calls === undefined
          ? undefined
          : createFairQueue({ atOnce: calls, each: calls, waiting: { each: 100, all: 500 } }),
      )
      known = { opening }
      queues.set(name, known)
    }
    return (known.open ??= await known.opening)
  }
  return {
    isFree: (name) => queues.get(name)?.open?.isFree() ?? true,
    async take(name, who, { signal, onAhead }) {
      const queue = await queueOf(name)
      const leave = await queue?.enter(who, 1, signal, onAhead)
      return { [Symbol.dispose]: () => leave?.() }
    },
  }
}

export const noTurns: ModelTurns = createModelTurns(() => Promise.resolve(undefined))
