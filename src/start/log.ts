import { pino } from 'pino'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { messageOf } from '../lib/errors.ts'
import { findStoreTrouble } from '../store/store-trouble.ts'
import type { ReportStore } from '../store/store-watch.ts'

/** Lines of JSON on standard error. What fails because the database is away is for debugging: `reportTo` told it once. */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino(
    {
      level: logLevel,
      serializers: { err: describeError },
      hooks: {
        logMethod(words, method, level) {
          if (level > debug && isAway(words[0]) && !this.isLevelEnabled('debug')) return
          method.apply(this, words)
        },
      },
    },
    pino.destination(2),
  )
}

const debug = 20

/** One line when the database goes away, and one when it is back. */
export function reportTo(log: Logger): ReportStore {
  return (change) => {
    if ('away' in change)
      log.error(
        { reason: messageOf(change.away.cause) },
        'The database is away: requests are refused and jobs wait until it is back',
      )
    else log.warn(`The database is back after ${(change.backAfter / 1000).toFixed(1)} s`)
  }
}

function isAway(words: unknown): boolean {
  if (typeof words !== 'object' || words === null || !('err' in words)) return false
  return findStoreTrouble(words.err)?.kind === 'away'
}

// Errors of drivers carry whole connections with them, credentials included.
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: messageOf(error) }
  const { name, message, stack, cause } = error
  return { name, message, stack, ...(cause === undefined ? {} : { cause: messageOf(cause) }) }
}
