import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBareRepository, git } from '../repository.ts'
import { runCommand, settledJob, startServer, type TestServer } from '../server.ts'

/** Each has two turns. */
const [jobs, mostKills] = process.env['TEST_ALL'] === undefined ? [2, 3] : [20, 60]

it('loses nothing and does nothing twice when the server is killed at random moments', async () => {
  const pages = Array.from(
    { length: jobs },
    (_, n) => [`page-${n}.md`, `# Page ${n}\n\nOld word${n} here.\n`] as const,
  )
  const repository = await createBareRepository(Object.fromEntries(pages))
  let server: TestServer = await startServer({ arguments: ['--no-demo'], isEmbedded: true })
  const { dataFolder } = server
  const key = server.welcome.adminKey
  const added = await runCommand(dataFolder, 'project', 'add', repository, '--domain', 'crash', '--json')
  const { id } = JSON.parse(added.stdout) as { id: string }

  const post = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const response = await server.request('POST', path, { key, body })
    expect(response.status).toBeLessThan(300)
    return (await response.json()) as Record<string, string>
  }
  const paths: string[] = []
  for (let n = 0; n < jobs; n++) {
    const job = await post(`/v2/agent/${id}/job`, {
      prompt: `Replace "word${n}" with "term${n}" in page-${n}.md`,
    })
    paths.push(`/v2/agent/${id}/job/${job['id']}`)
    await post(`${paths[n]}/message`, { prompt: `Replace "Old" with "New" in page-${n}.md` })
  }
  const countEvents = async (): Promise<number> => {
    const counts = paths.map(async (path) => {
      const response = await server.request('GET', `${path}/events?limit=1000`, { key })
      return ((await response.json()) as { events: unknown[] }).events.length
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }
  const moveOn = async (before: number): Promise<void> => {
    for (let tries = 0; tries < 600 && (await countEvents()) === before; tries++) await delay(50)
  }
  for (let kills = 0; kills < mostKills; kills++) {
    // A turn that gets nowhere ten times in a row is given up, so now and then something has to be done first.
    const before = await countEvents()
    await delay(100 + Math.random() * 1500)
    if (kills % 3 === 2) await moveOn(before)
    await server.stop('SIGKILL')
    server = await startServer({ dataFolder })
    const open = await server.request('GET', `/v2/agent/${id}/jobs?status=active&limit=100`, { key })
    if (((await open.json()) as { jobs: unknown[] }).jobs.length === 0) break
  }
  await using last = server
  const branches = new Set<string>()
  for (const [n, path] of paths.entries()) {
    const job = await settledJob(last, path, key)
    expect(job).toMatchObject({ status: 'completed', turns: 2, failure: null })
    const { ref } = job['source'] as { ref: string }
    branches.add(ref)
    expect(await git(repository, 'show', `${ref}:page-${n}.md`)).toBe(`# Page ${n}\n\nNew term${n} here.`)
    expect(await git(repository, 'rev-list', '--count', `main..${ref}`)).toBe('2')
    const { events } = (await (await last.request('GET', `${path}/events`, { key })).json()) as {
      events: { type: string; id: number }[]
    }
    expect(events.filter(({ type }) => type === 'pull_request.opened')).toHaveLength(1)
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1))
  }
  expect(branches.size).toBe(jobs)
  expect((await git(repository, 'branch', '--list', 'docwright/*')).split('\n')).toHaveLength(jobs)
  const numbers = await Promise.all(
    paths.map(
      async (path) => ((await settledJob(last, path, key))['pullRequest'] as { number: number }).number,
    ),
  )
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: jobs }, (_, n) => n + 1))
})
