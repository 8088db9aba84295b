/**
 * How soon answers begin while many are open, compared with a bare AI SDK server with the same slow model in the
 * same run.
 *
 *   node bench/streams.ts [--rounds 2] [--count 200] [--rate 20] [--open 50] [--interval 100] [--embedded]
 *   DATABASE_URL=postgres://… node bench/streams.ts
 *
 * Burst: `--count` questions at `--rate` a second, with all answers still open when the last one is asked. It
 * measures the time to the response headers and to the first text. Steady: `--open` answers at any time; it
 * measures the time to the first text. The servers alternate, and the first round of each is a warm-up. PostgreSQL
 * is started for the run unless an address is given.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newPostgres } from '../tests/postgres-server.ts'
import { startServer } from '../tests/server.ts'

interface Target {
  pid: number
  url: string
  headers: Record<string, string>
}

/** Milliseconds after the question. */
interface Answered {
  head: number
  text: number
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    count: { type: 'string', default: '200' },
    rate: { type: 'string', default: '20' },
    open: { type: 'string', default: '50' },
    interval: { type: 'string', default: '100' },
    embedded: { type: 'boolean', default: false },
  },
})
const [rounds, count, rate, open, interval] = [
  values.rounds,
  values.count,
  values.rate,
  values.open,
  values.interval,
].map(Number) as [number, number, number, number, number]
const firstPiece = 300
/** Milliseconds that an answer takes: longer than asking all questions takes. */
const answerTime = (count / rate) * 1000 + 2000
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

const model = await startScript('slow-model.ts', firstPiece, interval, Math.ceil(answerTime / interval))
const bare = await startScript('bare-server.ts', model.url)
const postgres = values.embedded || process.env['DATABASE_URL'] ? undefined : await newPostgres()
const databaseUrl = values.embedded ? undefined : (process.env['DATABASE_URL'] ?? postgres?.url)
try {
  await using server = await startServer({
    environment: {
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      DOCWRIGHT_MODEL: 'openai-chat:gpt-mock',
      OPENAI_API_KEY: 'sk-mock',
      OPENAI_BASE_URL: model.url,
    },
  })
  const { assistantKey, domain } = server.welcome
  const targets: Record<string, Target> = {
    bare: { pid: bare.process.pid ?? 0, url: `${bare.url}/message`, headers: {} },
    docwright: {
      pid: server.process.pid ?? 0,
      url: `${server.url}/discovery/v2/assistant/${domain}/message`,
      headers: { authorization: `Bearer ${assistantKey}` },
    },
  }
  console.log(`${databaseUrl === undefined ? 'embedded store' : 'PostgreSQL'}, a piece every ${interval} ms`)
  await compare(`${count} questions at ${rate} a second`, targets, burst)
  await compare(`${open} answers open`, targets, steady)
} finally {
  agent.destroy()
  bare.process.kill()
  model.process.kill()
  await postgres?.remove()
}

async function compare(
  name: string,
  targets: Record<string, Target>,
  run: (target: Target) => Promise<Answered[]>,
): Promise<void> {
  const all = new Map<string, { answers: Answered[]; cpu: number }>()
  for (let round = 0; round <= rounds; round++)
    for (const [title, target] of Object.entries(targets)) {
      const before = await cpuMilliseconds(target.pid)
      const answers = await run(target)
      const cpu = (await cpuMilliseconds(target.pid)) - before
      if (round === 0) continue
      const known = all.get(title) ?? { answers: [], cpu: 0 }
      all.set(title, { answers: [...known.answers, ...answers], cpu: known.cpu + cpu })
    }
  console.log(`\n${name}, ${rounds} rounds`)
  console.table(
    Object.fromEntries(
      [...all].map(([title, { answers, cpu }]) => [
        title,
        {
          'head p50 ms': quantile(answers, 'head', 0.5),
          'head p95 ms': quantile(answers, 'head', 0.95),
          'text p50 ms': quantile(answers, 'text', 0.5),
          'text p95 ms': quantile(answers, 'text', 0.95),
          'CPU ms an answer': Math.round(cpu / answers.length),
        },
      ]),
    ),
  )
}

async function burst(target: Target): Promise<Answered[]> {
  const answers: Promise<Answered>[] = []
  const began = performance.now()
  for (let n = 0; n < count; n++) {
    await delay(Math.max(0, began + (n * 1000) / rate - performance.now()))
    answers.push(ask(target))
  }
  return Promise.all(answers)
}

/**
 * Each reader asks again as soon as its answer ends. Questions from the time when not all readers were active are
 * left out.
 */
async function steady(target: Target): Promise<Answered[]> {
  const answers = await Promise.all(
    Array.from({ length: open }, async (_, n) => {
      await delay((n * answerTime) / open)
      await ask(target)
      return ask(target)
    }),
  )
  return answers
}

function ask({ url, headers }: Target): Promise<Answered> {
  const body = JSON.stringify({
    fp: 'bench',
    trigger: 'submit-message',
    messages: [
      {
        id: 'm',
        role: 'user',
        parts: [{ type: 'text', text: 'How do I follow up on a job that has ended?' }],
      },
    ],
  })
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const asked = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-type': 'application/json' },
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      const head = performance.now() - began
      let text = 0
      response.on('data', (chunk: Buffer) => {
        if (text === 0 && chunk.includes('"text-delta"')) text = performance.now() - began
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200 && text > 0) resolve({ head, text })
        else reject(new Error(`status ${response.statusCode}, text after ${text} ms`))
      })
    })
    asked.end(body)
  })
}

/** The CPU time of the process so far. A tick is 10 ms. */
async function cpuMilliseconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function quantile(answers: Answered[], of: keyof Answered, share: number): number {
  const sorted = answers.map((answer) => answer[of]).sort((a, b) => a - b)
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
}

async function startScript(
  name: string,
  ...words: (string | number)[]
): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), ...words.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('ready ')) return { url: line.slice(6), process: child }
  throw new Error(`${name} ended early`)
}
