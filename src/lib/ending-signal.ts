/** A signal for work that ends: it aborts at the latest when it is disposed. */
export interface EndingSignal extends Disposable {
  readonly signal: AbortSignal
}

interface Ends {
  /** It aborts with the first of these, for its reason. */
  signals?: readonly (AbortSignal | undefined)[]
  /** It aborts after so long. The process does not wait for that. */
  milliseconds?: number
  /** Why it aborts when the time is over; a `TimeoutError` when not given. */
  reason?: () => unknown
}

/**
 * Joins signals and a deadline for as long as some work takes.
 *
 * Node keeps a signal of `AbortSignal.timeout`, and what `AbortSignal.any` makes of it or of a signal that lasts, until
 * the time is over or the process ends, with all that listens. So nothing else in this code may use these two.
 */
export function endingSignal({ signals = [], milliseconds, reason = timeout }: Ends): EndingSignal {
  const controller = new AbortController()
  const sources = signals.flatMap((source) => source ?? [])
  const follow = (event: Event): void => {
    if (event.target instanceof AbortSignal) end(event.target.reason)
  }
  const timer = milliseconds === undefined ? undefined : setTimeout(() => end(reason()), milliseconds).unref()
  const end = (why: unknown): void => {
    clearTimeout(timer)
    for (const source of sources) source.removeEventListener('abort', follow)
    controller.abort(why)
  }
  for (const source of sources) source.addEventListener('abort', follow, { once: true })
  const over = sources.find(({ aborted }) => aborted)
  if (over) end(over.reason)
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      if (!controller.signal.aborted) end(new DOMException('The work is over', 'AbortError'))
    },
  }
}

function timeout(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError')
}
