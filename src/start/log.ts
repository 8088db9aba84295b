import { pino, type Logger } from 'pino'
import type { Config } from '../config.ts'
import { messageOf } from '../lib/errors.ts'
import { findStoreTrouble } from '../store/store-trouble.ts'
import type { ReportStore } from '../store/store-watch.ts'

/**
 * Writes lines of JSON to standard error. Failures because the database is away or full are logged for debugging
 * only, because `reportTo` reports them once.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino(
    {
      level: logLevel,
      serializers: { err: describeError },
      hooks: {
        logMethod(words, method, level) {
          if (level > debug && isTold(words[0]) && !this.isLevelEnabled('debug')) return
          method.apply(this, words)
        },
      },
    },
    pino.destination(2),
  )
}

const debug = 20

/** Logs one line when the database goes away, one when it is back, and one a minute while it is full. */
export function reportTo(log: Logger): ReportStore {
  return (change) => {
    if ('away' in change)
      log.error(
        { reason: messageOf(change.away.cause) },
        'The database is away: requests are refused and jobs wait until it is back',
      )
    else if ('full' in change)
      log.error(
        { reason: messageOf(change.full.cause) },
        'The database has no room left on its disk: what writes is refused and jobs wait until there is some',
      )
    else log.warn(`The database is back after ${(change.backAfter / 1000).toFixed(1)} s`)
  }
}

function isTold(words: unknown): boolean {
  if (typeof words !== 'object' || words === null || !('err' in words)) return false
  const kind = findStoreTrouble(words.err)?.kind
  return kind === 'away' || kind === 'full'
}

// Errors of drivers hold whole connections, credentials included.
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: messageOf(error) }
  const { name, message, stack, cause } = error
  return { name, message, stack, ...(cause === undefined ? {} : { cause: messageOf(cause) }) }
}
