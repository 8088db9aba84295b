import { LimitError } from '../features/projects/limits.ts'
import type { RequestContext, Sharer } from './endpoint.ts'
import { sharerKinds, sharerOf } from './sharer.ts'

/** Requests a minute that this process answers; for what is too cheap to be written down in the database. */
export interface Rate {
  /** Counts the request, unless it is refused with a 4xx after all. @throws LimitError */
  take(context: RequestContext, sharer?: Sharer): void
}

const minute = 60_000
/** Callers that are remembered: those who came last. */
const remembered = 10_000

/**
 * @param name as response headers name it
 * @param most requests a minute of one sharer of each kind; they come back evenly, one by one
 */
export function createRate(
  name: string,
  most: Partial<Record<keyof Sharer, number>>,
  now: () => number = () => performance.now(),
): Rate {
  /** By sharer: when it will have all its requests back. */
  const whole = new Map<string, number>()
  const set = (subject: string, time: number): void => {
    // Insertion order is use: who was not here for longest goes first.
    whole.delete(subject)
    whole.set(subject, time)
    const oldest = whole.keys().next().value
    if (whole.size > remembered && oldest !== undefined) whole.delete(oldest)
  }
  return {
    take(context, sharer = sharerOf(context)) {
      const time = now()
      const taken = sharerKinds.flatMap((kind) => {
        const count = most[kind]
        if (sharer[kind] === undefined || count === undefined) return []
        const subject = `${kind} ${sharer[kind]}`
        const each = minute / count
        const next = Math.max(whole.get(subject) ?? 0, time) + each
        // A fraction of a millisecond is no reason to refuse the last one.
        if (next - time > minute + 0.001)
          throw new LimitError({ name: `${name}-${kind}`, count, seconds: 60 }, (next - time - minute) / 1000)
        return [{ subject, each, next }]
      })
      for (const { subject, next } of taken) set(subject, next)
      context.set('giveBack', () => {
        for (const { subject, each } of taken) {
          const later = whole.get(subject)
          if (later !== undefined) whole.set(subject, later - each)
        }
      })
    },
  }
}

/** Searches and pages read, over the API and in the documentation's own pages: far above what people type. */
export const searches = createRate('search', { address: 600, key: 3000, project: 6000 })
