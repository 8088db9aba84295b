import { sql } from 'kysely'
import { fromKysely, PgBoss, type ConstructorOptions } from 'pg-boss'
import { pause } from '../lib/pause.ts'
import { newId } from '../lib/ids.ts'
import type { Reader, Store, Tx } from './database.ts'
import { readPostgresAddress } from './postgres/address.ts'
import { listen } from './postgres/listener.ts'
import { openConnections } from './postgres/pool.ts'
import { queueSchema } from './queue-schema.ts'
import { StoreTrouble, toStoreTrouble } from './store-trouble.ts'
import { createWatch } from './store-watch.ts'

type QueueName = 'job' | 'sync' | 'enrich'

/** Messages that wait and could run now, for how many seconds the first of them has, and those that run. */
interface Backlog {
  queue: QueueName
  waiting: number
  oldest: number
  running: number
}

/** Messages only say "there is something to do for this key"; what and in which order stands in our own rows. */
export interface Queue {
  /**
   * Sends a message in the transaction that creates the reason for it. It is not delivered before `delay` seconds have
   * passed.
   */
  send(tx: Tx, name: QueueName, key: string, options?: { delay?: number | undefined }): Promise<void>
  /** The same for several keys in one statement. */
  sendAll(tx: Tx, name: QueueName, keys: readonly string[]): Promise<void>
  /**
   * Runs `handler` for one key at a time, `concurrency` keys at once. Handlers are written to be run twice. A message
   * of a job may meet another one of its key: it only says that some job has something to do.
   */
  work(name: QueueName, concurrency: number, handler: (key: string) => Promise<void>): Promise<void>
  /**
   * Keys with a message that waits or runs.
   * @param among those of interest; all when absent
   */
  liveKeys(name: QueueName, among?: readonly string[], reader?: Reader): Promise<Set<string>>
  /** How many messages could run now if there were more workers. */
  countWaiting(name: QueueName): Promise<number>
  /** How much each queue has to do. */
  backlogs(): Promise<Backlog[]>
  /**
   * Returns messages of processes that have ended to their queue, and deletes those that are over. One process does it
   * for all, every `tendEvery` seconds.
   */
  tend(): Promise<void>
  tendEvery: number
  /** Takes no more messages, waits up to `seconds` for running ones, and returns the rest to the queue. */
  stop(seconds: number): Promise<void>
}

const names: QueueName[] = ['job', 'sync', 'enrich']
/** Milliseconds between two looks for messages that nobody was notified of, and where nobody is notified at all. */
const lookEvery = { notified: 3000, otherwise: 1000 }
/** Connections of the queue to PostgreSQL, beside the one that listens. */
export const queueConnections = 4
// Far longer than any turn: turns are ended by their own limits, never by the queue's.
const options = {
  policy: 'key_strict_fifo',
  notify: true,
  retryLimit: 1_000_000,
  retryDelay: 1,
  expireInSeconds: 23 * 3600,
  retentionSeconds: 365 * 24 * 3600,
  deleteAfterSeconds: 600,
  heartbeatSeconds: 10,
}

/**
 * @param onError called for errors in the background, except that the database is away or full, which the store
 * reports
 */
