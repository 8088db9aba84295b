import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnBothEngines, openTestStore } from '../../tests/stores.ts'
import { json } from './database.ts'
import { migrate } from './migrate.ts'
import { tidyTables } from './tidy-tables.ts'

describeOnBothEngines('the store', (store) => {
  it('applies every migration once', async () => {
    expect(await migrate(store())).toEqual([])
  })

  it('reads counts as numbers', async () => {
    const { rows } = await sql<{ count: unknown }>`select count(*) as count from organizations`.execute(
      store().db,
    )
    expect(rows).toEqual([{ count: 0 }])
  })

  it('undoes the whole transaction when a part fails', async () => {
    await expect(
      store().transaction(async (tx) => {
        await tx.insertInto('organizations').values({ id: 'org_undone', name: 'x' }).execute()
        throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    const found = await store().db.selectFrom('organizations').selectAll().execute()
    expect(found).toEqual([])
  })

  it('throws at a query outside the open transaction, which would hang the embedded engine', async () => {
    await expect(
      store().transaction(() => store().db.selectFrom('organizations').selectAll().execute()),
    ).rejects.toThrow('outside the open transaction')
    await expect(store().transaction(() => store().transaction(() => Promise.resolve()))).rejects.toThrow(
      'outside the open transaction',
    )
  })

  it('does a transaction again that met another one in a deadlock', async () => {
    if (store().engine === 'pglite') return
    await store().transaction((tx) =>
      tx
        .insertInto('organizations')
        .values(['org_1', 'org_2'].map((id) => ({ id, name: '' })))
        .execute(),
    )
    const bothLocked = Promise.withResolvers<void>()
    let locked = 0
    const rename = (...ids: [string, string]): Promise<void> =>
      store().transaction(async (tx) => {
        for (const id of ids) {
          await sql`update organizations set name = name || 'x' where id = ${id}`.execute(tx)
          if (++locked === 2) bothLocked.resolve()
          await bothLocked.promise
        }
      })
    await Promise.all([rename('org_1', 'org_2'), rename('org_2', 'org_1')])
    const found = await store()
      .db.selectFrom('organizations')
      .select('name')
      .where('name', '=', 'xx')
      .execute()
    expect(found).toHaveLength(2)
    await store().transaction((tx) => tx.deleteFrom('organizations').execute())
  })

  it('keeps JSON, bytes and times as they were written', async () => {
    const at = new Date('2026-01-02T03:04:05.678Z')
    await store().transaction(async (tx) => {
      await tx.insertInto('organizations').values({ id: 'org_a', name: 'a', created_at: at }).execute()
      await tx
        .insertInto('keys')
        .values({
          id: 'key_a',
          kind: 'admin',
          organization_id: 'org_a',
          name: '',
          hash: 'h',
          hint: '',
          origins: json(['https://a.example']),
        })
        .execute()
    })
    const key = await store().db.selectFrom('keys').selectAll().executeTakeFirstOrThrow()
    const organization = await store().db.selectFrom('organizations').selectAll().executeTakeFirstOrThrow()
    expect(key.origins).toEqual(['https://a.example'])
    expect(organization.created_at).toEqual(at)
    expect(organization.is_default).toBe(false)
  })

  it('plans by the present size of tables that have grown', async () => {
    await store().transaction((tx) =>
      sql`insert into people (id, name, email) select 'per_' || i, 'Ann', i from generate_series(1, 2000) i`.execute(
        tx,
      ),
    )
    const analyzed = async () => {
      const { rows } = await sql<{ times: number }>`
        select analyze_count as times from pg_stat_user_tables where relname = 'people'`.execute(store().db)
      return rows[0]?.times
    }
    // Counters are written down every second otherwise.
    await sql`select pg_stat_force_next_flush()`.execute(store().db)
    const before = (await analyzed()) ?? 0
    // A server does that by itself, when it comes to it.
    const once = store().engine === 'pglite' ? before + 1 : before
    for (let n = 0; n < 2; n++) await tidyTables(store())
    expect(await analyzed()).toBe(once)
  })

  it('plans by the present size of tables that have grown before it was opened', async () => {
    if (store().engine === 'postgres') return
    await sql`insert into organizations (id, name) select 'org_grown_' || i, repeat('x', 500) from generate_series(1, 2000) i`.execute(
      store().db,
    )
    await sql`select pg_stat_force_next_flush()`.execute(store().db)
    // As after a restart.
    await sql`select pg_stat_reset()`.execute(store().db)
    await tidyTables(store())
    const { rows } = await sql<{ rows: number }>`
      select reltuples::int as rows from pg_class where relname = 'organizations'`.execute(store().db)
    expect(rows[0]?.rows).toBeGreaterThanOrEqual(2000)
    await sql`delete from organizations where id like 'org_grown_%'`.execute(store().db)
  })
})

it('ends what is being written when it is closed, and refuses what comes later', async () => {
  const store = await openTestStore()
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = store.transaction(async (tx) => {
    begun.resolve()
    await goOn.promise
    await tx.insertInto('organizations').values({ id: 'org_last', name: 'x' }).execute()
    return 'written'
  })
  await begun.promise
  const closed = store[Symbol.asyncDispose]()
  const refused = { name: 'StoreTrouble', kind: 'closed' }
  await expect(store.transaction(() => Promise.resolve())).rejects.toMatchObject(refused)
  await expect(store.db.selectFrom('organizations').selectAll().execute()).rejects.toMatchObject(refused)
  goOn.resolve()
  expect(await writing).toBe('written')
  await closed
  await expect(store.transaction(() => Promise.resolve())).rejects.toMatchObject(refused)
})
