/**
 * What a large site costs the server: reading it, its index, and the first searches.
 *
 *   node bench/large.ts --repository path [--root docs] [--note page.md]
 *   node bench/large.ts --pages 87000
 *
 * A request to `/healthz` every 20 ms measures how long the main thread is held, and a search every second what a
 * reader gets meanwhile. `--note` also has the built-in model add a note to that page. With `DOCWRIGHT_WATCHDOG_SECONDS=0`,
 * as here, nothing ends a process that is held for long.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { readProject, runCommand, settledJob, startServer, type TestServer } from '../tests/server.ts'
import { generateRepository } from './generate-repository.ts'
import { processFigures } from './process-figures.ts'
import { percentile } from '../src/lib/ranking-quality.ts'

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    pages: { type: 'string', default: '24000' },
    root: { type: 'string', default: '' },
    query: { type: 'string', default: 'what to do when it fails' },
    note: { type: 'string' },
  },
})
const environment = { DOCWRIGHT_WATCHDOG_SECONDS: '0' }
const keySchema = z.object({ key: z.string() })
const scratch = await mkdtemp(join(tmpdir(), 'docwright-large-'))
let server = await startServer({ arguments: ['--no-demo'], environment })
try {
  const repository =
    values.repository === undefined
      ? await generateRepository(join(scratch, 'repository'), Number(values.pages))
      : resolve(values.repository)
  await measure(repository)
} catch (error) {
  console.error(server.output())
  throw error
} finally {
  await server.stop()
  await rm(scratch, { recursive: true, force: true })
}

async function measure(repository: string): Promise<void> {
  const run = async (...args: string[]): Promise<string> =>
    (await runCommand(server.dataFolder, ...args)).stdout
  await tell('idle')
  let watch = watchHealth(server)
  const began = performance.now()
  const root = values.root === '' ? [] : ['--root', values.root]
  await run('project', 'add', repository, '--domain', 'bench', '--json', ...root)
  await untilSynced()
  print('sync', performance.now() - began, watch.end())
  await tell('after the sync')
  const made = await run('key', 'create', '--kind', 'assistant', '--project', 'bench', '--json')
  const { key } = keySchema.parse(JSON.parse(made))
  const search = (): Promise<Answer> =>
    send(server, 'POST', '/discovery/v1/search/bench', key, { query: values.query, pageSize: 10 })
  watch = watchHealth(server)
  const asked = performance.now()
  for (let tries = 1; ; tries++) {
    const answer = await search()
    print(`search ${tries}: status ${answer.status}`, answer.milliseconds)
    if (answer.status === 200) break
    await delay(1000)
  }
  print('from the end of the sync to results', performance.now() - asked, watch.end())
  for (const when of ['a warm search', 'another one']) print(when, (await search()).milliseconds)
  await tell('with the index')
  if (values.note !== undefined) await addNote(values.note, run)
  await delay(60_000)
  await tell('a minute later')
  await server.stop()
  server = await startServer({ dataFolder: server.dataFolder, environment })
  watch = watchHealth(server)
  print('search after a restart', (await search()).milliseconds, watch.end())
  await delay(10_000)
  await tell('after a restart')
}

async function addNote(page: string, run: (...args: string[]) => Promise<string>): Promise<void> {
  const { id } = await readProject(server, 'bench')
  const { key } = keySchema.parse(JSON.parse(await run('key', 'create', '--kind', 'admin', '--json')))
  for (const round of ['first', 'second']) {
    const before = await processFigures(server.process.pid ?? 0)
    const watch = watchHealth(server)
    const began = performance.now()
    const prompt = `Add a note to ${page}: The ${round} quuxification is done by the server itself.`
    const created = await server.request('POST', `/v2/agent/${id}/job`, { key, body: { prompt } })
    const { id: job } = z.object({ id: z.string() }).parse(await created.json())
    const done = await settledJob(server, `/v2/agent/${id}/job/${job}`, key)
    const { cpu } = await processFigures(server.process.pid ?? 0)
    print(`${round} note: ${JSON.stringify(done).slice(0, 200)}`, performance.now() - began, watch.end())
    console.log(`  CPU ${(cpu - before.cpu).toFixed(1)} s`)
    await tell('after the note')
  }
}

async function untilSynced(): Promise<void> {
  for (;;) {
    const { sync, pages } = await readProject(server, 'bench')
    if (sync.state === 'failed') throw new Error(sync.error ?? 'The sync failed')
    if (sync.state === 'ready') {
      console.log(`${pages} pages`)
      return
    }
    await delay(1000)
  }
}

async function tell(when: string): Promise<void> {
  const { memory, cpu } = await processFigures(server.process.pid ?? 0)
  console.log(`${when}: ${memory.toFixed(0)} MB resident, ${cpu.toFixed(1)} s of CPU so far`)
}

function print(what: string, milliseconds: number, waits?: number[]): void {
  const held =
    waits === undefined
      ? ''
      : `; /healthz p95 ${percentile(waits, 0.95).toFixed(0)} ms, longest ${Math.max(0, ...waits).toFixed(0)} ms`
  console.log(`${what}: ${(milliseconds / 1000).toFixed(2)} s${held}`)
}

/** How long answers that cost nothing take: what is more than a few milliseconds, the main thread was held. */
function watchHealth(of: TestServer): { end(): number[] } {
  const waits: number[] = []
  const over = new AbortController()
  const loop = async (): Promise<void> => {
    while (!over.signal.aborted) {
      waits.push((await send(of, 'GET', '/healthz', undefined)).milliseconds)
      await delay(20)
    }
  }
  loop().catch(() => undefined)
  return {
    end() {
      over.abort()
      return waits
    },
  }
}

interface Answer {
  status: number
  /** Until the whole response. */
  milliseconds: number
}

function send(
  { url }: TestServer,
  method: string,
  path: string,
  key: string | undefined,
  body?: object,
): Promise<Answer> {
  return new Promise((done, fail) => {
    const began = performance.now()
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    const sent = request(`${url}${path}`, { method, headers, agent: new Agent() })
    sent.on('error', fail)
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, milliseconds: performance.now() - began }),
      )
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
