/**
 * How soon answers begin while many are open, compared with a bare AI SDK server with the same slow model in the
 * same run.
 *
 *   node bench/streams.ts [--rounds 2] [--count 200] [--rate 20] [--open 50] [--interval 50] [--embedded]
 *   DATABASE_URL=postgres://… node bench/streams.ts
 *
 * Burst: `--count` questions at `--rate` a second, with all answers still open when the last one is asked. Steady:
 * `--open` answers at any time. Both measure the time to the response headers and to the first text, and how long a
 * word takes from the model to the client. The servers alternate, the first round of each is a warm-up, and each
 * round is compared with the bare server's in the same round. PostgreSQL is started for the run unless an address is
 * given.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
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
  /** Of each word, from the model's sending it. */
  words: number[]
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    count: { type: 'string', default: '200' },
    rate: { type: 'string', default: '20' },
    open: { type: 'string', default: '50' },
    interval: { type: 'string', default: '50' },
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
/** Those that readers ask of the product's own documentation. Some of them have the model write queries first. */
const questions = (await readFile(join(import.meta.dirname, '../evals/docwright.jsonl'), 'utf8'))
  .trim()
  .split('\n')
  .map((line) => z.object({ question: z.string() }).parse(JSON.parse(line)).question)
let asked = 0
const firstPiece = 300
/** Milliseconds that an answer takes: longer than asking all questions takes. */
const answerTime = (count / rate) * 1000 + 2000
/** Each question has a connection of its own: servers close idle ones, perhaps just when a question is sent. */
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

const wordsOfAnswer = Math.ceil(answerTime / interval)
const model = await startScript('slow-model.ts', firstPiece, interval, wordsOfAnswer)
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
  if (open > 0) await compare(`${open} answers open`, targets, steady)
  await server.stop()
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
  const all = new Map<string, { rounds: Answered[][]; cpu: number }>()
  for (let round = 0; round <= rounds; round++)
    for (const [title, target] of Object.entries(targets)) {
      const before = await cpuMilliseconds(target.pid)
      const answers = await run(target)
      const cpu = (await cpuMilliseconds(target.pid)) - before
      if (round === 0) continue
      const known = all.get(title) ?? { rounds: [], cpu: 0 }
      all.set(title, { rounds: [...known.rounds, answers], cpu: known.cpu + cpu })
    }
  console.log(`\n${name}, ${rounds} rounds`)
  console.table(
    Object.fromEntries(
      [...all].map(([title, { rounds: each, cpu }]) => {
        const answers = each.flat()
        return [
          title,
          {
            'head p50 ms': quantile(headsOf(answers), 0.5),
            'head p95 ms': quantile(headsOf(answers), 0.95),
            'text p50 ms': quantile(textsOf(answers), 0.5),
            'text p95 ms': quantile(textsOf(answers), 0.95),
            'word p50 ms': quantile(wordsOf(answers), 0.5),
            'word p95 ms': quantile(wordsOf(answers), 0.95),
            'CPU ms an answer': Math.round(cpu / answers.length),
          },
        ]
      }),
    ),
  )
  const [base, ours] = ['bare', 'docwright'].map((title) => all.get(title)?.rounds ?? [])
  const added = (of: (answers: Answered[]) => number[]): number[] =>
    (ours ?? []).map((answers, n) => round(quantile(of(answers), 0.5) - quantile(of(base?.[n] ?? []), 0.5)))
  console.log(`added at the median, round by round: first text ${added(textsOf).join(', ')} ms,`)
  console.log(`a word ${added(wordsOf).join(', ')} ms`)
}

function headsOf(answers: Answered[]): number[] {
  return answers.map(({ head }) => head)
}

function textsOf(answers: Answered[]): number[] {
  return answers.map(({ text }) => text)
}

function wordsOf(answers: Answered[]): number[] {
  return answers.flatMap(({ words }) => words)
}

async function burst(target: Target): Promise<Answered[]> {
  const answers: Promise<Answered>[] = []
  const began = performance.now()
  for (let n = 0; n < count; n++) {
    await delay(Math.max(0, began + (n * 1000) / rate - performance.now()))
    const answer = ask(target)
    // Reported by the one who waits for all of them.
    answer.catch(() => undefined)
    answers.push(answer)
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
        parts: [{ type: 'text', text: questions[asked++ % questions.length] }],
      },
    ],
  })
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const posted = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-type': 'application/json' },
    })
    posted.on('error', reject)
    posted.on('response', (response) => {
      const head = performance.now() - began
      let text = 0
      const words: number[] = []
      let last = ''
      let rest = ''
      response.on('data', (chunk: Buffer) => {
        const now = performance.now()
        last = chunk.toString()
        // A frame may come in two pieces.
        const lines = `${rest}${chunk.toString('latin1')}`.split('\n')
        rest = lines.pop() ?? ''
        for (const [, sent] of lines.join('\n').matchAll(/\bat(\d+\.\d\d)/g))
          words.push(performance.timeOrigin + now - Number(sent))
        if (text === 0 && chunk.includes('"text-delta"')) text = now - began
      })
      response.on('error', reject)
      response.on('end', () => {
        const all = words.length === wordsOfAnswer
        if (response.statusCode === 200 && text > 0 && all) resolve({ head, text, words })
        else
          reject(
            new Error(
              `status ${response.statusCode}, text after ${text} ms, ${words.length} words: ${last.slice(-500)}`,
            ),
          )
      })
    })
    posted.end(body)
  })
}

/** The CPU time of the process so far. A tick is 10 ms. */
async function cpuMilliseconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
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
