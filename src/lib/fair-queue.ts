import { AppError } from './errors.ts'

/**
 * Limits how many work at once, and lets waiting callers take turns, so that nobody waits for all work of another.
 */
export interface FairQueue {
  /**
   * Waits for a place.
   * @returns a function that gives it back
   * @param who whose turn it takes
   * @param size of what waits, as the limits count it
   * @param onAhead called with the number of callers that have their turn before this one, whenever it changes; never
   * for a caller that finds a place at once
   * @throws AppError `unavailable` when too much waits already, and the reason of `signal` when that aborts first
   */
  enter(
    who: string,
    size?: number,
    signal?: AbortSignal,
    onAhead?: (ahead: number) => void,
  ): Promise<() => void>
  /** Whether a caller who has no place would find one at once. */
  isFree(): boolean
  /** Changes how many work at once, and how many of these anybody may have. Those that work go on. */
  resize(atOnce: number, each: number): void
}

export interface FairQueueOptions {
  atOnce: number
  /** Of these, how many anybody may have. */
  each: number
  /** What may wait, of anybody and altogether. */
  waiting: { each: number; all: number }
}

interface Waiting {
  size: number
  ahead: number | undefined
  onAhead: ((ahead: number) => void) | undefined
  start(): void
}

export function createFairQueue({ waiting: most, ...options }: FairQueueOptions): FairQueue {
  let { atOnce, each } = options
  const running = new Map<string, number>()
  const waiting = new Map<string, Waiting[]>()
  /**
   * The number of the last turn of everyone who runs or waits, as it began or ended; until the first one, of their coming. Who comes later has
   * no turn before those who have waited since their last one, or these would wait for as long as new callers come.
   */
  const turns = new Map<string, number>()
  let turn = 0
  let places = atOnce

  const run = (who: string, by: number): void => {
    const now = (running.get(who) ?? 0) + by
    if (now > 0) running.set(who, now)
    else running.delete(who)
    places -= by
    turns.set(who, ++turn)
    forget(who)
  }
  const forget = (who: string): void => {
    if (!running.has(who) && !waiting.has(who)) turns.delete(who)
  }
  /** The waiting caller that had no turn for longest, among those that may have one. */
  const next = (): string | undefined => {
    if (places <= 0) return undefined
    let first: { who: string; last: number } | undefined
    for (const who of waiting.keys()) {
      const last = turns.get(who) ?? 0
      if ((running.get(who) ?? 0) < each && (!first || last < first.last)) first = { who, last }
    }
    return first?.who
  }
  const fill = (): void => {
    for (let who = next(); who !== undefined; who = next()) {
      const [entry, ...others] = waiting.get(who) ?? []
      if (others.length > 0) waiting.set(who, others)
      else waiting.delete(who)
      run(who, 1)
      entry?.start()
    }
    for (const [who, entries] of waiting)
      entries.forEach((entry, place) => {
        if (entry.onAhead === undefined) return
        const ahead = aheadOf(who, place)
        if (ahead !== entry.ahead) entry.onAhead((entry.ahead = ahead))
      })
  }
  /** Those that run, and those whose turn comes before: everyone has one in each round. */
  const aheadOf = (who: string, place: number): number => {
    let ahead = atOnce - places + place
    const own = turns.get(who) ?? 0
    for (const [other, { length }] of waiting)
      if (other !== who) ahead += Math.min(length, place + ((turns.get(other) ?? 0) < own ? 1 : 0))
    return ahead
  }
  const leave = (who: string): (() => void) => {
    let left = false
    return () => {
      if (left) return
      left = true
      run(who, -1)
      fill()
    }
  }
  return {
    isFree: () => places > 0 && waiting.size === 0,
    resize(now, nowEach) {
      places += now - atOnce
      atOnce = now
      each = nowEach
      fill()
    },
    enter(who, size = 1, signal, onAhead) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const own = waiting.get(who) ?? []
        const all = [...waiting.values()].flat()
        // A caller that finds a place at once does not count as waiting.
        const free = places > 0 && (running.get(who) ?? 0) < each
        if (!free && (sum(own) + size > most.each || sum(all) + size > most.all))
          throw new AppError('unavailable', 'Too much of this kind waits already; try again soon')
        const drop = (): void => {
          const left = (waiting.get(who) ?? []).filter((other) => other !== entry)
          if (left.length > 0) waiting.set(who, left)
          else waiting.delete(who)
          forget(who)
          reject(signal?.reason)
          fill()
        }
        const entry: Waiting = {
          size,
          ahead: undefined,
          onAhead,
          start() {
            signal?.removeEventListener('abort', drop)
            resolve(leave(who))
          },
        }
        signal?.addEventListener('abort', drop, { once: true })
        if (!turns.has(who)) turns.set(who, ++turn)
        waiting.set(who, [...own, entry])
        fill()
      })
    },
  }
}

function sum(entries: Waiting[]): number {
  return entries.reduce((total, { size }) => total + size, 0)
}
