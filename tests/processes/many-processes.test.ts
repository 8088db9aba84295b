import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { settledJob, startServer, type TestServer } from '../server.ts'
import { createTestDatabase } from '../prepared-stores.ts'

/** Four server processes on one PostgreSQL and one data folder. */
let servers: TestServer[] = []
let first: TestServer
let environment: Record<string, string>
let dataFolder: string

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'docwright-shared-'))
  environment = { DATABASE_URL: await createTestDatabase() }
  servers = await Promise.all([1, 2, 3, 4].map(() => startServer({ dataFolder, environment })))
  const welcomed = servers.filter(({ welcome }) => welcome.adminKey !== '')
  expect(welcomed).toHaveLength(1)
  first = welcomed[0] ?? first
})
afterAll(() => Promise.all(servers.map((server) => server[Symbol.asyncDispose]())))

async function statuses(path: string, body: unknown): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const response = await servers[index % 4]?.request('POST', path, { key: first.welcome.adminKey, body })
      if (response?.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3000)
      await response?.text()
      return response?.status ?? 0
    }),
  )
  const counted = Map.groupBy(answers, (status) => status)
  return Object.fromEntries([...counted].map(([status, all]) => [status, all.length]))
}

it('seeds the demo once', async () => {
  const response = await first.request('GET', `/v2/agent/${first.welcome.projectId}/jobs`, {
    key: first.welcome.adminKey,
  })
  expect(response.status).toBe(200)
})

it('lets exactly 100 of 300 creates and 100 of 300 follow-ups through', async () => {
  const create = `/v2/agent/${first.welcome.projectId}/job`
  expect(await statuses(create, { prompt: 'What can you do?' })).toEqual({ 201: 100, 429: 200 })
  const listed = await first.request('GET', `${create}s?limit=1`, { key: first.welcome.adminKey })
  const { jobs } = (await listed.json()) as { jobs: { id: string }[] }
  expect(await statuses(`${create}/${jobs[0]?.id}/message`, { prompt: 'What can you do?' })).toEqual({
    200: 100,
    429: 200,
  })
  // Refused requests count for nothing: a bad body is refused before the limit is taken, a full limit before the body is read.
  expect((await first.request('POST', create, { key: first.welcome.adminKey, body: '{' })).status).toBe(429)
})

it('finishes the jobs of a process that was killed', async () => {
  const victim = servers.find((server) => server !== first)
  const listed = await first.request('GET', `/v2/agent/${first.welcome.projectId}/jobs?limit=100`, {
    key: first.welcome.adminKey,
  })
  const { jobs } = (await listed.json()) as { jobs: { id: string }[] }
  await victim?.stop('SIGKILL')
  for (const { id } of jobs) {
    const job = await settledJob(
      first,
      `/v2/agent/${first.welcome.projectId}/job/${id}`,
      first.welcome.adminKey,
    )
    expect(job['status']).toBe('completed')
  }
})
