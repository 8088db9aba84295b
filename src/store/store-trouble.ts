import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../lib/errors.ts'

/**
 * `away`: the database does not answer. `busy`: this statement was given up. `full`: nothing more can be written.
 * `closed`: this process is ending.
 */
type Kind = 'away' | 'busy' | 'full' | 'closed'

const messages: Record<Kind, string> = {
  away: 'The database cannot be reached; try again in a few seconds',
  busy: 'The database is too busy; try again in a few seconds',
  closed: 'The server is stopping. Try again in a moment',
  full: 'The database has no room left on its disk; try again once there is some',
}

/** The database has passing trouble: the query itself is correct and can be repeated later. */
export class StoreTrouble extends AppError {
  readonly kind: Kind

  constructor(kind: Kind, cause: unknown) {
    super('unavailable', messages[kind], { cause })
    this.name = 'StoreTrouble'
    this.kind = kind
  }
}

/** The trouble of the database that an error means, however it was wrapped; undefined for other errors. */
export function findStoreTrouble(error: unknown): StoreTrouble | undefined {
  for (const one of chainOf(error)) if (one instanceof StoreTrouble) return one
  return undefined
}

/**
 * Names trouble where it arises. For errors of the database's own connections alone: elsewhere a refused connection
 * may be anybody's.
 * @returns the error as it came when it means something else
 */
export function toStoreTrouble(error: unknown): unknown {
  if (findStoreTrouble(error)) return error
  const kind = kindOf(error)
  return kind === undefined ? error : new StoreTrouble(kind, error)
}

/** Milliseconds between tries. */
const pauses = [250, 500, 1000, 2000]

/**
 * Repeats `work` for as long as the database is in trouble.
 * @throws every other error of `work`, and the signal's reason
 */
export async function outlastTrouble<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const trouble = findStoreTrouble(error)
      if (trouble === undefined || trouble.kind === 'closed') throw error
      signal.throwIfAborted()
      const pause = pauses[Math.min(tries, pauses.length - 1)] ?? 0
      // Many callers wait for the same database, so their pauses differ.
      await delay(pause * (0.5 + Math.random()), undefined, { signal })
    }
  }
}

/** The five characters by which PostgreSQL says what is wrong. */
export function sqlState(error: unknown): string | undefined {
  for (const one of chainOf(error)) {
    const code = textOf(one, 'code')
    // Codes of the operating system, such as EPIPE, have no digit.
    if (/^(?=.*\d)[\dA-Z]{5}$/.test(code)) return code
  }
  return undefined
}

const states: [RegExp, Kind][] = [
  [/^53100$/, 'full'],
  // Broken connections; out of connections or of memory; the server shuts down, crashed or starts up; the session was
  // ended; a standby that only reads.
  [/^(08...|53...|57P..|25P0[34]|25006|58030)$/, 'away'],
  // Cancelled; no lock in time; a deadlock; another transaction was first.
  [/^(57014|55P03|40P01|40001|40003)$/, 'busy'],
]

const systemCodes =
  /^(ECONN\w+|E(HOST|NET)(UNREACH|DOWN)|ENETRESET|ETIMEDOUT|ENOTFOUND|EAI_\w+|EPIPE|ENOENT|EACCES|EADDRNOTAVAIL|EMFILE|ENFILE|ENOBUFS|ERR_(SSL|TLS|SOCKET|STREAM)_\w+)$/

// Messages of the drivers that come without a code.
const texts =
  /Connection (terminated|ended)|connection error and is not queryable|Client was closed|heartbeat timed out|channel registration was lost|has been discarded|already been destroyed|calling end on the pool|PGlite is clos|Database not opened/i

// The own deadline of a statement, and of waiting for one of the pool's connections, which are all in use.
const busyTexts = /Query read timeout|timeout exceeded when trying to connect/

function kindOf(error: unknown): Kind | undefined {
  // The library of the queue reports copies of errors, which have lost their class.
  for (const one of chainOf(error)) {
    const kind = textOf(one, 'name') === 'StoreTrouble' ? textOf(one, 'kind') : undefined
    if (kind === 'away' || kind === 'busy' || kind === 'full') return kind
  }
  const state = sqlState(error)
  if (state !== undefined) return states.find(([pattern]) => pattern.test(state))?.[1]
  for (const one of chainOf(error)) {
    const code = textOf(one, 'code')
    if (busyTexts.test(textOf(one, 'message'))) return 'busy'
    if (code === 'ENOSPC' || code === 'EDQUOT') return 'full'
    if (systemCodes.test(code) || texts.test(textOf(one, 'message'))) return 'away'
  }
  return undefined
}

const deepest = 10

// An error, its causes, and the parts of aggregate errors. Some drivers throw plain objects.
function* chainOf(error: unknown, depth = 0): Generator<object> {
  if (typeof error !== 'object' || error === null || depth > deepest) return
  yield error
  if (error instanceof AggregateError) for (const one of error.errors) yield* chainOf(one, depth + 1)
  if ('cause' in error) yield* chainOf(error.cause, depth + 1)
}

function textOf(error: object, name: 'code' | 'message' | 'name' | 'kind'): string {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : ''
}
