import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { preparedArchive, preparedPostgres, unpackStore } from '../../../../tests/prepared-stores.ts'
import { createTestDatabase } from '../../../../tests/prepared-stores.ts'
import { listPullRequests } from '../../../integrations/forges/local/pull-request-detail.ts'
import { openEmbeddedStore, openPostgresStore, type Store } from '../../../store/database.ts'
import { createJobWorld, openJobWorld } from '../../../../tests/worlds/job-world.ts'
import { writingModel } from '../../../../tests/worlds/scripted-model.ts'
import { runJob } from './run-job.ts'
import { countHang } from '../turns.ts'

const prompt = 'write a.md: one\n'

/**
 * The points are after: the start, an answer, its results, the commit, its pin, the push, the opened pull request,
 * the record. The embedded store takes seconds to open, so it tests fewer.
 */
const points = { pglite: [10, 27, 30], postgres: [6, 10, 12, 25, 26, 27, 30, 32] }

it.each(['pglite', 'postgres'] as const)(
  'a runner process that is killed is replaced by one that ends the job (%s)',
  async (engine) => {
    const folder = await mkdtemp(join(tmpdir(), 'docwright-killed-'))
    const location = engine === 'pglite' ? await unpackedStore(folder) : await preparedDatabase()
    // Only one process at a time can open the embedded store.
    const using = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
      await using store =
        engine === 'pglite' ? await openEmbeddedStore(location) : await openPostgresStore(location)
      return await work(store)
    }
    const created = await using(async (store) => {
      const world = await createJobWorld(store, writingModel())
      const { id } = await world.create(prompt)
      return { folder: world.folder, projectId: world.project.id, id }
    })
    let { id } = created
    for (const point of points[engine]) {
      expect(await runKilled([engine, location, created.folder, created.projectId, id], point)).toBe(
        'SIGKILL',
      )
      id = await using(async (store) => {
        const world = await openJobWorld(store, writingModel(), created)
        await runJob(world.ports, id)
        const job = await world.read(id)
        expect(job).toMatchObject({ status: 'completed', usage: { inputTokens: 30 } })
        expect(world.git('show', `${job.branch}:a.md`)).toBe('one')
        expect(world.git('rev-list', '--count', `main..${job.branch}`)).toBe('1')
        const all = await listPullRequests(world.forgePorts, world.project, { limit: 100 })
        expect(all.filter((request) => request.head === job.branch)).toHaveLength(1)
        return (await world.create(prompt)).id
      })
    }
    await rm(created.folder, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  },
)

it('a turn without progress in three processes that the watchdog ends fails, and says so', async () => {
  const location = await preparedDatabase()
  await using store = await openPostgresStore(location)
  await using world = await createJobWorld(store, writingModel())
  const { id } = await world.create(prompt)
  const run = (point: number): Promise<string | number> =>
    runKilled(['postgres', location, world.folder, world.project.id, id], point)
  for (let ends = 0; ends < 3; ends++) {
    // Killed as soon as the start is counted.
    expect(await run(2)).toBe('SIGKILL')
    expect(await world.read(id)).toMatchObject({ status: 'active' })
    // What the next process does after the watchdog has ended this one.
    await store.transaction((tx) => countHang(tx, [id]))
  }
  expect(await run(0)).toBe(0)
  expect(await world.read(id)).toMatchObject({
    status: 'failed',
    failure: { code: 'internal', message: expect.stringContaining('restarted repeatedly') as string },
  })
})

/** @returns the signal or exit code of the runner's process */
async function runKilled(place: readonly string[], point: number): Promise<string | number> {
  const script = new URL('../../../../tests/worlds/killed-runner.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--liftoff-only', script, ...place, String(point)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}

async function preparedDatabase(): Promise<string> {
  return createTestDatabase((await preparedPostgres()).template)
}

async function unpackedStore(folder: string): Promise<string> {
  await unpackStore((await preparedArchive()) ?? '', folder)
  return join(folder, 'store', 'pglite')
}
