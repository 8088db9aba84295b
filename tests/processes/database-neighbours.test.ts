import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startModelMock } from '../model-mock.ts'
import { startPgbouncer, withoutPgbouncer } from '../pgbouncer.ts'
import { newPostgres, type PostgresServer } from '../postgres-server.ts'
import { createBareRepository, git } from '../repository.ts'
import { runCommand, settledJob, startServer, type TestServer } from '../server.ts'

const jobs = 8
/** Milliseconds: a limit for what hangs. */
const waiting = { timeout: 300_000, interval: 500 }

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
  const owner = new Client({ connectionString: postgres.url })
  await owner.connect()
  await owner.query(`create user docs password 'docs'`)
  await owner.query('create database docs owner docs')
  await owner.end()
  const { port } = new URL(postgres.url)
  await using work = await startWork(`postgres://docs:docs@127.0.0.1:${port}/docs`, {
    DOCWRIGHT_JOB_CONCURRENCY: '8',
  })
  await vi.waitFor(async () => expect(await work.begun()).toBe(jobs), waiting)
  const neighbour = await takeAllConnections(postgres)
  await delay(20_000)
  await neighbour.leave()
  await work.expectResults()
  await vi.waitFor(() => work.ask(), waiting)
})

interface Work extends AsyncDisposable {
  server: TestServer
  /** How many jobs have begun. */
  begun(): Promise<number>
  /** Asks the assistant, and reads the answer to its end. */
  ask(): Promise<void>
  expectResults(): Promise<void>
}

/** A server with a project, and jobs that have been asked for. */
async function startWork(databaseUrl: string, more: Record<string, string> = {}): Promise<Work> {
  const prompts = Array.from({ length: jobs }, (_, n) => `Say New on page ${n}.`)
  const model = await startModelMock(async ({ prompt, step }) => {
    const n = prompts.findIndex((one) => prompt.includes(one))
    if (n < 0) return 'It is told on one of the pages.'
    await delay(2000)
    return (
      (
        [
          [['read_file', { path: `page-${n}.md` }]],
          [['edit_file', { path: `page-${n}.md`, edits: [{ search: `Old ${n}.`, replace: `New ${n}.` }] }]],
          [['grep', { pattern: 'New' }]],
          [['finish', { title: `Say New on page ${n}`, summary: 'It says so.' }]],
        ] as const
      )[step] ?? 'There is nothing more'
    )
  })
  const server = await startServer({
    arguments: ['--no-demo'],
    environment: { ...model.environment, DATABASE_URL: databaseUrl, ...more },
  })
  const repository = await createBareRepository(
    Object.fromEntries(prompts.map((_, n) => [`page-${n}.md`, `# Page ${n}\n\nOld ${n}.\n`])),
  )
  const key = server.welcome.adminKey
  const run = async (...words: string[]): Promise<Record<string, string>> =>
    JSON.parse((await runCommand(server.dataFolder, ...words, '--json')).stdout) as Record<string, string>
  const { id } = await run('project', 'add', repository, '--domain', 'docs')
  const { key: assistantKey = '' } = await run('key', 'create', '--kind', 'assistant', '--project', 'docs')
  const paths: string[] = []
  for (const prompt of prompts) {
    const created = await server.request('POST', `/v2/agent/${id}/job`, { key, body: { prompt } })
    expect(created.status).toBe(201)
    paths.push(`/v2/agent/${id}/job/${((await created.json()) as { id: string }).id}`)
  }
  return {
    server,
    async begun() {
      const events = await Promise.all(
        paths.map(async (path) => (await server.request('GET', `${path}/events`, { key })).text()),
      )
      return events.filter((text) => text.includes('turn.started')).length
    },
    async ask() {
      const parts = [{ type: 'text', text: 'What does page 1 say?' }]
      const response = await server.request('POST', '/discovery/v2/assistant/docs/message', {
        key: assistantKey,
        body: { fp: 'someone', messages: [{ id: '1', role: 'user', parts }] },
      })
      expect(response.status).toBe(200)
      expect(await response.text()).toMatch(/"type":"finish"[^\n]*\n\ndata: \[DONE\]\n\n$/)
    },
    async expectResults() {
      for (const [n, path] of paths.entries()) {
        const job = await vi.waitFor(() => settledJob(server, path, key), waiting)
        expect(job).toMatchObject({ status: 'completed', failure: null })
        const { ref } = job['source'] as { ref: string }
        expect(await git(repository, 'show', `${ref}:page-${n}.md`)).toBe(`# Page ${n}\n\nNew ${n}.`)
        expect(await git(repository, 'rev-list', '--count', `main..${ref}`)).toBe('1')
      }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
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
