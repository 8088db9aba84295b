import { AsyncLocalStorage } from 'node:async_hooks'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect, sql, type KyselyPlugin, type RawBuilder, type Transaction } from 'kysely'
import { types } from 'pg'
import { AppError, messageOf } from '../lib/errors.ts'
import { writeAct } from './acts.ts'
import { embeddedDialect } from './embedded-dialect.ts'
import { explainConnection } from './explain-connection.ts'
import { openPool } from './postgres-pool.ts'
import { PrivateNodeFS, unpackCluster } from './unpack-cluster.ts'
import { findStoreTrouble, sqlState } from './store-trouble.ts'
import { createWatch, watchEmbedded, type ReportStore } from './store-watch.ts'
import type { Tables } from './tables.ts'

/** A transaction is a value: writes take one, so nothing can be written outside. */
export type Tx = Transaction<Tables>
/** What reads take: the store's own connection or a transaction. */
export type Reader = Kysely<Tables>

export interface Store {
  engine: 'pglite' | 'postgres'
  /** For reads only; throws inside an open transaction, where it would hang PGlite for ever. */
  db: Reader
  /** The embedded instance or the connection string, for the queue. */
  connection: PGlite | string
  /** Aborts when the embedded store can never be used again by this process, with an error that says why. */
  broken: AbortSignal
  /** Repeats `work` when another transaction was in its way, so `work` must do nothing but queries with `tx`. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * One state of all tables for as long as `work` takes, without a deadline. The embedded store does nothing else
   * meanwhile.
   */
  longTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  [Symbol.asyncDispose](): Promise<void>
}

const int8 = 20
const transactionDeadline = 60_000
/** Longer than the server's own limit, so it only applies to a server that does not answer at all. */
const answerDeadline = 40_000
/**
 * Shared buffers of the embedded store. They are resident memory from the start, and the system's cache holds the
 * rest.
 */
const settings = ['shared_buffers=16MB']

/**
 * Opens the embedded store in `folder`, made when it is not there. The caller holds the folder's lock.
 * @param options `archive`: what it is made from, instead of an empty cluster
 */
export async function openEmbeddedStore(
  folder: string,
  { archive, report }: { archive?: Blob; report?: ReportStore } = {},
): Promise<Store> {
  const hasOwn = folder === 'memory://' || archive !== undefined
  const unpacked = hasOwn ? Promise.resolve() : unpackCluster(folder)
  const open = (): Promise<PGlite> =>
    PGlite.create({
      ...(folder === 'memory://' ? { dataDir: folder } : { fs: new PrivateNodeFS(folder) }),
      startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])],
      parsers: { [int8]: Number },
      ...(archive && { loadDataDir: archive }),
    })
  const pglite = await unpacked.then(open).catch((cause: unknown) => {
    throw new AppError(
      'unavailable',
      `The embedded store in ${folder} cannot be opened: ${messageOf(cause)}; free space on its disk, or bring back a backup`,
      { cause },
    )
  })
  const broken = watchEmbedded(pglite, createWatch(report))
  return createStore('pglite', new Kysely<Tables>({ dialect: embeddedDialect(pglite) }), pglite, broken)
}

/**
 * Connects to a PostgreSQL server of version 15 or later.
 * @throws AppError `unavailable` that says in one line why that is not possible
 */
export async function openPostgresStore(connectionString: string, report?: ReportStore): Promise<Store> {
  const pool = openPool(
    {
      connectionString,
      // Each transaction holds one for several turns of the event loop, which last longer the busier the process is.
      max: 16,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      statement_timeout: 30_000,
      query_timeout: answerDeadline,
      idle_in_transaction_session_timeout: transactionDeadline,
      types: { getTypeParser: parserOf },
    },
    createWatch(report),
  )
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const store = createStore('postgres', db, connectionString, new AbortController().signal)
  try {
    const version = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
    if (Number(version.rows[0]?.server_version_num) < 150_000)
      throw new AppError('unavailable', 'DATABASE_URL names a PostgreSQL older than 15; upgrade it')
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

function createStore(
  engine: Store['engine'],
  base: Kysely<Tables>,
  connection: Store['connection'],
  broken: AbortSignal,
): Store {
  const open = new AsyncLocalStorage<{ open: boolean }>()
  const refuseInside = (): void => {
    if (open.getStore()?.open) throw new Error('a query outside the open transaction: pass `tx` on')
  }
  const guard: KyselyPlugin = {
    transformQuery: ({ node }) => {
      refuseInside()
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return {
    engine,
    db: base.withPlugin(guard),
    connection,
    broken,
    async transaction(work) {
      refuseInside()
      for (let tries = 1; ; tries++) {
        const scope = { open: true }
        try {
          let written: (() => void) | undefined
          const result = await base.transaction().execute((tx) =>
            open.run(scope, () =>
              withDeadline(
                (async () => {
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
    },
    async longTransaction(work) {
      refuseInside()
      const scope = { open: true }
      try {
        return await base
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute((tx) =>
            open.run(scope, async () => {
              await sql`set local statement_timeout = 0`.execute(tx)
              await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
              return work(tx)
            }),
          )
      } finally {
        scope.open = false
      }
    },
    // A store that has crashed cannot be closed either.
    [Symbol.asyncDispose]: () => (broken.aborted ? Promise.resolve() : base.destroy()),
  }
}

const mostTries = 3

// A deadlock or a serialization failure: the server has rolled the transaction back, and it can be repeated.
function metAnother(error: unknown): boolean {
  return findStoreTrouble(error) !== undefined && ['40P01', '40001'].includes(sqlState(error) ?? '')
}

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('unavailable', 'The database took too long; try again')),
      transactionDeadline,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function parserOf(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === int8) return Number
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid)
}
