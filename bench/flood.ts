/**
 * What a flood of jobs of one organization costs another one: how long its jobs wait after a place became free, with the
 * built-in model.
 *
 *   node bench/flood.ts [--store postgres|embedded] [--processes 2] [--jobs 200] [--others 5]
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newPostgres } from '../tests/postgres-server.ts'
import { createBareRepository } from '../tests/repository.ts'
import { runCommand, startServer, startWorker } from '../tests/server.ts'

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'postgres' },
    processes: { type: 'string', default: '2' },
    jobs: { type: 'string', default: '200' },
    others: { type: 'string', default: '5' },
  },
})

interface Turn {
  job: string
  organization: string
  number: number
  created: number
  started: number
  finished: number
}
interface Owner {
  id: string
  key: string
  projects: string[]
}

const postgres = values.store === 'postgres' ? await newPostgres() : undefined
const environment: Record<string, string> = postgres ? { DATABASE_URL: postgres.url } : {}
const server = await startServer({ arguments: ['--no-demo'], environment })
const workers = await Promise.all(
  Array.from({ length: postgres ? Number(values.processes) - 1 : 0 }, () =>
    startWorker(server.dataFolder, environment),
  ),
)
const token = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
try {
  await command('limit', 'set', 'job-create', '1000')
  await command('limit', 'set', 'job-message', '1000').catch(() => undefined)
  const flood = await addOrganization('flood', 3)
  const other = await addOrganization('other', 1)
  const many = await create(flood, Number(values.jobs))
  // A second turn of some, which has to come after the first one.
  const followed = await Promise.all(many.slice(0, 5).map((job) => follow(flood, job)))
  await delay(3000)
  const few = await create(other, Number(values.others))
  const begun = performance.now()
  const turns = [...(await settled(other, few)), ...(await settled(flood, many))]
  console.log(
    `${values.store}, ${workers.length + 1} processes: all jobs were done ${((performance.now() - begun) / 1000).toFixed(0)} s later`,
  )
  report('jobs of the other organization', turns, other)
  report('jobs of the flood', turns, flood)
  const outOfOrder = turns.filter((turn) =>
    turns.some((one) => one.job === turn.job && one.number < turn.number && one.finished > turn.started),
  )
  console.log(`${followed.length} jobs with two turns, ${outOfOrder.length} turns out of order`)
} finally {
  for (const worker of workers) worker.kill('SIGTERM')
  await server.stop()
  await postgres?.remove()
}

/**
 * A turn takes the place that has been free for longest: how long that stood empty while the job waited is what was lost.
 */
function report(name: string, turns: Turn[], { id }: Owner): void {
  const ends = turns.map(({ finished }) => finished).toSorted((one, two) => one - two)
  const empty: number[] = []
  const waited: number[] = []
  for (const turn of turns.toSorted((one, two) => one.started - two.started)) {
    const place = (ends[0] ?? Infinity) <= turn.started ? ends.shift() : undefined
    if (turn.organization !== id) continue
    waited.push(turn.started - turn.created)
    if (place !== undefined) empty.push(turn.started - Math.max(place, turn.created))
  }
  console.log(
    `${name}: ${waited.length} turns; a free place waited ${spread(empty)}; they waited ${spread(waited)}`,
  )
}

function spread(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((one, two) => one - two)
  const at = (share: number): string =>
    `${((sorted[Math.floor((sorted.length - 1) * share)] ?? NaN) / 1000).toFixed(2)} s`
  return `p50 ${at(0.5)}, most ${at(1)}`
}

async function addOrganization(name: string, projects: number): Promise<Owner> {
  const { id } = await call<{ id: string }>('POST', '/admin/organizations', token, { name })
  const { key } = await call<{ key: string }>('POST', '/admin/keys', token, {
    kind: 'admin',
    organization: id,
  })
  const ids: string[] = []
  for (let n = 0; n < projects; n++) {
    const repository = await createBareRepository({
      'quickstart.md': '# Quickstart\n\nRun it.\n',
      'guide.md': '# Guide\n\nRead it.\n',
    })
    const domain = `${name}-${n}`
    await command('project', 'add', repository, '--domain', domain, '--organization', id)
    ids.push((await call<{ id: string }>('GET', `/admin/projects/${domain}`, token)).id)
  }
  return { id, key, projects: ids }
}

interface Job {
  id: string
  project: string
}

async function create({ key, projects }: Owner, count: number): Promise<Job[]> {
  const jobs: Job[] = []
  for (let n = 0; n < count; n++) {
    const project = projects[n % projects.length] ?? ''
    const body = { prompt: `Add a note to the quickstart page: "Note ${n}."` }
    const { id } = await call<{ id: string }>('POST', `/v2/agent/${project}/job`, key, body)
    jobs.push({ id, project })
  }
  return jobs
}

async function follow({ key }: Owner, { id, project }: Job): Promise<void> {
  const body = { prompt: 'Add a note to the guide page: "Another note."' }
  await call('POST', `/v2/agent/${project}/job/${id}/message`, key, body)
}

async function settled({ id: organization, key }: Owner, jobs: Job[]): Promise<Turn[]> {
  const turns: Turn[] = []
  for (const { id, project } of jobs) {
    for (;;) {
      const job = await call<{ status: string }>('GET', `/v2/agent/${project}/job/${id}`, key)
      if (job.status === 'completed') break
      if (job.status !== 'active') throw new Error(JSON.stringify(job))
      await delay(500)
    }
    const path = `/v2/agent/${project}/job/${id}/turns`
    for (const turn of (await call<{ turns: ListedTurn[] }>('GET', path, key)).turns) {
      const [created, started, finished] = [turn.createdAt, turn.startedAt, turn.finishedAt].map(
        Date.parse,
      ) as [number, number, number]
      turns.push({ job: id, organization, number: turn.n, created, started, finished })
    }
  }
  return turns
}

interface ListedTurn {
  n: number
  createdAt: string
  startedAt: string
  finishedAt: string
}

async function call<T>(method: string, path: string, key: string, body?: object): Promise<T> {
  const answer = await server.request(method, path, { key, body })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function command(...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await runCommand(server.dataFolder, ...words)
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stdout}${stderr}`)
  if (words[0] === 'limit') console.log(stdout)
}
