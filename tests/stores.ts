import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { openEmbeddedStore, openPostgresStore } from '../src/store/database.ts'
import type { Store } from '../src/store/database.ts'

/** Runs the same tests on an embedded store and on a real PostgreSQL, both freshly migrated. */
export function describeOnBothEngines(name: string, tests: (store: () => Store) => void): void {
  // The embedded one second: its memory is not given back, and makes every start of a process slower.
  describe.each(['postgres', 'pglite'] as const)(`${name} (%s)`, (engine) => {
    let store: Store | undefined
    beforeAll(async () => {
      store = engine === 'pglite' ? await openTestEmbedded() : await openTestPostgres()
    })
    afterAll(() => store?.[Symbol.asyncDispose]())
    tests(() => {
      if (!store) throw new Error('the store is open only while tests run')
      return store
    })
  })
}

/** An embedded store in memory, migrated and without rows. */
export async function openTestEmbedded(): Promise<Store> {
  const archive = process.env['TEST_STORE_ARCHIVE'] ?? ''
  return openEmbeddedStore('memory://', { archive: new Blob([await readFile(archive)]) })
}

async function openTestPostgres(): Promise<Store> {
  return openPostgresStore(await createTestDatabase(inject('preparedDatabase')))
}

/** The address of a new database of the run's PostgreSQL server: empty, or a copy of the one that `template` names. */
export async function createTestDatabase(template = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(inject('postgresUrl'))
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}
