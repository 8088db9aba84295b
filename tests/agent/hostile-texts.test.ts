import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cancelJob } from '../../src/features/agent/cancel-job.ts'
import { listEvents } from '../../src/features/agent/events.ts'
import { pushFiles } from '../worlds/follow-up.ts'
import { type JobWorld, createJobWorld } from '../worlds/job-world.ts'
import { runJob } from '../../src/features/agent/loop/run-job.ts'
import { writingModel } from '../worlds/scripted-model.ts'
import { createIndexes } from '../../src/features/docs/indexes.ts'
import { createGit } from '../../src/integrations/git/git.ts'
import { createOpenToolbox } from '../../src/start/toolbox/open-toolbox.ts'
import type { Store } from '../../src/store/database.ts'
import { openTestStore } from '../stores.ts'

// Whatever a page does to its readers: the server stays free, and the job ends with the page's name.

/** Minutes for a parser of Markdown, whose time grows with the square of such lines, and one line for an editor. */
const nested = `${'- '.repeat(90)}a\r`.repeat(5000)
const minutes = 5 * 60_000

let store: Store | undefined

beforeAll(async () => {
  store = await openTestStore()
})

afterAll(() => store?.[Symbol.asyncDispose]())

async function openWorld(options: { deadline?: number } = {}): Promise<JobWorld> {
  if (store === undefined) throw new Error('the store is open only while tests run')
  const world = await createJobWorld(store, writingModel())
  const git = await createGit({ dataFolder: join(world.folder, 'other'), environment: process.env })
  const services = { store, git, indexes: createIndexes(store, join(world.folder, 'index')) }
  // Milliseconds: what is no trouble is read in a few.
  world.ports.openToolbox = createOpenToolbox(services, { deadline: 1000, ...options })
  return world
}

/** Seconds that the main thread worked, in which nobody else is served. A busy machine makes them no more. */
async function mainThreadSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  return process.threadCpuUsage(before).user / 1_000_000
}

it('refuses a page that takes too long to judge, and serves others meanwhile', async () => {
  await using world = await openWorld()
  const [bad, good] = [
    await world.create(`write bad.md: ${nested}`),
    await world.create('write good.md: Fine.\n'),
  ]
  const both = () => Promise.all([runJob(world.ports, bad.id), runJob(world.ports, good.id)])
  expect(await mainThreadSeconds(both)).toBeLessThan(4)
  expect(await world.read(bad.id)).toMatchObject({
    status: 'failed',
    failure: { code: 'policy', message: expect.stringContaining('bad.md: It takes too long to judge') },
  })
  expect(await world.read(good.id)).toMatchObject({ status: 'completed' })
})

it('refuses to change a page that was so before, and leaves it out of other jobs', async () => {
  await using world = await openWorld()
  const frame = '<iframe src="https://video.host.net/1"></iframe>\n'
  pushFiles(world, 'main', { 'old.md': `${frame}\n${nested}` })
  const other = await world.create('write other.md: See [the old page](old.md).\n')
  await runJob(world.ports, other.id)
  expect(await world.read(other.id)).toMatchObject({ status: 'completed' })
  // It stands in a page of the base, but in none that can be read.
  const same = await world.create(`write same.md: ${frame}`)
  await runJob(world.ports, same.id)
  expect(await world.read(same.id)).toMatchObject({
    failure: { message: expect.stringContaining('same.md:1: It would add an element <iframe>') },
  })
  // The model of this test reads the start page before it writes.
  pushFiles(world, 'main', { 'index.md': nested })
  const old = await world.create('write index.md: Short now.\n')
  await runJob(world.ports, old.id)
  expect(await world.read(old.id)).toMatchObject({
    failure: { message: expect.stringContaining('index.md: It takes too long to judge') },
  })
})

it('lets go at once of a job that is cancelled while a text is read', async () => {
  await using world = await openWorld({ deadline: 10 * minutes })
  const { id } = await world.create(`write bad.md: ${nested}`)
  const running = runJob(world.ports, id)
  const steps = async (): Promise<number> => {
    const events = await listEvents(world.ports.store.db, world.project.id, id, { after: 0, limit: 100 })
    return events.filter(({ type }) => type === 'step').length
  }
  // The model has finished, so that its page is judged.
  await expect.poll(steps).toBe(3)
  await cancelJob(world.ports.store, world.project, id)
  await running
  expect(await world.read(id)).toMatchObject({ status: 'failed', failure: { code: 'cancelled' } })
})
