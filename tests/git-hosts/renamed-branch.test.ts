import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBareRepository, git } from '../repository.ts'
import { readProject, runCommand, settledJob, startServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ environment: { DOCWRIGHT_SYNC_INTERVAL: '1' } })
})

afterAll(() => server.stop())

it('follows the default branch to its new name, and to another, with the jobs that began before', async () => {
  const folder = await createBareRepository({ 'index.md': '# Start\n\none\n' })
  const { id } = await add('follows', folder)
  const job = await ask(id, 'Replace "one" with "two" in index.md')
  expect(job).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })

  await rename(folder, 'main', 'trunk')
  await until(async () => (await project('follows')).ref === 'trunk')
  const after = await ask(id, 'Replace "two" with "three" in index.md', job.id)
  expect(after).toMatchObject({ status: 'completed', turns: 2, pullRequest: { number: 1, state: 'open' } })
  expect((await project('follows')).sync).toMatchObject({ state: 'ready' })
  expect(await eventsOf(id, job.id)).toContain('base.renamed')
  // The old name still serves those who know it.
  const named = await ask(id, 'Replace "one" with "four" in index.md', undefined, 'main')
  expect(named).toMatchObject({ status: 'completed' })
  const later = await ask(id, 'Replace "one" with "five" in index.md')
  expect(later).toMatchObject({ status: 'completed' })
  expect(await eventsOf(id, later.id)).not.toContain('base.renamed')

  // Another branch is made the default one, and the old one stays.
  await git(folder, 'branch', 'next', 'trunk')
  await git(folder, 'symbolic-ref', 'HEAD', 'refs/heads/next')
  await until(async () => (await project('follows')).ref === 'next')
  await ask(id, 'Replace "five" with "six" in index.md', later.id)
  expect(await basesOf(id, later.id)).toEqual(['trunk', 'trunk'])
  const last = await ask(id, 'Replace "one" with "seven" in index.md')
  expect(await basesOf(id, last.id)).toEqual(['next'])
})

it('tells what a branch that people named is called now, and goes on once they name that', async () => {
  const folder = await createBareRepository({ 'index.md': '# Start\n\none\n' })
  const { id } = await add('named', folder, '--ref', 'main')
  await rename(folder, 'main', 'trunk')
  const job = await ask(id, 'Replace "one" with "two" in index.md')
  const failure = {
    code: 'base_not_found',
    message: expect.stringContaining('default branch is "trunk" now, so let the project read that') as string,
  }
  expect(job).toMatchObject({ status: 'failed', failure })
  await until(async () => (await project('named')).sync.error?.includes('let the project read that') === true)
  const { code } = await runCommand(server.dataFolder, 'project', 'connect', 'named', '--ref', 'HEAD')
  expect(code).toBe(0)
  expect(await project('named')).toMatchObject({ ref: 'trunk' })
  const after = await ask(id, 'Replace "one" with "two" in index.md', job.id)
  expect(after).toMatchObject({ status: 'completed', pullRequest: { state: 'open' } })
  // From now on it is followed.
  await rename(folder, 'trunk', 'stem')
  await until(async () => (await project('named')).ref === 'stem')
})

async function rename(folder: string, from: string, to: string): Promise<void> {
  await git(folder, 'branch', '-m', from, to)
  await git(folder, 'symbolic-ref', 'HEAD', `refs/heads/${to}`)
}

async function add(domain: string, folder: string, ...words: string[]): Promise<{ id: string }> {
  const added = await runCommand(server.dataFolder, 'project', 'add', folder, '--domain', domain, ...words)
  expect(added).toMatchObject({ code: 0 })
  return project(domain)
}

function project(domain: string): ReturnType<typeof readProject> {
  return readProject(server, domain)
}

interface Body {
  id: string
  status: string
}

async function ask(projectId: string, prompt: string, jobId?: string, base?: string): Promise<Body> {
  const key = server.welcome.adminKey
  const path = `/v2/agent/${projectId}/job`
  const place = jobId === undefined ? path : `${path}/${jobId}/message`
  const made = await server.request('POST', place, { key, body: { prompt, ...(base && { base }) } })
  const { id } = (await made.json()) as Body
  return (await settledJob(server, `${path}/${id}`, key)) as unknown as Body
}

interface Event {
  type: string
  data: { base?: string }
}

async function readEvents(projectId: string, jobId: string): Promise<Event[]> {
  const path = `/v2/agent/${projectId}/job/${jobId}/events`
  const answer = await server.request('GET', path, { key: server.welcome.adminKey })
  return ((await answer.json()) as { events: Event[] }).events
}

async function eventsOf(projectId: string, jobId: string): Promise<string[]> {
  return (await readEvents(projectId, jobId)).map(({ type }) => type)
}

/** Of each of its turns. */
async function basesOf(projectId: string, jobId: string): Promise<(string | undefined)[]> {
  const events = await readEvents(projectId, jobId)
  return events.filter(({ type }) => type === 'turn.started').map(({ data }) => data.base)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 200))
}
