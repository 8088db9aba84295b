/**
 * What running jobs cost, with a hosted model's API simulated on a local port.
 *
 *   node bench/jobs.ts [--pages 10000] [--running 20] [--queued 50] [--steps 60] [--latency 50]
 *
 * Memory: resident memory of the server with `--running` jobs, each in the middle of its work, minus that of the
 * idle server. Waiting: how long a short job takes that is created after `--queued` long ones, with two jobs at a
 * time.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { generateRepository } from './generate-repository.ts'
import { startModelMock } from '../tests/model-mock.ts'
import type { ModelAnswer } from '../tests/model-mock.ts'
import { runCommand, settledJob, startServer } from '../tests/server.ts'
import type { TestServer } from '../tests/server.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    running: { type: 'string', default: '20' },
    queued: { type: 'string', default: '50' },
    steps: { type: 'string', default: '60' },
    latency: { type: 'string', default: '50' },
  },
})
const [pages, running, queued, longSteps, latency] = [
  values.pages,
  values.running,
  values.queued,
  values.steps,
  values.latency,
].map(Number) as [number, number, number, number, number]
const folder = await mkdtemp(join(tmpdir(), 'docwright-bench-'))
try {
  const repository = await generateRepository(join(folder, 'repository'), pages)
  await measureMemory(repository)
  await measureWaiting(repository)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measureMemory(repository: string): Promise<void> {
  const held: string[] = []
  const release = Promise.withResolvers<void>()
  await using model = await startModelMock(async ({ prompt, step }) => {
    const n = Number(/\d+/.exec(prompt)?.[0] ?? 0)
    const path = `section-${n % 20}/page-${n}.md`
    const work: ModelAnswer[] = [
      [['list_pages', { query: 'page' }]],
      [['grep', { pattern: 'Documentation', limit: 500 }]],
      [['read_file', { path }]],
      [['edit_file', { path, edits: [{ search: `# Page ${n}`, replace: `# Page number ${n}` }] }]],
      [['check', { paths: [path] }]],
    ]
    const answer = work[step]
    if (answer) return answer
    held.push(prompt)
    await release.promise
    return [['finish', { title: `Change page ${n}`, summary: 'Changed' }]]
  })
  const environment = { ...model.environment, DOCWRIGHT_JOB_CONCURRENCY: String(running + 1) }
  await using server = await startServer({ arguments: ['--no-demo'], environment })
  const id = await addProject(server, repository)
  // The facts about the site are read once and shared by all jobs.
  await createJob(server, id, 'Warm up with page 0')
  while (held.length < 1) await delay(100)
  await delay(3000)
  const before = await residentMegabytes(server)
  for (let n = 1; n <= running; n++) await createJob(server, id, `Change page ${n}`)
  while (held.length <= running) await delay(100)
  await delay(3000)
  const after = await residentMegabytes(server)
  release.resolve()
  const each = (after - before) / running
  console.log(
    `memory, ${pages} pages: ${before.toFixed(0)} MB with one job, ${after.toFixed(0)} MB with ${running} more in the middle of their work: ${each.toFixed(1)} MB each`,
  )
}

async function measureWaiting(repository: string): Promise<void> {
  await using model = await startModelMock(async ({ prompt, step }) => {
    await delay(latency)
    const steps = prompt.startsWith('Short') ? 2 : longSteps
    if (step < steps)
      return [['read_file', { path: 'section-0/page-0.md', startLine: step + 1, lineCount: 1 }]]
    return [['finish', { title: 'Nothing', summary: 'Nothing to do', noChange: true }]]
  })
  const environment = { ...model.environment, DOCWRIGHT_JOB_CONCURRENCY: '2' }
  await using server = await startServer({ arguments: ['--no-demo'], environment })
  const id = await addProject(server, repository)
  const began = performance.now()
  const long: string[] = []
  for (let n = 0; n < queued; n++) long.push(await createJob(server, id, `Long ${n}`))
  const asked = performance.now()
  const short = await createJob(server, id, 'Short')
  await settledJob(server, short, server.welcome.adminKey)
  const shortTook = (performance.now() - asked) / 1000
  for (const path of long) await settledJob(server, path, server.welcome.adminKey)
  const all = (performance.now() - began) / 1000
  console.log(
    `waiting: a job of 3 calls behind ${queued} of ${longSteps + 1} calls, two at a time: done after ${shortTook.toFixed(1)} s; all of them after ${all.toFixed(1)} s`,
  )
}

async function addProject(server: TestServer, repository: string): Promise<string> {
  const added = await runCommand(
    server.dataFolder,
    'project',
    'add',
    repository,
    '--domain',
    'bench',
    '--json',
  )
  return (JSON.parse(added.stdout) as { id: string }).id
}

async function createJob(server: TestServer, projectId: string, prompt: string): Promise<string> {
  const path = `/v2/agent/${projectId}/job`
  const created = await server.request('POST', path, { key: server.welcome.adminKey, body: { prompt } })
  return `${path}/${((await created.json()) as { id: string }).id}`
}

async function residentMegabytes(server: TestServer): Promise<number> {
  const status = await readFile(`/proc/${server.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
