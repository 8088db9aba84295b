import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe } from 'vitest'
import { openEmbeddedStore, openPostgresStore, type Store } from '../src/store/database.ts'
import { borrowEmbedded } from './borrowed-store.ts'
import { createPreparedDatabase, preparedArchive } from './prepared-stores.ts'

type Engine = 'postgres' | 'pglite'

/** Runs the same tests on an embedded store and on a real PostgreSQL, both freshly migrated: where SQL is the subject. */
export function describeOnBothEngines(name: string, tests: (store: () => Store) => void): void {
  // The embedded one second: its memory is not given back, and makes every start of a process slower.
  for (const engine of ['postgres', 'pglite'] as const) describeOn(engine, name, tests)
}

/** Runs tests that need a store of some engine: on PostgreSQL, and on both with `npm run test:all`. */
export function describeOnStore(name: string, tests: (store: () => Store) => void): void {
  if (process.env['TEST_ALL'] === undefined) describeOn('postgres', name, tests)
  else describeOnBothEngines(name, tests)
}

/** A migrated store without rows, of some engine: PostgreSQL, which costs less, and with `npm run test:all` the embedded one. */
export function openTestStore(): Promise<Store> {
  return process.env['TEST_ALL'] === undefined ? openTestPostgres() : openTestEmbedded()
}

function describeOn(engine: Engine, name: string, tests: (store: () => Store) => void): void {
  describe(`${name} (${engine})`, () => {
    let store: Store | undefined
    beforeAll(async () => {
      store = engine === 'pglite' ? await borrowEmbedded(openTestEmbedded) : await openTestPostgres()
    })
    afterAll(() => store?.[Symbol.asyncDispose]())
    tests(() => {
      if (!store) throw new Error('the store is open only while tests run')
      return store
    })
  })
}

/** An embedded store in memory. */
async function openTestEmbedded(): Promise<Store> {
  return openEmbeddedStore('memory://', { archive: await readArchive() })
}

/** What an embedded store in memory is opened from. */
export async function readArchive(): Promise<Blob> {
  return new Blob([await readFile((await preparedArchive()) ?? '')])
}

async function openTestPostgres(): Promise<Store> {
  return openPostgresStore(await createPreparedDatabase())
}
