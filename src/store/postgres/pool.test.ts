import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../../../tests/prepared-stores.ts'
import { openPostgresStore, storeConnections } from '../database.ts'

afterEach(() => void vi.useRealTimers())

it('serves queries that come at once with a few connections', async () => {
  await using store = await openPostgresStore(await createTestDatabase())
  // No time passes: nobody gives up waiting for one that comes free.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  await Promise.all(Array.from({ length: 40 }, () => sql`select 1`.execute(store.db)))
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from pg_stat_activity
    where datname = current_database()`.execute(store.db)
  expect(rows[0]?.open).toBeLessThan(storeConnections / 2)
})

it('opens as many as are needed at once', async () => {
  await using store = await openPostgresStore(await createTestDatabase())
  let inside = 0
  const all = Promise.withResolvers<undefined>()
  const enter = (): Promise<void> =>
    store.transaction(async () => {
      if (++inside === storeConnections) all.resolve(undefined)
      await all.promise
    })
  await Promise.all(Array.from({ length: storeConnections }, enter))
  expect(inside).toBe(storeConnections)
})
