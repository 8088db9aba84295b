import { Client } from 'pg'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { preparedPostgres } from '../../../tests/prepared-stores.ts'
import { createTestDatabase } from '../../../tests/prepared-stores.ts'
import { openPostgresStore } from '../database.ts'
import { findStoreTrouble } from '../store-trouble.ts'

function kindOf(error: unknown): string | undefined {
  return findStoreTrouble(error)?.kind
}

it('names what happens when connections end while they are in use, tells it once, and goes on', async () => {
  const url = await createTestDatabase()
  const told: string[] = []
  await using store = await openPostgresStore(url, (change) => told.push('away' in change ? 'away' : 'back'))
  const admin = new Client({ connectionString: (await preparedPostgres()).url })
  await admin.connect()
  const endAll = (): Promise<unknown> =>
    admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      new URL(url).pathname.slice(1),
    ])
  // One connection waits for its answer, the other for its owner.
  const asking = sql`select pg_sleep(30)`.execute(store.db).catch(kindOf)
  const holding = store
    .transaction(async (tx) => {
      await sql`select 1`.execute(tx)
      await endAll()
      await asking
      await sql`select 1`.execute(tx)
    })
    .catch(kindOf)
  expect([await asking, await holding]).toEqual(['away', 'away'])
  const { rows } = await sql`select 1 as one`.execute(store.db)
  expect(rows).toEqual([{ one: 1 }])
  expect(told).toEqual(['away', 'back'])
  await admin.end()
})

it('names a statement that is cancelled, a lock that does not come, and a database that only reads', async () => {
  await using store = await openPostgresStore(await createTestDatabase())
  const failing = (setting: string, statement: string): Promise<unknown> =>
    store
      .transaction(async (tx) => {
        await sql.raw(`set local ${setting}`).execute(tx)
        await sql.raw(statement).execute(tx)
      })
      .catch(kindOf)
  expect(await failing('statement_timeout = 50', 'select pg_sleep(5)')).toBe('busy')
  expect(await failing('transaction_read_only = on', 'create table x (a int)')).toBe('away')
  expect(await failing('statement_timeout = 50', 'select wrong')).toBeUndefined()
})

it.each([
  [
    'nobody listens',
    () => 'postgres://user:hidden@127.0.0.1:1/x',
    /127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/,
  ],
  [
    'the host is unknown',
    () => 'postgres://user:hidden@no-host.invalid/x',
    /no-host\.invalid:5432 cannot be reached/,
  ],
  ['the password is wrong', () => changed({ password: 'hidden' }), /refuses the user "postgres"/],
  ['the database is missing', () => changed({ pathname: '/nothing-here' }), /no database "nothing-here"/],
])('says in one line at start that %s', async (_, address, message) => {
  const error: unknown = await openPostgresStore(await address()).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(message) })
  expect(String(error)).not.toMatch(/hidden|\n/)
})

async function changed(parts: Partial<Pick<URL, 'password' | 'pathname'>>): Promise<string> {
  return Object.assign(new URL((await preparedPostgres()).url), parts).href
}
