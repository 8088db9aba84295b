import { setTimeout as delay } from 'node:timers/promises'
import type { CallTerms } from './call-terms.ts'
import { classifyFailure } from './classify-failure.ts'

/** How often and for how long a call is repeated. */
export interface Retries {
  tries: number
  /** Milliseconds before the second try; doubles with each. */
  firstWait: number
  /** Milliseconds of waiting in all. */
  longestWait: number
}

export const usualRetries: Retries = { tries: 4, firstWait: 1000, longestWait: 60_000 }

/** The tries that one call has left, counted together before and after its stream began. */
export interface Pacer {
  /** Waits before another try. Returns false at once when there is none. @throws the signal's reason on abort */
  wait(error: unknown): Promise<boolean>
}

/**
 * @param terms.patience milliseconds from now for which the caller waits, and `pauses` for which it lets all pauses last; both
 * as long as the retries take where they are not given
 */
export function createPacer(
  retries: Retries,
  signal: AbortSignal,
  { patience = Infinity, pauses = Infinity }: Pick<CallTerms, 'patience' | 'pauses'> = {},
): Pacer {
  const until = performance.now() + patience
  const longestWait = Math.min(retries.longestWait, pauses)
  let failed = 0
  let waited = 0
  return {
    async wait(error) {
      signal.throwIfAborted()
      const failure = classifyFailure(error)
      if (!failure.passing) return false
      const pause = failure.wait ?? retries.firstWait * 2 ** failed * (0.75 + Math.random() / 2)
      failed++
      // When a provider asks for a longer wait, there is no earlier try: it would only prolong the limit.
      if (failed >= retries.tries || waited + pause > longestWait) return false
      // The caller would be gone: it learns now what it would learn then.
      if (performance.now() + pause >= until) return false
      waited += pause
      try {
        await delay(pause, undefined, { signal })
      } catch {
        signal.throwIfAborted()
      }
      return true
    },
  }
}
