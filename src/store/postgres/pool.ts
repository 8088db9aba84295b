import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { Client, Pool, type ClientBase, type CustomTypesConfig, type PoolClient } from 'pg'
import { messageOf } from '../../lib/errors.ts'
import { within } from '../../lib/within.ts'
import { StoreTrouble, findStoreTrouble, sqlState, toStoreTrouble } from '../store-trouble.ts'
import type { StoreWatch } from '../store-watch.ts'
import type { PostgresAddress } from './address.ts'
import { createTargets, type Target, type Targets } from './targets.ts'

/** Connections to one database. */
export interface Connections {
  pool: PostgresPool
  /** Opens one beside the pool, which the caller ends. */
  open(): Promise<Client>
  /** Whether something between passes on what is asked, as the last connection saw it. */
  isBehindPooler(): boolean
}

/** Milliseconds. */
export const limits = {
  connecting: 10_000,
  statement: 30_000,
  transaction: 60_000,
  /** Longer than the server's own limit, so it only applies to a server that does not answer at all. */
  answer: 40_000,
}

/**
 * A pool whose connections may break at any time: the query that is under way fails, and the next one gets another
 * connection, to another of several hosts if need be.
 */
export function openConnections(
  address: PostgresAddress,
  { max, types }: { max: number; types?: CustomTypesConfig },
  watch: StoreWatch,
): Connections {
  const targets = createTargets(address)
  let behindPooler = false
  const config = {
    // Nothing but this is said when a connection begins: a pooler refuses whatever it does not know there.
    user: address.user,
    password: address.password,
    database: address.database,
    application_name: address.applicationName,
    options: address.options,
    enableChannelBinding: address.channelBinding,
    ...(address.tls.direct && { sslnegotiation: 'direct' as const }),
    connectionTimeoutMillis: limits.connecting,
    keepAlive: true,
    // The system would begin after two hours.
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: limits.answer,
    ...(types !== undefined && { types }),
  }
  const pool = new Pool({ ...config, max })
  // A broken connection also emits an event, idle or in use, which would end the process without a listener.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const queue = queueForOpening(pool)
  const ready = new WeakSet<ClientBase>()
  const prepare = async (client: ClientBase): Promise<void> => {
    if (ready.has(client)) return
    behindPooler = await setUp(client)
    ready.add(client)
  }
  return {
    isBehindPooler: () => behindPooler,
    pool: {
      options: pool.options,
      async connect() {
        try {
          const take = (): Promise<PoolClient> =>
            tryTargets(targets, async (target) => {
              using _ = await queue.enter()
              if (pool.idleCount === 0) Object.assign(pool.options, target)
              const taken = await pool.connect()
              try {
                await prepare(taken)
              } catch (error) {
                taken.release(true)
                throw error
              }
              return taken
            })
          const client = await waitForFree(pool, take)
          return watched(client, watch)
        } catch (error) {
          const named = watch.failed(error)
          // Whatever the reason is, including a changed password: there is no database to query.
          throw findStoreTrouble(named) ?? watch.failed(new StoreTrouble('away', error))
        }
      },
      end: () => pool.end(),
    },
    open: () =>
      tryTargets(targets, async (target) => {
        const client = new Client({ ...config, ...target })
        client.on('error', () => undefined)
        try {
          await client.connect()
          await prepare(client)
        } catch (error) {
          client.end().catch(() => undefined)
          throw error
        }
        return client
      }),
  }
}

/** How many connections are opened at once, and for how many milliseconds others wait for one that comes free meanwhile. */
const opening = { atOnce: 2, patience: 100 }

/**
 * Most queries take a few milliseconds, and to open a connection costs PostgreSQL as much as many of them. So queries that
 * come at once, as at a start, share a few connections.
 */
function queueForOpening(pool: Pool): { enter(): Promise<Disposable> } {
  let inside = 0
  const waiting: (() => void)[] = []
  const wakeOne = (): void => waiting.shift()?.()
  pool.on('release', wakeOne)
  return {
    async enter() {
      const end = performance.now() + opening.patience
      for (let left = opening.patience; left > 0 && inside >= pool.idleCount + opening.atOnce;) {
        await within(left, new Promise<void>((wake) => waiting.push(wake)), () => undefined)
        left = end - performance.now()
      }
      inside++
      return { [Symbol.dispose]: () => (inside--, wakeOne()) }
    },
  }
}

/** Milliseconds between two tries, which grow, and between two looks for a connection that was given back. */
const pauses = { first: 100, longest: 1000, look: 20 }

// Where PostgreSQL grants no more connections, the pool is smaller than it could be: those that it has come free soon.
async function waitForFree(pool: Pool, take: () => Promise<PoolClient>): Promise<PoolClient> {
  const end = performance.now() + limits.connecting
  for (let pause = pauses.first; ; pause = Math.min(pause * 2, pauses.longest)) {
    try {
      return await take()
    } catch (error) {
      if (!isOutOfConnections(error) || performance.now() + pause > end) throw error
    }
    const next = performance.now() + pause * (0.5 + Math.random())
    while (pool.idleCount === 0 && performance.now() < next) await delay(pauses.look)
  }
}

// Of the server, of the user or of the database.
function isOutOfConnections(error: unknown): boolean {
  return sqlState(error) === '53300'
}

function allOf(errors: unknown[]): AggregateError {
  return new AggregateError(errors, [...new Set(errors.map(messageOf))].join(', '))
}

// Tries the current target, and the others after it.
async function tryTargets<T>(targets: Targets, attempt: (target: Target) => Promise<T>): Promise<T> {
  const errors = new Map<number, unknown>()
  for (;;) {
    const { index, target } = targets.current()
    if (errors.has(index)) throw errors.size === 1 ? errors.get(index) : allOf([...errors.values()])
    try {
      return await attempt(target)
    } catch (error) {
      // The pool is full, and has tried no target.
      if (findStoreTrouble(toStoreTrouble(error))?.kind === 'busy') throw error
      errors.set(index, error)
      targets.failed(index, error)
    }
  }
}

/**
 * Sets the time limits, which poolers do not accept while connecting. Behind a transaction pooler, transactions repeat it.
 * @returns whether there is a pooler
 */
async function setUp(client: ClientBase): Promise<boolean> {
  const answer = client.query<{ pid: number; reads: boolean }>(
    `select pg_backend_pid() as pid, pg_is_in_recovery() or current_setting('transaction_read_only')::bool as reads,
      set_config('statement_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $2, false)`,
    [String(limits.statement), String(limits.transaction)],
  )
  const { rows } = await within(limits.connecting, answer, () => {
    throw new Error('The connection was taken, but got no answer')
  })
  if (rows[0]?.reads)
    throw Object.assign(new Error('it doesn’t accept writes, as a standby does'), { code: '25006' })
  // A pooler invents the number by which a client may cancel its statements.
  return rows[0]?.pid !== Reflect.get(client, 'processID')
}

function watched(client: PoolClient, watch: StoreWatch): PostgresPoolClient {
  let usable = true
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, parameters: readonly unknown[] = []): unknown {
    return run(String(text), parameters)
  }
  const run = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      const result = await client.query(text, [...parameters])
      watch.worked()
      return result
    } catch (error) {
      const named = watch.failed(error)
      const trouble = findStoreTrouble(named)
      // Without an answer the server may still work on the statement, and the next user would wait for it.
      if (trouble?.kind === 'away' || (trouble && sqlState(error) === undefined)) usable = false
      throw named
    }
  }
  return { query, release: (discard) => client.release(discard === true || !usable) }
}
