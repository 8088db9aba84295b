import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { stepsOf } from '../database-work.ts'
import { startModelMock } from '../model-mock.ts'
import { newPostgres } from '../postgres-server.ts'
import { createBareRepository, git } from '../repository.ts'
import { runCommand, settledJob, startServer, startWorker, type TestServer } from '../server.ts'

/** It is stopped, killed, and away for longer than callers wait; then from the start again. */
const [jobs, streams, outages] = process.env['TEST_ALL'] === undefined ? [4, 4, 3] : [40, 50, 8]
/** Milliseconds: a limit for what hangs, far above what a busy machine takes. */
const longest = 120_000 + (jobs + outages) * 20_000

const prompts = Array.from({ length: jobs }, (_, n) => `Say New on page ${n}.`)

it('outlives restarts of PostgreSQL with jobs and streams under way, and loses nothing', async () => {
  const postgres = await newPostgres()
  onTestFinished(() => postgres.remove())
  await using model = await startModelMock(
    async ({ prompt, step }) => {
      const n = prompts.findIndex((one) => prompt.includes(one))
      if (n < 0) return 'It is told on one of the pages, in a long sentence. '.repeat(12)
      await delay(700)
      return stepsOf(n)[step] ?? 'There is nothing more'
    },
    { chunkSize: 40, latency: 150 },
  )
  const environment = {
    ...model.environment,
    DATABASE_URL: postgres.url,
    DOCWRIGHT_JOB_CONCURRENCY: '2',
  }
  await using first = await startServer({ arguments: ['--no-demo'], environment })
  const { dataFolder } = first
  await using second = await startServer({ dataFolder, environment })
  const worker = await startWorker(dataFolder, { ...environment, DOCWRIGHT_WORKER_PORT: '0' })
  onTestFinished(() => void worker.kill('SIGKILL'))
  const servers = [first, second]
  const { key, id, assistantKey, repository } = await addProject(first)

  const paths: string[] = []
  for (const prompt of prompts) {
    const created = await first.request('POST', `/v2/agent/${id}/job`, { key, body: { prompt } })
    expect(created.status).toBe(201)
    paths.push(`/v2/agent/${id}/job/${((await created.json()) as { id: string }).id}`)
  }
  const watch = watchers(servers, { key, assistantKey, paths })
  for (let n = 0; n < outages; n++) {
    await delay(1500)
    if (n % 3 === 1) await postgres.kill()
    else await postgres.stop()
    // Requests and streams meet a database that is away.
    await delay(n % 3 === 2 ? 4000 : 1000)
    await postgres.start()
    for (const server of servers) {
      const ready = async (): Promise<void> =>
        expect((await server.request('GET', '/readyz')).status).toBe(200)
      await vi.waitFor(ready, { timeout: 120_000, interval: 200 })
    }
  }
  const back = performance.now()
  await Promise.all(
    paths.map((path) => vi.waitFor(() => ended(second, path, key), { timeout: longest, interval: 1000 })),
  )
  const seconds = (performance.now() - back) / 1000
  const seen = await watch.end()
  if (jobs > 10) console.log(`Done ${seconds.toFixed(1)} s after the last outage: ${JSON.stringify(seen)}`)

  expect([first.process.exitCode, second.process.exitCode, worker.exitCode]).toEqual([null, null, null])
  const operator = await readFile(join(dataFolder, 'operator-token'), 'utf8')
  const scraped = await fetch(`${worker.url}/metrics`, { headers: { authorization: `Bearer ${operator}` } })
  expect(await scraped.text()).toContain('docwright_processes{kind="worker"} 1')
  expect((await fetch(`${worker.url}/metrics`)).status).toBe(401)
  await expectResults(second, { key, paths, repository })
  expect(seen.healthz).toEqual({ 200: expect.any(Number) })
  expect(Object.keys(seen.readyz)).toEqual(['200', '503'])
  for (const counts of [seen.requests, seen.streams])
    expect(Object.keys(counts).filter((status) => !['200', '503'].includes(status))).toEqual([])
  expect(seen.requests['503']).toBeGreaterThan(0)
  expect(Object.keys(seen.ends).filter((end) => !['finish', 'error'].includes(end))).toEqual([])
  expect(seen.ends['finish']).toBeGreaterThan(0)
  expect(Object.keys(seen.follows).filter((end) => !['over', 'unavailable', '503'].includes(end))).toEqual([])
  for (const server of servers) {
    const lines = server.output().split('\n')
    const told = (text: string): number => lines.filter((line) => line.includes(text)).length
    expect(told('Database unreachable')).toBeGreaterThanOrEqual(1)
    expect(told('Database unreachable')).toBe(told('The database is back'))
    expect(told('"level":50')).toBeLessThan(outages * 10)
  }
  await vi.waitFor(async () => expect(await listeners(postgres.url)).toBe(3), {
    timeout: 120_000,
    interval: 1000,
  })
  await postgres.stop()
  // It stops in order too while there is no database to take leave of.
  expect(await second.stop()).toBe(0)
})

