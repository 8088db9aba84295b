/**
 * What starting the server costs, and what it uses when idle.
 *
 *   node bench/start.ts [--rounds 3] [--idle 20] [--peer PATH]
 *
 * A first start has an empty data folder and no cache of compiled code; the second start uses what the first one
 * left. `--peer` names another checkout, which is measured alternately with this one. With DATABASE_URL, a
 * PostgreSQL server whose user may create databases, each first start gets an empty database there.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { processFigures } from './process-figures.ts'
import { startCheckout } from './start-checkout.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    idle: { type: 'string', default: '20' },
    peer: { type: 'string' },
  },
})
const ours = new URL('..', import.meta.url).pathname
const checkouts = values.peer === undefined ? [ours] : [ours, values.peer]
for (let round = 0; round < Number(values.rounds); round++)
  for (const checkout of checkouts) {
    const folder = await mkdtemp(join(tmpdir(), 'docwright-bench-'))
    const caches = { XDG_CACHE_HOME: join(folder, 'cache'), TMPDIR: join(folder, 'tmp') }
    await mkdir(caches.TMPDIR)
    await using database = await newDatabase()
    const environment = { ...caches, ...database.environment }
    for (const start of ['first', 'second'])
      console.log(`${checkout} ${start} start: ${await measure(checkout, join(folder, 'data'), environment)}`)
    await rm(folder, { recursive: true, force: true })
  }

async function measure(checkout: string, keep: string, environment: Record<string, string>): Promise<string> {
  const server = await startCheckout(checkout, { keep, environment })
  try {
    const { cpu, mainThread } = await processFigures(server.pid)
    await delay(Number(values.idle) * 1000)
    const { memory } = await processFigures(server.pid)
    return `${server.seconds.toFixed(1)} s, CPU ${cpu.toFixed(1)} s, of that ${mainThread.toFixed(1)} s in the first thread; ${memory.toFixed(0)} MB idle`
  } finally {
    await server.stop()
  }
}

async function newDatabase(): Promise<{ environment: Record<string, string> } & AsyncDisposable> {
  const url = process.env['DATABASE_URL']
  if (url === undefined) return { environment: {}, [Symbol.asyncDispose]: async () => {} }
  const name = `bench_${process.pid}_${Date.now()}`
  const query = async (text: string): Promise<void> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await query(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    environment: { DATABASE_URL: own.href },
    [Symbol.asyncDispose]: () => query(`drop database ${name} with (force)`),
  }
}
