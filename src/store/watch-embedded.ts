import type { PGlite } from '@electric-sql/pglite'
import { AppError, messageOf } from '../lib/errors.ts'
import { StoreTrouble } from './store-trouble.ts'
import type { StoreWatch } from './store-watch.ts'

/**
 * Names the errors of an embedded instance, for queries and queue alike. One that has crashed is not asked again: its
 * program has ended, and the next message would keep the main thread busy for ever.
 * @returns aborts when that has happened
 */
export function watchEmbedded(pglite: PGlite, watch: StoreWatch): AbortSignal {
  const broken = new AbortController()
  const failed = (error: unknown): unknown => {
    if (!isCrash(error)) return watch.failed(error)
    broken.abort(
      new AppError('unavailable', `The embedded store has crashed: ${messageOf(error)}`, { cause: error }),
    )
    return watch.failed(new StoreTrouble('away', error))
  }
  const watched =
    <Words extends unknown[], Answer>(ask: (...words: Words) => Promise<Answer>) =>
    async (...words: Words): Promise<Answer> => {
      if (broken.signal.aborted) throw watch.failed(new StoreTrouble('away', broken.signal.reason))
      try {
        const answer = await ask(...words)
        watch.worked()
        return answer
      } catch (error) {
        throw failed(error)
      }
    }
  // Every message goes through one of these two.
  pglite.execProtocol = watched(pglite.execProtocol.bind(pglite))
  pglite.execProtocolStream = watched(pglite.execProtocolStream.bind(pglite))
  return broken.signal
}

// An abort or a trap of the program, or what PostgreSQL ends a process for.
function isCrash(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const severity = 'severity' in error ? error.severity : undefined
  return severity === 'PANIC' || severity === 'FATAL' || ['RuntimeError', 'ExitStatus'].includes(error.name)
}