export async function openQueue(store: Store, onError: (error: unknown) => void): Promise<Queue> {
  // How soon the message of a process that died is delivered again. With the embedded store there is no other
  // process.
  const tendEvery = store.engine === 'postgres' ? 3 : 30
  const schema = await queueSchema(store.db)
  const jobs = sql.raw(`${schema.name}.job`)
  const database =
    typeof store.connection === 'string'
      ? postgresDatabase(store.connection)
      : embeddedDatabase(store, store.connection)
  const boss = new PgBoss({
    db: database.db,
    backend: store.engine,
    schema: schema.name,
    // To make one takes a right that the user may lack, even where it is there.
    createSchema: !schema.exists,
    useListenNotify: true,
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: tendEvery - 1,
    monitorVacuum: false,
    reindex: store.engine === 'postgres',
  })
  boss.on('error', (error) => {
    const named = toStoreTrouble(error)
    if (named instanceof StoreTrouble ? named.kind === 'busy' : true) onError(asError(named))
  })
  await withNames(async () => {
    await boss.start()
    for (const name of names) {
      await boss.createQueue(name, options)
      // The first use of a queue must not fall into a transaction: on PGlite that is a deadlock.
      await boss.getBlockedKeys(name)
      if (store.engine === 'pglite') await takeBack(boss, name)
    }
  })
  const readyQueues = async (): Promise<QueueName[]> => {
    const { rows } = await sql<{ name: QueueName }>`
      select distinct name from ${jobs} where name in (${sql.join(names)}) and state < 'active' and start_after <= now()
    `.execute(store.db)
    return rows.map(({ name }) => name)
  }
  const workers = new Map<QueueName, string[]>()
  const looking = new AbortController()
  // Workers are notified of new messages at once, but not of those that were delayed or returned. One look for all of
  // them costs less than that each of them asks.
  const look = async (): Promise<void> => {
    while (!looking.signal.aborted) {
      const ready = await readyQueues().catch(() => [])
      for (const worker of ready.flatMap((name) => workers.get(name) ?? [])) boss.notifyWorker(worker)
      await pause(database.isListening() ? lookEvery.notified : lookEvery.otherwise, looking.signal)
    }
  }
  return {
    tendEvery,
    tend: () => withNames(() => boss.supervise()),
    async send(tx, name, key, options) {
      await withNames(() =>
        boss.send(
          name,
          { key },
          {
            singletonKey: orderOf(name, key),
            ...(options?.delay !== undefined && { startAfter: options.delay }),
            db: fromKysely(tx),
          },
        ),
      )
    },
    async sendAll(tx, name, keys) {
      if (keys.length === 0) return
      const messages = keys.map((key) => ({ data: { key }, singletonKey: orderOf(name, key) }))
      await withNames(() => boss.insert(name, messages, { db: fromKysely(tx) }))
    },
    async work(name, concurrency, handler) {
      if (workers.size === 0) look().catch(() => undefined)
      const ids: string[] = []
      workers.set(name, ids)
      for (let n = 0; n < concurrency; n++) {
        let worker = ''
        worker = await boss.work<{ key: string }>(
          name,
          {
            batchSize: 1,
            // Where notifications do not arrive.
            pollingIntervalSeconds: 1,
            notifyPollingIntervalSeconds: 30,
            heartbeatRefreshSeconds: 3,
          },
          async ([message]) => {
            try {
              if (message) await handler(message.data.key)
            } finally {
              // The next message may wait already, and the worker would otherwise sleep for its interval first.
              boss.notifyWorker(worker)
            }
          },
        )
        ids.push(worker)
      }
    },
    // The library fetches whole rows of all messages, those that are done too.
    async liveKeys(name, among, reader = store.db) {
      const wanted = among === undefined ? sql`true` : sql`data->>'key' in (${sql.join([...among, ''])})`
      const { rows } = await sql<{ key: string }>`
        select data->>'key' as key from ${jobs} where name = ${name} and state <= 'active' and ${wanted}
      `.execute(reader)
      return new Set(rows.map(({ key }) => key))
    },
    async countWaiting(name) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int8 as count from ${jobs} where name = ${name} and state < 'active' and start_after <= now()
      `.execute(store.db)
      return rows[0]?.count ?? 0
    },
    async backlogs() {
      const { rows } = await sql<Backlog>`
        select name as queue, count(*) filter (where waits)::int8 as waiting, count(*) filter (where not waits)::int8 as running,
          coalesce(extract(epoch from now() - min(greatest(created_on, start_after)) filter (where waits)), 0)::float8 as oldest
        from (select name, created_on, start_after, state < 'active' as waits from ${jobs}
          where state <= 'active' and (state = 'active' or start_after <= now())) as live
        group by name
      `.execute(store.db)
      const nothing = { waiting: 0, oldest: 0, running: 0 }
      return names.map((queue) => rows.find((row) => row.queue === queue) ?? { queue, ...nothing })
    },
    async stop(seconds) {
      looking.abort()
      await boss.stop({ graceful: true, timeout: seconds * 1000, close: true })
      await database.close()
    },
  }
}

// Messages of one job need no order among each other: who works on which job stands in our own rows.
function orderOf(name: QueueName, key: string): string {
  return name === 'job' ? newId('msg') : key
}

interface QueueDatabase {
  db: NonNullable<ConstructorOptions['db']>
  /** Whether workers are notified of new messages. */
  isListening(): boolean
  close(): Promise<void>
}

// Connections of the queue's own, so that it does not wait for what requests ask.
function postgresDatabase(address: string): QueueDatabase {
  const connections = openConnections(readPostgresAddress(address), { max: queueConnections }, createWatch())
  let isListening = (): boolean => false
  return {
    isListening: () => isListening(),
    close: () => connections.pool.end(),
    db: {
      async executeSql(text, values) {
        const client = await connections.pool.connect()
        try {
          return await client.query<unknown>(text, values ?? [])
        } finally {
          client.release()
        }
      },
      async listen(channel, hear, onListening) {
        const listener = await listen(connections, { channel, hear, onListening })
        isListening = listener.isListening
        return listener
      },
    },
  }
}

// Single statements stay prepared, as in the store. Most of them fetch the next message.
function embeddedDatabase({ db }: Store, engine: Exclude<Store['connection'], string>): QueueDatabase {
  const single = fromKysely(db)
  return {
    isListening: () => true,
    close: () => Promise.resolve(),
    db: {
      executeSql: async (text, values) =>
        (values !== undefined && values.length > 0) ||
        /^\s*(?:select|insert|update|delete|with)\b[^;]*$/i.test(text)
          ? single.executeSql(text, values)
          : { rows: await engine.run(text) },
      async listen(channel, onNotification, onReconnect) {
        const end = await engine.listen(channel, onNotification)
        onReconnect()
        return { close: end }
      },
    },
  }
}

// What the library reports is often a copy without a class, which says nothing in a log.
function asError(error: unknown): Error {
  if (error instanceof Error) return error
  const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : error
  return new Error(String(message), { cause: error })
}

// The queue has connections of its own, and its errors are those of the driver.
async function withNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStoreTrouble(error)
  }
}

// No other process uses the embedded store, so messages that are recorded as running were left by a process that
// has ended, and are delivered again without waiting for their heartbeat to expire.
async function takeBack(boss: PgBoss, name: QueueName): Promise<void> {
  const left = (await boss.findJobs(name)).filter(({ state }) => state === 'active').map(({ id }) => id)
  if (left.length > 0) await boss.fail(name, left)
}
