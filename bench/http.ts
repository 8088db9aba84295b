/**
 * What one request costs the server beyond `/healthz`, which does nothing: each hot endpoint, one request at a
 * time, on the demo project.
 *
 *   node bench/http.ts [--requests 300] [--embedded | --postgres]
 *
 * Each request alternates with one to `/healthz`, over connections that are kept alive. Milliseconds are medians of
 * the time until the whole response, minus the median of `/healthz`. CPU is that of the server per request,
 * including its background work.
 */
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { newPostgres } from '../tests/postgres-server.ts'
import { settledJob, startServer } from '../tests/server.ts'
import type { TestServer } from '../tests/server.ts'

interface Asked {
  method: string
  path: string
  key?: string
  body?: unknown
}

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '300' },
    embedded: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
})
const requests = Number(values.requests)
const agent = new Agent({ keepAlive: true })
const both = values.embedded === values.postgres

if (values.postgres || both) {
  const given = process.env['DATABASE_URL']
  const own = given === undefined ? await newPostgres() : undefined
  await measure('PostgreSQL', { DATABASE_URL: given ?? own?.url ?? '' })
  await own?.remove()
}
if (values.embedded || both) await measure('embedded store', {})
agent.destroy()

async function measure(name: string, environment: Record<string, string>): Promise<void> {
  await using server = await startServer({ environment })
  const { projectId, domain, adminKey, assistantKey } = server.welcome
  const jobs = `/v2/agent/${projectId}/job`
  const created = await server.request('POST', jobs, { key: adminKey, body: { prompt: 'What can you do?' } })
  const job = `${jobs}/${((await created.json()) as { id: string }).id}`
  await settledJob(server, job, adminKey)
  const read = (path: string): Asked => ({ method: 'GET', path, key: adminKey })
  const ask = (kind: string, body: object): Asked => ({
    method: 'POST',
    path: `/discovery/v1/${kind}/${domain}`,
    key: assistantKey,
    body,
  })
  const hot: Record<string, Asked> = {
    search: ask('search', { query: 'How do I follow up on a job that has ended?' }),
    page: ask('page', { path: '/quickstart' }),
    'get job': read(job),
    events: read(`${job}/events`),
    'list jobs': read(`/v2/agent/${projectId}/jobs`),
  }
  const table: Record<string, object> = {}
  for (const [title, asked] of Object.entries(hot)) table[title] = await compare(server, asked, requests)
  // These requests are limited, and the work that they start goes on in the background. So only a few are sent, and
  // the CPU time includes other work.
  const prompt = { prompt: 'What can you do?' }
  table['create job'] = await compare(server, { method: 'POST', path: jobs, key: adminKey, body: prompt }, 40)
  table['message'] = await compare(
    server,
    { method: 'POST', path: `${job}/message`, key: adminKey, body: prompt },
    40,
  )
  console.log(`\n${name}, beyond /healthz`)
  console.table(table)
}

async function compare(server: TestServer, asked: Asked, count: number): Promise<object> {
  const health = { method: 'GET', path: '/healthz' }
  for (let n = 0; n < count / 4; n++) await send(server, health)
  const before = await cpuMilliseconds(server)
  for (let n = 0; n < count; n++) await send(server, health)
  const idle = (await cpuMilliseconds(server)) - before
  const [nothing, whole]: [number[], number[]] = [[], []]
  const warm = Math.min(20, Math.ceil(count / 4))
  let began = 0
  for (let n = -warm; n < count; n++) {
    if (n === 0) began = await cpuMilliseconds(server)
    const bare = await send(server, health)
    const full = await send(server, asked)
    if (n < 0) continue
    nothing.push(bare)
    whole.push(full)
  }
  const cpu = (await cpuMilliseconds(server)) - began - idle
  const differences = whole.map((time, n) => time - (nothing[n] ?? 0))
  return {
    'healthz ms': quantile(nothing, 0.5),
    'beyond, p50 ms': quantile(differences, 0.5),
    'p95 ms': quantile(differences, 0.95),
    'CPU ms': Math.round((cpu / count) * 10) / 10,
  }
}

function send(server: TestServer, { method, path, key, body }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    const sent = request(`${server.url}${path}`, { method, headers, agent })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve(performance.now() - began)
        else reject(new Error(`${method} ${path}: status ${response.statusCode}`))
      })
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** The CPU time of the server so far. A tick is 10 ms. */
async function cpuMilliseconds(server: TestServer): Promise<number> {
  const stat = await readFile(`/proc/${server.process.pid}/stat`, 'utf8')
  const fields = stat.replace(/^.*\) /s, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 10) / 10
}
