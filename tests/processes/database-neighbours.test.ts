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
