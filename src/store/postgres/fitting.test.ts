import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { preparedPostgres } from '../../../tests/prepared-stores.ts'
import { createTestDatabase } from '../../../tests/prepared-stores.ts'
import { openPostgresStore, type Store } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openQueue } from '../queue.ts'
import { connectionRoom, connectionsOfProcess, connectionsShort } from '../connection-room.ts'
import { findStoreTrouble } from '../store-trouble.ts'

it('refuses a database that is not in UTF8, and says how to make one', async () => {
  const name = `latin_${process.pid}`
  const { url } = await preparedPostgres()
  await asAdmin(url, `create database ${name} encoding 'LATIN1' locale 'C' template template0`)
  await expect(openPostgresStore(Object.assign(new URL(url), { pathname: `/${name}` }).href)).rejects.toThrow(
    `The database "${name}" of DATABASE_URL has the encoding LATIN1`,
  )
})

it('refuses a database that takes no writes', async () => {
  const url = `${await createTestDatabase()}?options=-cdefault_transaction_read_only%3Don`
  await expect(openPostgresStore(url)).rejects.toThrow(
    /doesn’t accept writes, as a standby does; name the primary/,
  )
})

it('goes to the one of several hosts that answers, with a socket too', async () => {
  const { port, pathname } = new URL(await createTestDatabase())
  await using store = await openPostgresStore(
    `postgres://postgres:postgres@127.0.0.1:1,localhost:${port}${pathname}?target_session_attrs=read-write`,
  )
  await sql`select 1`.execute(store.db)
  const { rows } = await sql<{ folder: string }>`
    select split_part(current_setting('unix_socket_directories'), ',', 1) as folder`.execute(store.db)
  await using beside = await openPostgresStore(
    `postgres://postgres:postgres@${pathname}?host=${rows[0]?.folder}&port=${port}`,
  )
  const { rows: socket } = await sql`select inet_client_addr() as address`.execute(beside.db)
  expect(socket).toEqual([{ address: null }])
  await expect(openPostgresStore('postgres://127.0.0.1:1,127.0.0.1:2/docs')).rejects.toThrow(
    /127\.0\.0\.1:1 or 127\.0\.0\.1:2 cannot be reached: .*:1, .*:2; start it/,
  )
})

it('keeps messages of two installations in schemas of their own apart', async () => {
  const url = await createTestDatabase()
  await asAdmin(url, 'create schema one; create schema "Two-2"')
  const open = async (schema: string) => {
    const store = await openPostgresStore(`${url}?options=-csearch_path%3D${encodeURIComponent(schema)}`)
    onTestFinished(() => store[Symbol.asyncDispose]())
    await migrate(store)
    const queue = await openQueue(store, () => undefined)
    onTestFinished(() => queue.stop(5))
    return { store, queue, heard: [] as string[] }
  }
  const [one, two] = [await open('one'), await open('"Two-2"')]
  for (const { queue, heard } of [one, two])
    await queue.work('sync', 2, (key) => Promise.resolve(void heard.push(key)))
  const keys = Array.from({ length: 10 }, (_, n) => `for one ${n}`)
  await one.store.transaction((tx) => one.queue.sendAll(tx, 'sync', keys))
  await two.store.transaction((tx) => two.queue.send(tx, 'sync', 'for two'))
  await vi.waitFor(() => expect(one.heard.length + two.heard.length).toBe(11), { timeout: 120_000 })
  expect([one.heard.toSorted(), two.heard]).toEqual([keys, ['for two']])
})

it('takes a queue schema that an administrator has made, and a user who may make none', async () => {
  const url = await createTestDatabase()
  const user = `docs_${process.pid}`
  await asAdmin(
    url,
    `create user ${user} password 'x'; create schema docs authorization ${user}; create schema pgboss_docs authorization ${user}; alter user ${user} set search_path = docs`,
  )
  await using store = await openPostgresStore(
    Object.assign(new URL(url), { username: user, password: 'x' }).href,
  )
  await migrate(store)
  const queue = await openQueue(store, () => undefined)
  await store.transaction((tx) => queue.send(tx, 'job', 'a'))
  expect(await queue.liveKeys('job')).toEqual(new Set(['a']))
  await queue.stop(5)
})

it('waits for a free connection as for a database that is away', async () => {
  const url = await createTestDatabase()
  const user = `few_${process.pid}`
  await asAdmin(url, `create user ${user} password 'x' connection limit 2`)
  const changes: string[] = []
  await using store = await openPostgresStore(
    Object.assign(new URL(url), { username: user, password: 'x' }).href,
    (change) => changes.push(Object.keys(change).join()),
  )
  const holding = await Promise.all([holdConnection(store), holdConnection(store)])
  const third: unknown = await sql`select 1`.execute(store.db).catch((error: unknown) => error)
  expect(findStoreTrouble(third)?.kind).toBe('away')
  for (const release of holding) await release()
  await sql`select 1`.execute(store.db)
  expect(changes).toEqual(['away', 'backAfter'])
})

it('counts the connections that PostgreSQL grants, and says when processes may open more', async () => {
  const url = await createTestDatabase()
  const user = `counted_${process.pid}`
  await using store = await openPostgresStore(url)
  // 200 without the three that are kept for administrators.
  expect(await connectionRoom(store)).toBe(197)
  expect(connectionsShort(197, 9)).toBeUndefined()
  expect(connectionsShort(197, 10)).toBe(
    'The 10 processes may open 210 connections to PostgreSQL, which grants 197',
  )
  await asAdmin(url, `create user ${user} password 'x' connection limit 15`)
  await using limited = await openPostgresStore(
    Object.assign(new URL(url), { username: user, password: 'x' }).href,
  )
  expect(await connectionRoom(limited)).toBe(15)
})

it('opens no more connections than it says', async () => {
  const url = await createTestDatabase((await preparedPostgres()).template)
  await using store = await openPostgresStore(url)
  const queue = await openQueue(store, () => undefined)
  onTestFinished(() => queue.stop(5))
  await queue.work('job', 8, () => Promise.resolve())
  await Promise.all(
    Array.from({ length: 60 }, () => store.transaction((tx) => sql`select pg_sleep(0.2)`.execute(tx))),
  )
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database()`.execute(store.db)
  expect(rows[0]?.count).toBeGreaterThan(16)
  expect(rows[0]?.count).toBeLessThanOrEqual(connectionsOfProcess)
})

it('does not call a database away because one statement is slow', async () => {
  const changes: unknown[] = []
  await using store = await openPostgresStore(await createTestDatabase(), (change) => changes.push(change))
  const error: unknown = await store
    .transaction(async (tx) => {
      await sql`set local statement_timeout = 50`.execute(tx)
      await sql`select pg_sleep(5)`.execute(tx)
    })
    .catch((thrown: unknown) => thrown)
  expect(findStoreTrouble(error)?.kind).toBe('busy')
  expect(changes).toEqual([])
})

async function holdConnection(store: Store): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const done = store.transaction(async (tx) => {
    await sql`select 1`.execute(tx)
    held.resolve()
    await over.promise
  })
  await held.promise
  return () => {
    over.resolve()
    return done
  }
}

async function asAdmin(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.end()
}
