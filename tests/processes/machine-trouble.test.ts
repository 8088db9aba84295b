import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../prepared-stores.ts'
import { runCommand, settledJob, startServer, type TestServer } from '../server.ts'

const patience = { timeout: 120_000, interval: 500 }

it('jobs wait on a disk that takes no writes, new ones are refused, and all go on by themselves', async () => {
  await using server = await startServer({
    environment: { DATABASE_URL: await createTestDatabase() },
  })
  const { projectId, adminKey, assistantKey, domain } = server.welcome
  const create = (n: number): Promise<Response> =>
    server.request('POST', `/v2/agent/${projectId}/job`, {
      key: adminKey,
      body: { prompt: `Add a note to the quickstart page: "Room for ${n}."` },
    })
  const ready = async (): Promise<number> => (await server.request('GET', '/readyz')).status

  // As a full disk, and without one: what would make a file longer fails.
  limitFiles(server, '0')
  const created = [1, 2, 3].map(async (n) => {
    const response = await create(n)
    expect(response.status).toBe(201)
    return ((await response.json()) as { id: string }).id
  })
  const ids = await Promise.all(created)
  await expect.poll(ready, patience).toBe(503)
  const refused = await create(4)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toEqual({
    error: 'The disk of this server is full; it takes work again automatically when that is over',
  })
  const followUp = await server.request('POST', `/v2/agent/${projectId}/job/${ids[0]}/message`, {
    key: adminKey,
    body: { prompt: 'Fix broken links' },
  })
  expect(followUp.status).toBe(503)
  const question = { id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I start?' }] }
  const asked = await server.request('POST', `/discovery/v2/assistant/${domain}/message`, {
    key: assistantKey,
    body: { fp: 'anonymous', messages: [question] },
  })
  expect(asked.status).toBe(503)
  // What only reads goes on.
  const search = await server.request('POST', `/discovery/v1/search/${domain}`, {
    key: assistantKey,
    body: { query: 'quickstart' },
  })
  expect(search.status).toBe(200)
  for (const id of ids)
    await expect
      .poll(() => waitsOf(server, `/v2/agent/${projectId}/job/${id}`), patience)
      .toContain('no_space')
  expect(await metric(server, 'docwright_trouble{reason="no_space"}')).toBe(1)
  expect(await metric(server, 'docwright_waiting_turns{for="machine"}')).toBe(3)
  const doctor = await runCommand(server.dataFolder, 'doctor')
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toContain('✗ server: The disk of this server is full')
  expect(await dashboard(server)).toContain('The disk of this server is full. No new work is taken')

  limitFiles(server, 'unlimited')
  await expect.poll(ready, patience).toBe(200)
  const links = new Set<unknown>()
  for (const id of ids) {
    const job = await settledJob(server, `/v2/agent/${projectId}/job/${id}`, adminKey)
    expect(job).toMatchObject({ status: 'completed' })
    links.add(job['prLink'])
  }
  expect([links.size, links.has(null)]).toEqual([3, false])
  expect((await create(5)).status).toBe(201)
  expect(await metric(server, 'docwright_trouble{reason="no_space"}')).toBe(0)
})

it('refuses work while no file can be opened, and takes it again', async () => {
  await using server = await startServer({ environment: { DATABASE_URL: await createTestDatabase() } })
  // A connection that is there already: no other would be taken.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ready = async (): Promise<unknown> => {
    const asked = request(`${server.url}/readyz`, { agent }).end()
    return new Promise((resolve, reject) => {
      asked.on('error', reject)
      asked.on('response', (response) => resolve(json(response)))
    })
  }
  expect(await ready()).toEqual({ ok: true })
  const { pid = 0 } = server.process
  const before = execFileSync('prlimit', [
    '--pid',
    String(pid),
    '--nofile',
    '--output',
    'SOFT',
    '--noheadings',
  ])
  execFileSync('prlimit', ['--pid', String(pid), '--nofile=10:'])
  await expect
    .poll(ready, patience)
    .toMatchObject({ error: expect.stringContaining('too many files') as string })
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${before.toString().trim()}:`])
  await expect.poll(ready, patience).toEqual({ ok: true })
  agent.destroy()
})

/** Of the server and of the process that starts git for it. */
function limitFiles(server: TestServer, size: string): void {
  const { pid = 0 } = server.process
  for (const one of [pid, ...childrenOf(pid)])
    execFileSync('prlimit', ['--pid', String(one), `--fsize=${size}:`])
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === parent)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

async function waitsOf(server: TestServer, path: string): Promise<unknown[]> {
  const response = await server.request('GET', `${path}/events`, { key: server.welcome.adminKey })
  const { events } = (await response.json()) as { events: { type: string; data: { reason?: string } }[] }
  return events.filter(({ type }) => type === 'turn.waiting').map(({ data }) => data.reason)
}

async function metric(server: TestServer, name: string): Promise<number> {
  const token = readFileSync(`${server.dataFolder}/operator-token`, 'utf8').trim()
  const text = await (await server.request('GET', '/metrics', { key: token })).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}

async function dashboard(server: TestServer): Promise<string> {
  const token = new URL(server.welcome.signInLink).searchParams.get('token') ?? ''
  const signedIn = await server.request('POST', '/sign-in', {
    body: new URLSearchParams({ token }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
  })
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  const page = await server.request('GET', '/projects', { headers: { cookie: cookie.join('; ') } })
  return (await page.text()).replaceAll(/\s+/g, ' ')
}
