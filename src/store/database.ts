import { AsyncLocalStorage } from 'node:async_hooks'
import { Mutex } from '@electric-sql/pglite'
import { Kysely, PostgresDialect, sql, type KyselyPlugin, type RawBuilder, type Transaction } from 'kysely'
import { types } from 'pg'
import { AppError, messageOf } from '../lib/errors.ts'
import { createUnfinished } from '../lib/unfinished.ts'
import { within } from '../lib/within.ts'
import { writeAct } from './acts.ts'
import { embeddedDialect } from './embedded/embedded-dialect.ts'
import { openEngine, type Engine } from './embedded/engine.ts'
import { removeCopy, withCopy } from './embedded/with-copy.ts'
import { readPostgresAddress } from './postgres/address.ts'
import { explainConnection } from './postgres/explain-connection.ts'
import { limits, openConnections } from './postgres/pool.ts'
import { requireFitting } from './postgres/require-fitting.ts'
import { StoreTrouble, findStoreTrouble, sqlState } from './store-trouble.ts'
import { createWatch, type ReportStore } from './store-watch.ts'
import type { Tables } from './tables.ts'

/** A transaction is a value: writes take one, so nothing can be written outside. */
export type Tx = Transaction<Tables>
/** What reads take: the store's own connection or a transaction. */
export type Reader = Kysely<Tables>

export interface Store {
  engine: 'pglite' | 'postgres'
  /** For reads only; throws inside an open transaction, where it would hang the embedded database for ever. */
  db: Reader
  /** The embedded engine or the connection string, for the queue. */
  connection: Engine | string
  /** Aborts when the embedded database can never be used again by this process, with an error that says why. */
  broken: AbortSignal
  /** Whether PostgreSQL is reached through a pooler, which has limits of its own. */
  isBehindPooler(): boolean
  /** Repeats `work` when another transaction was in its way, so `work` must do nothing but queries with `tx`. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Reads one state of all tables for as long as `work` takes, while others go on. The embedded database copies its files
   * for that; only where the disk has no room for them, it does nothing else meanwhile.
   */
  snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A transaction without a deadline. The embedded database does nothing else meanwhile. */
  longTransaction<T>(
    work: (tx: Tx) => Promise<T>,
    isolation?: 'read committed' | 'repeatable read',
  ): Promise<T>
  [Symbol.asyncDispose](): Promise<void>
}

const int8 = 20
/**
 * Connections to PostgreSQL. Each transaction holds one for several turns of the event loop, which last longer the busier
 * the process is.
 */
export const storeConnections = 16

/**
 * Opens the embedded database in `folder`, made when it is not there. The caller holds the folder's lock.
 * @param options `archive`: what it is made from, instead of an empty cluster
 */
export async function openEmbeddedStore(
  folder: string,
  { archive, report }: { archive?: Blob; report?: ReportStore } = {},
): Promise<Store> {
  const engine = await openEngine({ folder, archive }, createWatch(report)).catch((cause: unknown) => {
    throw new AppError(
      'unavailable',
      `The embedded database in ${folder} cannot be opened: ${messageOf(cause)}; free space on its disk, or bring back a backup`,
      { cause },
    )
  })
  const store = createStore({
    engine: 'pglite',
    base: new Kysely<Tables>({ dialect: embeddedDialect(engine) }),
    connection: engine,
    broken: engine.broken,
    isBehindPooler: () => false,
    close: engine.close,
  })
  if (folder === 'memory://') return store
  await removeCopy(folder)
  const copying = new Mutex()
  const readCopy = async <T>(copy: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
    await using copied = await openEmbeddedStore(copy)
    return await copied.longTransaction(work)
  }
  return {
    ...store,
    snapshot: (work) =>
      copying.runExclusive(async () => {
        const read = await withCopy(engine, folder, (copy) => readCopy(copy, work))
        return read === undefined ? store.longTransaction(work) : read.result
      }),
  }
}

/**
 * Connects to a PostgreSQL server of version 15 or later.
 * @throws AppError `unavailable` that says in one line why that is not possible
 */
