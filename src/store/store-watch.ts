import { StoreTrouble, findStoreTrouble, toStoreTrouble } from './store-trouble.ts'
import type { PGlite } from '@electric-sql/pglite'
import { AppError, messageOf } from '../lib/errors.ts'

/**
 * Called once when a working database goes away, once when it is back, with the milliseconds between, and now and
 * then while it is full.
 */
export type ReportStore = (
  change: { away: StoreTrouble } | { backAfter: number } | { full: StoreTrouble },
) => void

/** Sees every query of a store. */
export interface StoreWatch {
  worked(): void
  /** @returns what to throw in its place */
  failed(error: unknown): unknown
}

/** Milliseconds between two reports of a full disk. Reading still works, so nothing shows when it is over. */
const betweenFull = 60_000

export function createWatch(report: ReportStore = () => undefined): StoreWatch {
  let hasWorked = false
  let awaySince: number | undefined
  let toldFull = -Infinity
  return {
    worked() {
      hasWorked = true
      if (awaySince === undefined) return
      const backAfter = performance.now() - awaySince
      awaySince = undefined
      report({ backAfter })
    },
    failed(error) {
      const named = toStoreTrouble(error)
      const trouble = findStoreTrouble(named)
      const now = performance.now()
      if (trouble?.kind === 'away' && hasWorked && awaySince === undefined) {
        awaySince = now
        report({ away: trouble })
      }
      if (trouble?.kind === 'full' && now - toldFull > betweenFull) {
        toldFull = now
        report({ full: trouble })
      }
      return named
    },
  }
}

/**
 * Turns errors of an embedded instance into StoreTrouble, for queries and the queue. An instance that has crashed
 * is not used again: its program has ended, and the next message would keep the main thread busy for ever.
 * @returns a signal that aborts when that has happened
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
  // Every message passes one of these two functions.
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