async function addProject(server: TestServer) {
  const pages = Array.from(
    { length: jobs },
    (_, n) => [`page-${n}.md`, `# Page ${n}\n\nOld ${n}.\n`] as const,
  )
  const repository = await createBareRepository(Object.fromEntries(pages))
  const key = server.welcome.adminKey
  const added = await runCommand(
    server.dataFolder,
    'project',
    'add',
    repository,
    '--domain',
    'restarts',
    '--json',
  )
  const { id } = JSON.parse(added.stdout) as { id: string }
  const made = await runCommand(
    server.dataFolder,
    'key',
    'create',
    '--kind',
    'assistant',
    '--project',
    'restarts',
    '--json',
  )
  const { key: assistantKey } = JSON.parse(made.stdout) as { key: string }
  return { key, id, repository, assistantKey }
}

async function ended(server: TestServer, path: string, key: string): Promise<void> {
  const response = await server.request('GET', path, { key })
  expect(((await response.json()) as { status?: string }).status).toMatch(/^(completed|failed)$/)
}

async function expectResults(
  server: TestServer,
  { key, paths, repository }: { key: string; paths: string[]; repository: string },
): Promise<void> {
  const numbers: number[] = []
  for (const [n, path] of paths.entries()) {
    const job = await settledJob(server, path, key)
    expect(job).toMatchObject({ status: 'completed', failure: null })
    const { ref } = job['source'] as { ref: string }
    expect(await git(repository, 'show', `${ref}:page-${n}.md`)).toBe(`# Page ${n}\n\nNew ${n}.`)
    expect(await git(repository, 'rev-list', '--count', `main..${ref}`)).toBe('1')
    numbers.push((job['pullRequest'] as { number: number }).number)
    const { events } = (await (await server.request('GET', `${path}/events`, { key })).json()) as {
      events: { type: string }[]
    }
    expect(events.filter(({ type }) => type === 'pull_request.opened')).toHaveLength(1)
  }
  expect(numbers.toSorted((a, b) => a - b)).toEqual(paths.map((_, n) => n + 1))
}

type Counts = Record<string, number>

/** Asks all kinds of things all the time, and counts what came of it. */
function watchers(
  servers: TestServer[],
  { key, assistantKey, paths }: { key: string; assistantKey: string; paths: string[] },
) {
  const state = { over: false }
  const seen = { healthz: {}, readyz: {}, requests: {}, streams: {}, ends: {}, follows: {} } as Record<
    'healthz' | 'readyz' | 'requests' | 'streams' | 'ends' | 'follows',
    Counts
  >
  const count = (counts: Counts, what: string | number): void => void (counts[what] = (counts[what] ?? 0) + 1)
  const again = async (pause: number, work: () => Promise<void>): Promise<void> => {
    while (!state.over) {
      await work()
      await delay(pause)
    }
  }
  const ask = async (server: TestServer, counts: Counts, path: string, headers = {}): Promise<Response> => {
    const response = await server.request('GET', path, { key, headers })
    if (response.status === 503) expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    count(counts, response.status)
    return response
  }
  const askAssistant = async (server: TestServer): Promise<void> => {
    const parts = [{ type: 'text', text: 'What does page 1 say?' }]
    const response = await server.request('POST', '/discovery/v2/assistant/restarts/message', {
      key: assistantKey,
      body: { fp: 'someone', messages: [{ id: '1', role: 'user', parts }] },
    })
    count(seen.streams, response.status)
    const text = await response.text()
    if (response.status !== 200) return
    const frames = text.split('\n\n').filter((frame) => frame.startsWith('data: {'))
    const last = frames.at(-1)?.slice(6) ?? '{}'
    count(
      seen.ends,
      text.endsWith('data: [DONE]\n\n') ? (JSON.parse(last) as { type: string }).type : 'silence',
    )
  }
  const follow = async (server: TestServer, path: string): Promise<void> => {
    const response = await server.request('GET', `${path}/events`, {
      key,
      headers: { accept: 'text/event-stream' },
    })
    if (response.status !== 200) return count(seen.follows, response.status)
    const text = await response.text()
    count(seen.follows, /event: end\ndata: .*"reason":"(\w+)".*\n\n$/.exec(text)?.[1] ?? 'silence')
  }
  const running = servers.flatMap((server) => [
    again(100, async () => void (await ask(server, seen.healthz, '/healthz')).body?.cancel()),
    again(100, async () => void (await ask(server, seen.readyz, '/readyz')).body?.cancel()),
    again(100, async () => void (await ask(server, seen.requests, paths[0] ?? '')).body?.cancel()),
    ...Array.from({ length: streams / servers.length }, () => again(1000, () => askAssistant(server))),
    again(500, () => follow(server, paths.at(-1) ?? '')),
  ])
  const all = Promise.all(running)
  all.catch(() => undefined)
  return {
    async end() {
      state.over = true
      await all
      return seen
    },
  }
}

/** Connections of the queue that are told of new messages. */
async function listeners(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity where query ~* '^listen|pg_listening_channels' and pid <> pg_backend_pid()`,
  )
  await client.end()
  return rowCount ?? 0
}
