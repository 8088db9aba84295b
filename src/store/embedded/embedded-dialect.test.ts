import { PGlite } from '@electric-sql/pglite'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArchive } from '../../../tests/stores.ts'
import { createWatch } from '../store-watch.ts'
import { embeddedDialect } from './embedded-dialect.ts'
import { openEngine, type Engine } from './engine.ts'

interface Rows {
  notes: { id: number; text: string }
}

/** One for all tests: to start it takes a second of work. */
let engine: Engine

beforeAll(async () => {
  engine = await openEngine({ folder: 'memory://', archive: await readArchive() }, createWatch())
})

afterAll(() => engine?.close())

/** The instance as if it had just been started, with a table. */
async function open() {
  await engine.run('drop table if exists notes')
  await engine.run('discard all')
  const db = new Kysely<Rows>({ dialect: embeddedDialect(engine) })
  await sql`create table notes (id int primary key, text text not null)`.execute(db)
  const prepared = async (): Promise<number> =>
    Number(
      Object.values((await engine.run('select count(*)::int as n from pg_prepared_statements'))[0] ?? {})[0],
    )
  return { engine, db, prepared }
}

it('takes and gives values as PGlite does', async () => {
  const store = await open()
  const text =
    'select $1::text as a, $2::int as b, $3::jsonb as c, $4::bytea as d, $5::timestamptz as e, $6::text[] as f, $7::bool as g, $8::text as h, 7::int8 as i'
  const values = [
    'ä\u{1F600}',
    -7,
    { a: [1, 'x'] },
    new Uint8Array([0, 255, 92]),
    new Date('2026-01-02T03:04:05.678Z'),
    ['a', 'b"c', '{d}'],
    true,
    null,
  ]
  await using pglite = await PGlite.create('memory://', { loadDataDir: await readArchive() })
  const expected = (await pglite.query(text, values)).rows
  const query = CompiledQuery.raw(text, values)
  for (let n = 0; n < 8; n++) expect((await store.db.executeQuery(query)).rows).toEqual(expected)
})

it('says how many rows a statement has changed', async () => {
  const store = await open()
  const insert = store.db.insertInto('notes').values([
    { id: 1, text: 'a' },
    { id: 2, text: 'b' },
  ])
  expect((await insert.executeTakeFirst()).numInsertedOrUpdatedRows).toBe(2n)
  const update = store.db.updateTable('notes').set({ text: 'c' }).where('id', '=', 2)
  expect((await update.executeTakeFirst()).numUpdatedRows).toBe(1n)
  expect((await store.db.deleteFrom('notes').where('id', '=', 3).executeTakeFirst()).numDeletedRows).toBe(0n)
})

it('goes on after a statement that failed, in and out of a transaction', async () => {
  const store = await open()
  const add = (db: Kysely<Rows>) => db.insertInto('notes').values({ id: 1, text: 'a' }).execute()
  await add(store.db)
  const before = await store.prepared()
  for (let n = 0; n < 3; n++) {
    await expect(add(store.db)).rejects.toMatchObject({ code: '23505' })
    await expect(
      store.db.transaction().execute(async (tx) => {
        await tx.updateTable('notes').set({ text: 'changed' }).execute()
        await add(tx)
      }),
    ).rejects.toMatchObject({ code: '23505' })
  }
  await expect(sql`select wrong`.execute(store.db)).rejects.toMatchObject({ code: '42703' })
  expect(await store.db.selectFrom('notes').selectAll().execute()).toEqual([{ id: 1, text: 'a' }])
  expect(await store.prepared()).toBe(before + 2)
})

it('tells when a transaction was undone instead of committed', async () => {
  const store = await open()
  const work = store.db.transaction().execute(async (tx) => {
    await sql`select 1 / 0`.execute(tx).catch(() => undefined)
  })
  await expect(work).rejects.toMatchObject({ name: 'AbortedTransactionError' })
})

it('keeps statements of others out of a transaction', async () => {
  const store = await open()
  const order: string[] = []
  const between = Promise.withResolvers<unknown>()
  const transaction = store.db.transaction().execute(async (tx) => {
    await tx.insertInto('notes').values({ id: 1, text: 'a' }).execute()
    between.resolve(undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
    order.push('transaction')
  })
  await between.promise
  const others = [
    store.engine.run('select 1').then(() => order.push('other')),
    store.db
      .selectFrom('notes')
      .selectAll()
      .execute()
      .then(() => order.push('other')),
  ]
  await Promise.all([transaction, ...others])
  expect(order).toEqual(['transaction', 'other', 'other'])
})

it('answers at once what is asked at once', async () => {
  const store = await open()
  const texts = ['select 1 as n', 'values (2)', 'table notes', 'select 1 as n']
  await store.db.transaction().execute(async (tx) => {
    const answers = await Promise.all(texts.map((text) => sql.raw(text).execute(tx)))
    expect(answers.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ column1: 2 }], [], [{ n: 1 }]])
  })
})

it('prepares a statement again when its table has changed, and keeps a limited number', async () => {
  const store = await open()
  const all = store.db.selectFrom('notes').selectAll()
  await all.execute()
  await sql`alter table notes add column more int`.execute(store.db)
  // The engine refuses the old one once.
  await expect(all.execute()).rejects.toMatchObject({ code: '0A000' })
  expect(await all.execute()).toEqual([])
  for (let n = 0; n < 250; n++) await sql`select ${sql.lit(n)}`.execute(store.db)
  expect(await store.prepared()).toBe(200)
})

it('has a statement planned again when tables have grown', async () => {
  const store = await open()
  const one = store.db.selectFrom('notes').select('text').where('id', '=', 5)
  const planned = async () =>
    (
      await sql`select custom_plans + generic_plans as times from pg_prepared_statements where statement = ${one.compile().sql}`.execute(
        store.db,
      )
    ).rows
  for (let n = 0; n < 8; n++) await one.execute()
  expect(await planned()).toEqual([{ times: 8 }])
  await sql`insert into notes select n, 'a' from generate_series(1, 5000) n`.execute(store.db)
  expect(await one.execute()).toEqual([{ text: 'a' }])
  expect(await planned()).toEqual([{ times: 1 }])
})
