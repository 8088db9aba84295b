import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { openEmbeddedStore, openPostgresStore } from '../src/store/database.ts'
import type { Store } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'

/** Runs the same tests on an embedded store and on a real PostgreSQL, both freshly migrated. */
export function describeOnBothEngines(name: string, tests: (store: () => Store) => void): void {
  describe.each(['pglite', 'postgres'] as const)(`${name} (%s)`, (engine) => {
    let store: Store | undefined
    beforeAll(async () => {
      store = engine === 'pglite' ? await openEmbeddedStore('memory://') : await openTestPostgres()
      await migrate(store)
    })
    afterAll(() => store?.[Symbol.asyncDispose]())
    tests(() => {
      if (!store) throw new Error('the store is open only while tests run')
      return store
    })
  })
}

/** A store in a new, empty database of the run's PostgreSQL server. */
async function openTestPostgres(): Promise<Store> {
  return openPostgresStore(await createTestDatabase())
}

/** The address of a new, empty database of the run's PostgreSQL server. */
export async function createTestDatabase(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(inject('postgresUrl'))
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}