export async function openPostgresStore(connectionString: string, report?: ReportStore): Promise<Store> {
  const { pool, isBehindPooler } = openConnections(
    readPostgresAddress(connectionString),
    { max: storeConnections, types: { getTypeParser: parserOf } },
    createWatch(report),
  )
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const store = createStore({
    engine: 'postgres',
    base: db,
    connection: connectionString,
    broken: new AbortController().signal,
    isBehindPooler,
    close: () => db.destroy(),
  })
  try {
    await requireFitting(db)
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw explainConnection(connectionString, error)
  }
  return store
}

/** A value for a jsonb column, the same on both drivers. */
export function json(value: unknown): RawBuilder<unknown> {
  return sql`${JSON.stringify(value ?? null)}::jsonb`
}

interface Parts extends Pick<Store, 'engine' | 'connection' | 'broken' | 'isBehindPooler'> {
  base: Kysely<Tables>
  close(): Promise<void>
}

function createStore({ engine, base, connection, broken, isBehindPooler, close }: Parts): Store {
  const open = new AsyncLocalStorage<{ open: boolean }>()
  const running = createUnfinished()
  let closing: Promise<void> | undefined
  const refuse = (): void => {
    if (closing) throw new StoreTrouble('closed', undefined)
    if (open.getStore()?.open) throw new Error('a query outside the open transaction: pass `tx` on')
  }
  const guard: KyselyPlugin = {
    transformQuery: ({ node }) => {
      refuse()
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const store: Store = {
    engine,
    db: base.withPlugin(guard),
    connection,
    broken,
    isBehindPooler,
    async transaction(work) {
      refuse()
      const transaction = repeated(work)
      running.add(transaction)
      return transaction
    },
    snapshot: (work) => store.longTransaction(work),
    async longTransaction(work, isolation = 'repeatable read') {
      refuse()
      const transaction = long(work, isolation)
      running.add(transaction)
      return transaction
    },
    // Whoever still writes does so to its end, and nobody else begins.
    [Symbol.asyncDispose]: () => (closing ??= running.settled().then(close)),
  }
  return store

  async function repeated<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const scope = { open: true }
      try {
        let written: (() => void) | undefined
        const result = await base.transaction().execute((tx) =>
          open.run(scope, () =>
            withDeadline(
              (async () => {
                if (isBehindPooler()) await limitTransaction(tx)
                const done = await work(tx)
                written = await writeAct(tx)
                return done
              })(),
            ),
          ),
        )
        written?.()
        return result
      } catch (error) {
        if (tries === mostTries || !metAnother(error)) throw error
      } finally {
        scope.open = false
      }
    }
  }

  async function long<T>(
    work: (tx: Tx) => Promise<T>,
    isolation: 'read committed' | 'repeatable read',
  ): Promise<T> {
    const scope = { open: true }
    try {
      return await base
        .transaction()
        .setIsolationLevel(isolation)
        .execute((tx) =>
          open.run(scope, async () => {
            // Also what an administrator has set for the user. Older servers do not know all of them.
            await sql`select set_config(name, '0', true) from pg_settings
                where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(
              tx,
            )
            return work(tx)
          }),
        )
    } finally {
      scope.open = false
    }
  }
}

// A pooler may give each transaction another connection, on which nobody has said them.
async function limitTransaction(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(limits.statement)}, true),
    set_config('idle_in_transaction_session_timeout', ${String(limits.transaction)}, true)`.execute(tx)
}

const mostTries = 3

// A deadlock or a serialization failure: the server has rolled the transaction back, and it can be repeated.
function metAnother(error: unknown): boolean {
  return findStoreTrouble(error) !== undefined && ['40P01', '40001'].includes(sqlState(error) ?? '')
}

function withDeadline<T>(work: Promise<T>): Promise<T> {
  return within(limits.transaction, work, () => {
    throw new StoreTrouble('busy', new Error('A transaction took too long'))
  })
}

function parserOf(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === int8) return Number
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid)
}
