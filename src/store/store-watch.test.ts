import { PGlite } from '@electric-sql/pglite'
import { Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { readArchive } from '../../tests/stores.ts'
import { embeddedDialect } from './embedded-dialect.ts'
import { findStoreTrouble } from './store-trouble.ts'
import { createWatch, watchEmbedded } from './store-watch.ts'

async function openEngine(): Promise<PGlite> {
  return PGlite.create('memory://', { loadDataDir: await readArchive() })
}

/** An engine that crashes at the word, as a full disk makes it crash, and must not be asked again. */
async function crashing(): Promise<{ pglite: PGlite; asked: string[] }> {
  const pglite = await openEngine()
  const asked: string[] = []
  const real = pglite.execProtocolStream.bind(pglite)
  pglite.execProtocolStream = (message, options) => {
    const text = Buffer.from(message).toString('latin1')
    asked.push(text)
    if (!text.includes('crash')) return real(message, options)
    return Promise.reject(Object.assign(new Error('No space left'), { code: '53100', severity: 'PANIC' }))
  }
  return { pglite, asked }
}

it('asks an engine that has crashed nothing more, and says that it is broken', async () => {
  const { pglite, asked } = await crashing()
  const broken = watchEmbedded(pglite, createWatch())
  const db = new Kysely<Record<string, never>>({ dialect: embeddedDialect(pglite) })
  await sql`select 1`.execute(db)
  expect(broken.aborted).toBe(false)
  const failure = db.transaction().execute((tx) => sql`select 'crash'`.execute(tx))
  expect(findStoreTrouble(await failure.catch((error: unknown) => error))?.kind).toBe('away')
  expect(broken.reason).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('has crashed'),
  })
  const before = asked.length
  const query = sql`select 1`.execute(db)
  expect(findStoreTrouble(await query.catch((error: unknown) => error))?.kind).toBe('away')
  const transaction = db.transaction().execute((tx) => sql`select 1`.execute(tx))
  expect(findStoreTrouble(await transaction.catch((error: unknown) => error))?.kind).toBe('away')
  expect(asked.length).toBe(before)
})

it('leaves errors of statements as they are', async () => {
  const pglite = await openEngine()
  const broken = watchEmbedded(pglite, createWatch())
  await expect(pglite.query('select wrong')).rejects.toMatchObject({ code: '42703' })
  expect(broken.aborted).toBe(false)
  await pglite.close()
})
