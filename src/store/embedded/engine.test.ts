import { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArchive } from '../../../tests/stores.ts'
import { findStoreTrouble } from '../store-trouble.ts'
import { createWatch } from '../store-watch.ts'
import { openEmbeddedStore } from '../database.ts'
import { embeddedDialect } from './embedded-dialect.ts'
import type { EngineReply, EngineRequest } from './engine-messages.ts'
import { createEngine, openEngine, type Engine, type EngineThread } from './engine.ts'

/** One for all tests that need a real one: to start it takes a second of work. */
let engine: Engine

beforeAll(async () => {
  engine = await openEngine({ folder: 'memory://', archive: await readArchive() }, createWatch())
})

afterAll(() => engine?.close())

/** A thread that answers with nothing, until it is told what to say. */
class ScriptedThread extends EventEmitter implements EngineThread {
  readonly asked: EngineRequest[] = []
  answer: (request: EngineRequest) => EngineReply = () => new Uint8Array()
  ended = 0

  constructor() {
    super()
    setImmediate(() => this.emit('message', new Uint8Array()))
  }

  postMessage(request: EngineRequest): void {
    this.asked.push(request)
    setImmediate(() => this.emit('message', this.answer(request)))
  }

  ref(): void {}

  unref(): void {}

  terminate(): Promise<number> {
    this.ended++
    return Promise.resolve(1)
  }
}

/** An error as the database sends it. */
function errorMessage(fields: Record<string, string>): Uint8Array {
  const body = Object.entries(fields).map(([key, value]) => `${key}${value}\0`)
  const text = Buffer.from(`${body.join('')}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(text.length + 4, 1)
  return new Uint8Array(Buffer.concat([head, text]))
}

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => findStoreTrouble(error)?.kind,
  )

it.each([
  ['says so', errorMessage({ S: 'PANIC', V: 'PANIC', C: '53100', M: 'No space left' })],
  ['is trapped', { failed: { name: 'RuntimeError', message: 'unreachable' } }],
])('asks an engine that %s nothing more, and says that it is broken', async (_how, crash) => {
  const thread = new ScriptedThread()
  const crashed = await createEngine(thread, createWatch())
  const db = new Kysely<Record<string, never>>({ dialect: embeddedDialect(crashed) })
  thread.answer = () => crash
  expect(crashed.broken.aborted).toBe(false)
  expect(await kindOf(db.transaction().execute((tx) => sql`select 1`.execute(tx)))).toBe('away')
  expect(crashed.broken.reason).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('has crashed'),
  })
  expect(thread.ended).toBe(1)
  const before = thread.asked.length
  expect(await kindOf(sql`select 1`.execute(db))).toBe('away')
  expect(await kindOf(db.transaction().execute((tx) => sql`select 1`.execute(tx)))).toBe('away')
  await crashed.close()
  expect(thread.asked.length).toBe(before)
})

it('is broken when its thread ends, and lets nobody wait', async () => {
  const thread = new ScriptedThread()
  const told: string[] = []
  const crashed = await createEngine(
    thread,
    createWatch((change) => told.push(Object.keys(change).join())),
  )
  thread.postMessage = () => void setImmediate(() => thread.emit('exit', 1))
  expect(await kindOf(crashed.run('select 1'))).toBe('away')
  expect(crashed.broken.reason).toMatchObject({ message: expect.stringContaining('Its thread has ended') })
  expect(told).toEqual(['away'])
})

it('leaves errors of statements as they are, with all that the database says', async () => {
  await engine.run('create table things (id int constraint only_positive check (id > 0))')
  await expect(engine.run('insert into things values (-1)')).rejects.toMatchObject({
    code: '23514',
    constraint: 'only_positive',
    table: 'things',
    detail: expect.stringContaining('-1'),
    message: expect.stringContaining('only_positive'),
  })
  await expect(engine.run('begin; select wrong')).rejects.toMatchObject({ code: '42703', position: '15' })
  expect(await engine.run('select count(*) as n from things')).toEqual([{ n: 0 }])
  expect(engine.broken.aborted).toBe(false)
})

it('hears what is told to a channel, until it is no longer listened to', async () => {
  const heard: string[] = []
  const end = await engine.listen('Some channel', (text) => heard.push(text))
  await engine.run(`select pg_notify('Some channel', 'one')`)
  await expect.poll(() => heard).toEqual(['one'])
  await end()
  await engine.run(`select pg_notify('Some channel', 'two')`)
  expect(heard).toEqual(['one'])
})

it('moves large values there and back', async () => {
  const db = new Kysely<Record<string, never>>({ dialect: embeddedDialect(engine) })
  const text = 'ä'.repeat(3_000_000)
  const { rows } = await sql<{ text: string; bytes: Uint8Array }>`
    select ${text}::text as text, ${Buffer.alloc(100_000, 7)}::bytea as bytes`.execute(db)
  expect(rows[0]?.text === text).toBe(true)
  expect(rows[0]?.bytes).toEqual(new Uint8Array(100_000).fill(7))
})

it('lets timers of the process fire while a statement runs', async () => {
  let fired = 0
  const timer = setInterval(() => fired++, 1)
  // Takes as long as it takes: without a thread, nothing could fire before it has ended.
  await engine.run('select count(*) from generate_series(1, 1000000)')
  clearInterval(timer)
  expect(fired).toBeGreaterThan(0)
})

it('can be copied while it is open, with all that was committed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-copy-'))
  try {
    await using store = await openEmbeddedStore(join(folder, 'store'))
    if (typeof store.connection === 'string') throw new Error('expected an embedded store')
    const { connection } = store
    await sql`create table notes (text text)`.execute(store.db)
    await sql`insert into notes values ('before')`.execute(store.db)
    await store.transaction((tx) => sql`insert into notes values ('committed')`.execute(tx))
    await connection.copy(join(folder, 'copy'))
    await sql`insert into notes values ('later')`.execute(store.db)
    await using copy = await openEmbeddedStore(join(folder, 'copy'))
    const { rows } = await sql<{ text: string }>`select text from notes`.execute(copy.db)
    expect(rows.map(({ text }) => text)).toEqual(['before', 'committed'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
