/**
 * What a search over HTTP costs the server beyond `/healthz` on the same connection, on a large site.
 *
 *   node bench/search.ts [--pages 14000] [--requests 250] [--site windriver]
 *
 * The pages are those of the largest retrieval corpus (`DOCWRIGHT_EVAL`, `--site` for another), repeated if there are
 * fewer than `--pages`; without corpora they are generated. Questions are the corpus' own. Each request alternates
 * with one to `/healthz`. Also: reading the repository, the first search (which builds the index), the first one after
 * a restart (which loads it), one changed page, and memory.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { runCommand, startServer, type TestServer } from '../tests/server.ts'
import { generateRepository } from './generate-repository.ts'
import { processFigures } from './process-figures.ts'
import { corporaIn, documentsOf, questionsOf } from './retrieval-corpus.ts'
import { percentile } from '../src/lib/ranking-quality.ts'

const keySchema = z.object({ key: z.string() })
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '14000' },
    requests: { type: 'string', default: '250' },
    site: { type: 'string', default: 'windriver' },
  },
})
const [pages, requests] = [Number(values.pages), Number(values.requests)]
const corpora = resolve(
  process.env['DOCWRIGHT_EVAL'] ?? join(import.meta.dirname, '..', '..', 'shared', 'eval'),
)
const hasCorpus = corporaIn(corpora).includes(values.site)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const folder = await mkdtemp(join(tmpdir(), 'docwright-bench-'))
try {
  const repository = join(folder, 'repository')
  const written = hasCorpus ? await writeCorpus(repository) : pages
  if (!hasCorpus) await generateRepository(repository, pages)
  const questions = hasCorpus
    ? questionsOf(corpora, values.site).map(({ query }) => query)
    : Array.from({ length: 100 }, (_, n) => `How is page ${n} set up when it fails?`)
  await measure(repository, written, questions)
} finally {
  agent.destroy()
  await rm(folder, { recursive: true, force: true })
}

async function writeCorpus(repository: string): Promise<number> {
  let count = 0
  for (let round = 0; count < pages; round++) {
    for (const { id, title, text } of documentsOf(corpora, values.site)) {
      if (count >= pages) break
      const path = join(repository, round === 0 ? '' : `copy-${round}`, `${id}.md`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}\n`)
      count += 1
    }
  }
  git(repository, 'init', '-q', '-b', 'main')
  commit(repository)
  return count
}

function git(repository: string, ...args: string[]): void {
  execFileSync('git', [
    '-C',
    repository,
    '-c',
    'user.name=Bench',
    '-c',
    'user.email=bench@example.com',
    ...args,
  ])
}

function commit(repository: string): void {
  git(repository, 'add', '-A')
  git(repository, 'commit', '-qm', 'Change')
}

async function measure(repository: string, count: number, questions: readonly string[]): Promise<void> {
  const figures: Record<string, string> = { pages: String(count) }
  const environment = { DOCWRIGHT_WATCHDOG_SECONDS: '0' }
  let server = await startServer({ arguments: ['--no-demo'], environment })
  try {
    const idle = await memoryOf(server)
    const run = async (...args: string[]): Promise<string> =>
      (await runCommand(server.dataFolder, ...args)).stdout
    const read = await timed(() => run('project', 'add', repository, '--domain', 'bench', '--json'))
    figures['add and read, s'] = (read / 1000).toFixed(1)
    const made = await run('key', 'create', '--kind', 'assistant', '--project', 'bench', '--json')
    const { key } = keySchema.parse(JSON.parse(made))
    const search = (query: string, pageSize = 10): Promise<number> =>
      send(server, 'POST', '/discovery/v1/search/bench', key, { query, pageSize })
    figures['build the index, s'] = ((await search('first')) / 1000).toFixed(1)
    for (const pageSize of [10, 50]) {
      const [bare, whole]: [number[], number[]] = [[], []]
      const before = await processFigures(server.process.pid ?? 0)
      for (let n = -20; n < requests; n++) {
        const nothing = await send(server, 'GET', '/healthz', undefined)
        const full = await search(questions[(n + 20) % questions.length] ?? '', pageSize)
        if (n < 0) continue
        bare.push(nothing)
        whole.push(full - nothing)
      }
      const { cpu } = await processFigures(server.process.pid ?? 0)
      const each = ((cpu - before.cpu) * 1000) / (requests + 20)
      figures[`${pageSize} results with one /healthz each: CPU, ms`] = each.toFixed(1)
      const [p50, p95] = [percentile(whole, 0.5), percentile(whole, 0.95)]
      figures[`${pageSize} results, beyond /healthz: p50, p95, ms`] = `${p50.toFixed(1)}, ${p95.toFixed(1)}`
      figures[`${pageSize} results, times /healthz: p50`] = (1 + p50 / percentile(bare, 0.5)).toFixed(1)
    }
    figures['memory, MB for 1,000 pages'] = (((await memoryOf(server)) - idle) / (count / 1000)).toFixed(1)
    await server.stop()
    server = await startServer({ dataFolder: server.dataFolder, environment })
    await send(server, 'GET', '/healthz', undefined)
    figures['first search after a restart, ms'] = (await search('first')).toFixed(0)
    await writeFile(join(repository, 'changed.md'), '# Changed\n\nThe word quuxification stands here.\n')
    commit(repository)
    await run('project', 'sync', 'bench')
    figures['first search after one changed page, ms'] = (await search('quuxification')).toFixed(0)
    console.table(figures)
  } catch (error) {
    console.table(figures)
    console.error(server.output())
    throw error
  } finally {
    await server.stop()
  }
}

async function memoryOf(server: TestServer): Promise<number> {
  return (await processFigures(server.process.pid ?? 0)).memory
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** @returns milliseconds until the whole response */
function send(
  server: TestServer,
  method: string,
  path: string,
  key: string | undefined,
  body?: object,
): Promise<number> {
  return new Promise((done, fail) => {
    const began = performance.now()
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    const sent = request(`${server.url}${path}`, { method, headers, agent })
    sent.on('error', fail)
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) done(performance.now() - began)
        else fail(new Error(`${method} ${path}: status ${response.statusCode}`))
      })
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
