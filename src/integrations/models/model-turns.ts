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

/** How many calls a model gets at once; undefined: any number. */
export interface CallsAtOnce {
  calls: number | undefined
  /** Whether it is told, and not assumed. */
  isSure: boolean
}

/** Milliseconds after which it is asked for again: what was told, and what was assumed. */
const lifetime = 600_000
const shortLifetime = 30_000

interface ModelQueue {
  /** Undefined: nobody waits. */
  queue: FairQueue | undefined
  known: CallsAtOnce
  /** Milliseconds of the clock. */
  until: number
}

/** @param now milliseconds of a clock that only goes forward */
export function createModelTurns(
  callsOf: (name: string) => Promise<CallsAtOnce>,
  now: () => number = () => performance.now(),
): ModelTurns {
  const queues = new Map<string, { opening: Promise<ModelQueue>; open?: ModelQueue }>()
  const untilOf = ({ isSure }: CallsAtOnce): number => now() + (isSure ? lifetime : shortLifetime)
  const open = async (name: string): Promise<ModelQueue> => {
    const known = await callsOf(name)
    const { calls } = known
    const queue =
      calls === undefined
        ? undefined
        : createFairQueue({ atOnce: calls, each: calls, waiting: { each: 100, all: 500 } })
    return { queue, known, until: untilOf(known) }
  }
  // The server may have been away, or runs with another number since.
  const readAgain = async (name: string, model: ModelQueue): Promise<void> => {
    model.until = Infinity
    const known = await callsOf(name).catch(() => model.known)
    model.until = untilOf(known)
    // What was told counts until something else is.
    if (known.calls === undefined || (model.known.isSure && !known.isSure)) return
    model.known = known
    model.queue?.resize(known.calls, known.calls)
  }
  const queueOf = async (name: string): Promise<FairQueue | undefined> => {
    const entry = queues.get(name) ?? { opening: open(name) }
    queues.set(name, entry)
    const model = (entry.open ??= await entry.opening)
    if (model.until <= now()) void readAgain(name, model)
    return model.queue
  }
  return {
    isFree: (name) => queues.get(name)?.open?.queue?.isFree() ?? true,
    async take(name, who, { signal, onAhead }) {
      const queue = await queueOf(name)
      const leave = await queue?.enter(who, 1, signal, onAhead)
      return { [Symbol.dispose]: () => leave?.() }
    },
  }
}

export const noTurns: ModelTurns = createModelTurns(() => Promise.resolve({ calls: undefined, isSure: true }))
