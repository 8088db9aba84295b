import { sql } from 'kysely'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startPgbouncer, withoutPgbouncer } from '../../../tests/pgbouncer.ts'
import { preparedPostgres } from '../../../tests/prepared-stores.ts'
import { createTestDatabase } from '../../../tests/prepared-stores.ts'
import { openPostgresStore } from '../database.ts'
import { openQueue } from '../queue.ts'

const waiting = { timeout: 120_000 }

describe.skipIf(withoutPgbouncer !== undefined)(`a pooler, PgBouncer ${withoutPgbouncer ?? ''}`, () => {
  it.each([[[]], [['pool_mode = transaction']], [['pool_mode = transaction', 'default_pool_size = 3']]])(
    'takes what the store and the queue ask of it, and may be restarted (%j)',
    async (settings) => {
      const pgbouncer = await startPgbouncer(
        await createTestDatabase((await preparedPostgres()).template),
        settings,
      )
      onTestFinished(() => pgbouncer.stop())
      await using store = await openPostgresStore(pgbouncer.url)
      expect(store.isBehindPooler()).toBe(true)
      const queue = await openQueue(store, () => undefined)
      const done: string[] = []
      await queue.work('job', 2, (key) => Promise.resolve(void done.push(key)))
      const send = (key: string): Promise<void> => store.transaction((tx) => queue.send(tx, 'job', key))
      await send('before')
      await vi.waitFor(() => expect(done).toEqual(['before']), waiting)
      await pgbouncer.restart()
      await vi.waitFor(() => sql`select 1`.execute(store.db), waiting)
      await Promise.all(Array.from({ length: 20 }, (_, n) => send(`after ${n}`)))
      await vi.waitFor(() => expect(new Set(done).size).toBe(21), waiting)
      const limit = await store.transaction((tx) =>
        sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(tx),
      )
      expect(limit.rows).toEqual([{ limit: '30s' }])
      await queue.stop(5)
    },
  )
})

it('says nothing before it is connected that a pooler could refuse', async () => {
  const names: string[][] = []
  const server = createServer((socket) => {
    socket.once('data', (request) => {
      // It asks for TLS first.
      socket.write('N')
      if (request.length === 8) return
      names.push(parametersOf(request).toSorted())
      socket.destroy()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await openPostgresStore(`postgres://user:hidden@127.0.0.1:${port}/docs`).catch(() => undefined)
  expect(names).toEqual([['application_name', 'client_encoding', 'database', 'user']])
})

/** The names of the first message of a connection. */
function parametersOf(message: Buffer): string[] {
  return message
    .subarray(8)
    .toString()
    .split('\0')
    .filter((_, index) => index % 2 === 0)
    .filter((name) => name !== '')
}
