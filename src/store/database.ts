import { AsyncLocalStorage } from 'node:async_hooks'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import type { KyselyPlugin, RawBuilder, Transaction } from 'kysely'
import { Pool, types } from 'pg'
import { AppError } from '../lib/errors.ts'
import { PrivateNodeFS } from './private-node-fs.ts'
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
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  [Symbol.asyncDispose](): Promise<void>
}

const int8 = 20
const transactionDeadline = 60_000

/** Opens the embedded store in `folder`, one that is not there as a copy of `archive`. The caller holds the folder's lock. */
export async function openEmbeddedStore(folder: string, archive?: Blob): Promise<Store> {
  const pglite = await PGlite.create({
    ...(folder === 'memory://' ? { dataDir: folder } : { fs: new PrivateNodeFS(folder) }),
    parsers: { [int8]: Number },
    ...(archive && { loadDataDir: archive }),
  })
  return createStore('pglite', new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) }), pglite)
}

/** Connects to a PostgreSQL server of version 15 or later. */
export async function openPostgresStore(connectionString: string): Promise<Store> {
  const pool = new Pool({
    connectionString,
    max: 8,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: transactionDeadline,
    types: { getTypeParser: parserOf },
  })
  // An idle connection that the server closes must not end the process; the next query opens another.
  pool.on('error', () => undefined)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const store = createStore('postgres', db, connectionString)
  const version = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  if (Number(version.rows[0]?.server_version_num) < 150_000)
    throw new AppError('unavailable', 'DATABASE_URL names a PostgreSQL older than 15; upgrade it')
  return store
}

/** A value for a jsonb column, the same on both drivers. */
export function json(value: unknown): RawBuilder<unknown> {
  return sql`${JSON.stringify(value ?? null)}::jsonb`
}

function createStore(engine: Store['engine'], base: Kysely<Tables>, connection: PGlite | string): Store {
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
    transaction: (work) => {
      refuseInside()
      const scope = { open: true }
      return base
        .transaction()
        .execute((tx) => open.run(scope, () => withDeadline(work(tx))))
        .finally(() => {
          scope.open = false
        })
    },
    [Symbol.asyncDispose]: () => base.destroy(),
  }
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
