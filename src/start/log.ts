import { styleText } from 'node:util'
import { pino, type Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import { makePrintable } from '../lib/text/plain-text.ts'
import { findStoreTrouble } from '../store/store-trouble.ts'
import type { ReportStore } from '../store/store-watch.ts'

/**
 * Writes to standard error: lines for people on a terminal, else lines of JSON. Failures because the database is away
 * or full are logged for debugging only, because `reportTo` reports them once.
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
    process.stderr.isTTY
      ? { write: (line: string) => void process.stderr.write(describeLine(line, process.stderr)) }
      : pino.destination(2),
  )
}

const styleByLevel = { 20: 'dim', 30: 'green', 40: 'yellow', 50: 'red', 60: 'red' } as const

const writtenLine = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().default(''),
  err: z.looseObject({ message: z.string().optional(), stack: z.string().optional() }).optional(),
})

/** `12:03:45 warn  A sync failed: …  projectId=prj_1`, then the stack of an error that nobody expected. */
export function describeLine(json: string, stream: NodeJS.WriteStream): string {
  const { level, time, msg, err, ...others } = writtenLine.parse(JSON.parse(json))
  const paint = (style: 'dim' | 'green' | 'yellow' | 'red', text: string) =>
    styleText(style, text, { stream })
  const fields = Object.entries(others).flatMap(([name, value]) =>
    name === 'pid' || name === 'hostname' ? [] : [`${name}=${textOf(value)}`],
  )
  const style = Object.entries(styleByLevel).find(([number]) => Number(number) === level)?.[1] ?? 'dim'
  const name = (pino.levels.labels[level] ?? 'log').padEnd(5)
  // The messages may hold texts of strangers, such as that of a git host.
  const reason = err?.message !== undefined && !msg.includes(err.message) ? `: ${err.message}` : ''
  const head = `${paint('dim', new Date(time).toTimeString().slice(0, 8))} ${paint(style, name)} ${makePrintable(msg + reason)}`
  const tail = fields.length === 0 ? '' : `  ${paint('dim', makePrintable(fields.join(' ')))}`
  const stack = err?.stack === undefined ? '' : `\n${paint('dim', makePrintable(err.stack))}`
  return `${head}${tail}${stack}\n`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const debug = 20

/** Logs one line when the database goes away, one when it is back, and one a minute while it is full. */
export function reportTo(log: Logger): ReportStore {
  return (change) => {
    if ('away' in change)
      log.error(
        { reason: messageOf(change.away.cause) },
        'Database unreachable. Requests are rejected and jobs are paused until it’s back',
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
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: messageOf(error) }
  const { name, message, stack, cause } = error
  // The message of an AppError says all that is needed; where it arose matters for defects only.
  return {
    name,
    message,
    ...(error instanceof AppError ? {} : { stack }),
    ...(cause === undefined ? {} : { cause: messageOf(cause) }),
  }
}
