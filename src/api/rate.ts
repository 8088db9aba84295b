import { ratesPerMinute, LimitError } from '../features/projects/limits.ts'
import type { RequestContext, Sharer } from './endpoint.ts'
import { sharerKinds, sharerOf } from './sharer.ts'
import { keepNewest } from '../lib/keep-newest.ts'

/**
 * A limit of requests a minute, counted in this process, for requests that are too cheap to count in the database.
 */
export interface Rate {
  /**
   * Counts the request, unless it is refused with a 4xx after all.
   * @param times how often it counts
   * @throws LimitError
   */
  take(context: RequestContext, sharer?: Sharer, times?: number): void
}

const minute = 60_000
/** The most callers that are remembered; the least recent ones are forgotten. */
const mostCallers = 10_000

/**
 * @param name the limit's name in response headers
 * @param most requests a minute for each kind of sharer; they become available again evenly, one by one
 */
export function createRate(
  name: string,
  most: Partial<Record<keyof Sharer, number>>,
  now: () => number = () => performance.now(),
): Rate {
  /** By sharer: when all its requests will be available again. */
  const refilledAt = new Map<string, number>()
  return {
    take(context, sharer = sharerOf(context), times = 1) {
      const time = now()
      const taken = sharerKinds.flatMap((kind) => {
        if (sharer[kind] === undefined || most[kind] === undefined) return []
        const count = context.get('limitSizes')?.[`${name}-${kind}`] ?? most[kind]
        const subject = `${kind} ${sharer[kind]}`
        const each = (minute / count) * times
        const next = Math.max(refilledAt.get(subject) ?? 0, time) + each
        // Allows for rounding: a fraction of a millisecond must not refuse the last request.
        if (next - time > minute + 0.001)
          throw new LimitError({ name: `${name}-${kind}`, count, seconds: 60 }, (next - time - minute) / 1000)
        return [{ subject, each, next }]
      })
      for (const { subject, next } of taken) keepNewest(refilledAt, mostCallers, subject, next)
      const giveBackEarlier = context.get('giveBack')
      context.set('giveBack', () => {
        giveBackEarlier?.()
        for (const { subject, each } of taken) {
          const later = refilledAt.get(subject)
          if (later !== undefined) refilledAt.set(subject, later - each)
        }
      })
    },
  }
}

/**
 * Searches and page reads, over the API, in the rendered documentation and by messages of agents. The limits are far above what people
 * need.
 */
export const searches = createRate('search', ratesPerMinute.search)

/** Feedback of readers. The share of an address is far above what people click. */
export const feedbacks = createRate('feedback', ratesPerMinute.feedback)
