/**
 * Measures the time from POST to the first call of the model, on a warm mirror and without the fetch, and compares
 * it with what an agent with a checkout waits for: `git clone --depth 1` and `git worktree add` of the same
 * repository, in the same run.
 *
 *   node bench/job-start.ts [--pages 1000] [--runs 20] [--repository path]
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { generateRepository } from './generate-repository.ts'
import { runCommand, startServer } from '../tests/server.ts'

const run = promisify(execFile)
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '20' },
    repository: { type: 'string' },
  },
})
const runs = Number(values.runs)
const folder = await mkdtemp(join(tmpdir(), 'docwright-bench-'))
const repository =
  values.repository ?? (await generateRepository(join(folder, 'repository'), Number(values.pages)))

const environment: Record<string, string> = process.env['DATABASE_URL']
  ? { DATABASE_URL: process.env['DATABASE_URL'] }
  : {}
await using server = await startServer({ arguments: ['--no-demo'], environment })
const added = await runCommand(server.dataFolder, 'project', 'add', repository, '--domain', 'bench', '--json')
const { id, pages } = JSON.parse(added.stdout) as { id: string; pages: number }

const starts: number[] = []
const clones: number[] = []
const worktrees: number[] = []
for (let n = 0; n < runs + 2; n++) {
  const start = await startJob()
  const clone = await timed(
    'clone',
    '--quiet',
    '--depth',
    '1',
    `file://${repository}`,
    join(folder, `clone-${n}`),
  )
  const worktree = await timed(
    '-C',
    repository,
    'worktree',
    'add',
    '--quiet',
    '--detach',
    join(folder, `tree-${n}`),
  )
  await rm(join(folder, `clone-${n}`), { recursive: true })
  await run('git', ['-C', repository, 'worktree', 'remove', '--force', join(folder, `tree-${n}`)])
  // The first two runs are a warm-up.
  if (n < 2) continue
  starts.push(start)
  clones.push(clone)
  worktrees.push(worktree)
}
console.log(`${pages} pages, ${runs} runs, ${environment['DATABASE_URL'] ? 'PostgreSQL' : 'embedded store'}`)
console.table({
  'job start, fetch apart': figures(starts),
  'git clone --depth 1': figures(clones),
  'git worktree add': figures(worktrees),
})
console.log(
  `clone / job start, median of pairs: ${median(clones.map((clone, n) => clone / (starts[n] ?? 1))).toFixed(1)}`,
)
console.log(
  `worktree / job start, median of pairs: ${median(worktrees.map((tree, n) => tree / (starts[n] ?? 1))).toFixed(1)}`,
)
await rm(folder, { recursive: true, force: true })

/** Milliseconds from the request to the end of the first model call, which the built-in model answers in about one. */
async function startJob(): Promise<number> {
  const key = server.welcome.adminKey
  const before = Date.now()
  const created = await server.request('POST', `/v2/agent/${id}/job`, {
    key,
    body: { prompt: 'What can you do?' },
  })
  const job = (await created.json()) as { id: string }
  for (;;) {
    // The events hold their own times. Polling more often would only slow down what is measured.
    await delay(500)
    const answer = await server.request('GET', `/v2/agent/${id}/job/${job.id}/events`, { key })
    const { events } = (await answer.json()) as {
      events: { type: string; createdAt: string; data: { fetchMilliseconds?: number } }[]
    }
    const step = events.find(({ type }) => type === 'step')
    const fetched = events.find(({ type }) => type === 'turn.started')?.data.fetchMilliseconds ?? 0
    if (step) return Date.parse(step.createdAt) - before - fetched
  }
}

async function timed(...words: string[]): Promise<number> {
  const before = performance.now()
  await run('git', words)
  return performance.now() - before
}

function figures(values: number[]): Record<string, number> {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return { 'min ms': at(0), 'p50 ms': at(0.5), 'p95 ms': at(0.95), 'max ms': at(1) }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
