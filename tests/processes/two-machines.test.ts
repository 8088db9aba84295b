import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveGit } from '../worlds/hosts/git-backend.ts'
import { createBareRepository, git } from '../repository.ts'
import { runCommand, settledJob, startServer, type TestServer } from '../server.ts'
import { createTestDatabase } from '../prepared-stores.ts'

/** Two servers on one PostgreSQL, each with a data folder of its own, as on two machines. */
let servers: [TestServer, TestServer]
let origin: string
let key: string
let address: string
const host = createServer(serveGit({ find: () => origin, allows: () => true }))

beforeAll(async () => {
  origin = await createBareRepository({ 'index.md': '# Start\n\none\n' })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/docs.git`
  const environment = {
    DATABASE_URL: await createTestDatabase(),
    DOCWRIGHT_SECRET_KEY: randomBytes(32).toString('hex'),
    DOCWRIGHT_JOB_CONCURRENCY: '2',
  }
  const first = await startServer({ environment })
  servers = [first, await startServer({ environment })]
  key = first.welcome.adminKey
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  host.closeAllConnections()
  host.close()
})

it('works on the same jobs from two machines, and both show what either has pushed', async () => {
  const [one, other] = servers
  const added = await runCommand(one.dataFolder, 'project', 'add', address, '--domain', 'shared', '--json')
  expect(added).toMatchObject({ code: 0 })
  const { id: projectId } = JSON.parse(added.stdout) as { id: string }
  const path = `/v2/agent/${projectId}/job`
  const ask = async (server: TestServer, at: string, prompt: string): Promise<string> => {
    const response = await server.request('POST', at, { key, body: { prompt } })
    expect([200, 201]).toContain(response.status)
    return ((await response.json()) as { id: string }).id
  }
  const replace = (from: string, to: string): string => `Replace "${from}" with "${to}" in index.md`
  const ids = await Promise.all(
    Array.from({ length: 6 }, (_, n) => ask(n % 2 === 0 ? one : other, path, replace('one', 'two'))),
  )
  const settle = async (id: string): Promise<{ source: { ref: string } }> => {
    const job = await settledJob(one, `${path}/${id}`, key)
    expect(job).toMatchObject({ status: 'completed', failure: null })
    return job as { source: { ref: string } }
  }
  const shown = async (id: string): Promise<string[]> =>
    Promise.all(
      servers.map(async (server) => (await server.request('GET', `${path}/${id}/diff`, { key })).text()),
    )
  for (const id of ids) {
    await settle(id)
    const [here = '', there] = await shown(id)
    expect(here).toContain('+two')
    expect(there).toBe(here)
  }
  // Follow-ups go to whoever is free: the branch is moved from the place where the other left it.
  await Promise.all(
    ids.map((id, n) => ask(n % 2 === 0 ? other : one, `${path}/${id}/message`, replace('two', 'three'))),
  )
  for (const id of ids) {
    const { source } = await settle(id)
    const [here = '', there] = await shown(id)
    expect(here).toContain('+three')
    expect(there).toBe(here)
    expect(await git(origin, 'show', `${source.ref}:index.md`)).toContain('three')
    expect(await git(origin, 'rev-list', '--count', `main..${source.ref}`)).toBe('2')
  }
})
