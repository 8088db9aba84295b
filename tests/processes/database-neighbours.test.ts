import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { jobs, startWork, waiting } from '../database-work.ts'
import { startPgbouncer, withoutPgbouncer } from '../pgbouncer.ts'
import { newPostgres, type PostgresServer } from '../postgres-server.ts'

describe.skipIf(withoutPgbouncer !== undefined)(`PgBouncer ${withoutPgbouncer ?? ''}`, () => {
  it.each([[[]], [['pool_mode = transaction']]])(
    'passes on jobs and questions, and is restarted meanwhile (%j)',
    async (settings) => {
      const postgres = await newPostgres()
      onTestFinished(() => postgres.remove())
      const pgbouncer = await startPgbouncer(postgres.url, settings)
      onTestFinished(() => pgbouncer.stop())
      await using work = await startWork(pgbouncer.url)
      await vi.waitFor(async () => expect(await work.begun()).toBeGreaterThan(0), waiting)
      for (let n = 0; n < 3; n++) {
        await pgbouncer.restart()
        await vi.waitFor(() => work.ask(), waiting)
      }
      await work.expectResults()
    },
  )
})

it('waits while a neighbour has taken all connections, with eight jobs under way', async () => {
  const postgres = await newPostgres(['max_connections=30'])
  onTestFinished(() => postgres.remove())
  await using work = await startWork(await ownDatabase(postgres), { DOCWRIGHT_JOB_CONCURRENCY: '8' })
  await vi.waitFor(async () => expect(await work.begun()).toBe(jobs), waiting)
  const neighbour = await takeAllConnections(postgres)
  await delay(20_000)
  await neighbour.leave()
  await work.expectResults()
  await vi.waitFor(() => work.ask(), waiting)
})

it('does its jobs with fewer connections than its processes may open', async () => {
  const postgres = await newPostgres(['max_connections=20'])
  onTestFinished(() => postgres.remove())
  await using work = await startWork(await ownDatabase(postgres), { DOCWRIGHT_JOB_CONCURRENCY: '2' }, 3)
  await work.expectResults()
  await vi.waitFor(() => work.ask(), waiting)
  expect(work.server.output()).toContain('may open 21 connections to PostgreSQL, which grants 17')
})

it('goes on at a synchronous standby when the primary is killed, and loses nothing', async () => {
  const primary = await newPostgres(['synchronous_standby_names=standby'])
  onTestFinished(() => primary.remove())
  await primary.stop()
  const standby = await newPostgres([], primary)
  onTestFinished(() => standby.remove())
  await primary.start()
  const { port } = new URL(standby.url)
  const both = primary.url.replace(/(:\d+)\/postgres$/, `$1,127.0.0.1:${port}/postgres`)
  await using work = await startWork(`${both}?target_session_attrs=read-write`, {
    DOCWRIGHT_JOB_CONCURRENCY: '4',
  })
  await vi.waitFor(async () => expect(await work.begun()).toBeGreaterThan(1), waiting)
  await primary.kill()
  const killed = performance.now()
  const admin = new Client({ connectionString: standby.url })
  await admin.connect()
  await admin.query('select pg_promote()')
  await admin.end()
  await vi.waitFor(() => work.ask(), waiting)
  console.log(`Answers again ${((performance.now() - killed) / 1000).toFixed(1)} s after the kill`)
  await work.expectResults()
})

it('goes on when everything between it and the database has forgotten its connections', async () => {
  const postgres = await newPostgres()
  onTestFinished(() => postgres.remove())
  await using network = await startNetwork(postgres.url)
  await using work = await startWork(network.url, { DOCWRIGHT_JOB_CONCURRENCY: '4' })
  await vi.waitFor(async () => expect(await work.begun()).toBeGreaterThan(1), waiting)
  network.forget()
  await work.expectResults()
  await vi.waitFor(() => work.ask(), waiting)
})

/** The address of a new database that a user owns who is no administrator. */
async function ownDatabase({ url }: PostgresServer): Promise<string> {
  const owner = new Client({ connectionString: url })
  await owner.connect()
  await owner.query(`create user docs password 'docs'`)
  await owner.query('create database docs owner docs')
  await owner.end()
  return Object.assign(new URL(url), { username: 'docs', password: 'docs', pathname: '/docs' }).href
}

/** Breaks the connections of others once, and keeps taking what becomes free. */
async function takeAllConnections({ url }: PostgresServer): Promise<{ leave(): Promise<void> }> {
  const taken: Client[] = []
  const state = { over: false }
  const take = async (): Promise<boolean> => {
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    const done = await client.connect().then(
      () => true,
      () => false,
    )
    if (done) taken.push(client)
    return done
  }
  await take()
  await taken[0]?.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'docs'`)
  const taking = (async () => {
    while (!state.over) if (!(await take())) await delay(20)
  })()
  return {
    async leave() {
      state.over = true
      await taking
      await Promise.all(taken.map((client) => client.end()))
    },
  }
}

/** Stands between, and can drop what comes over the connections that are there, without a word to either side. */
async function startNetwork(database: string): Promise<AsyncDisposable & { url: string; forget(): void }> {
  const { hostname, port } = new URL(database)
  const flows = new Set<{ from: Socket; to: Socket }>()
  const server = createServer((from) => {
    const to = connect(Number(port), hostname)
    const flow = { from, to }
    flows.add(flow)
    from.on('data', (data) => flows.has(flow) && to.write(data)).on('error', () => to.destroy())
    to.on('data', (data) => flows.has(flow) && from.write(data)).on('error', () => from.destroy())
    from.on('close', () => to.destroy())
    to.on('close', () => flows.has(flow) && from.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  return {
    url: Object.assign(new URL(database), {
      port: String(typeof address === 'object' ? address?.port : ''),
    }).href,
    forget: () => flows.clear(),
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}
