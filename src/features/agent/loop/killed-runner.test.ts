import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../../tests/stores.ts'
import { listPullRequests } from '../../../integrations/forges/local/pull-request-detail.ts'
import { openEmbeddedStore, openPostgresStore } from '../../../store/database.ts'
import type { Store } from '../../../store/database.ts'
import { migrate } from '../../../store/migrate.ts'
import { createJobWorld, openJobWorld } from '../../../../tests/worlds/job-world.ts'
import { writingModel } from '../../../../tests/worlds/scripted-model.ts'
import { countHang } from '../turns.ts'

it.each(['pglite', 'postgres'])(
  'a runner process that is killed is replaced by one that ends the job (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const folder = await mkdtemp(join(tmpdir(), 'docwright-killed-'))
    const location = engine === 'pglite' ? join(folder, 'store') : await createTestDatabase()
    const open = (): Promise<Store> =>
      engine === 'pglite' ? openEmbeddedStore(location) : openPostgresStore(location)
    // The embedded store belongs to one process at a time.
    const using = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
      await using store = await open()
      return await work(store)
    }
    const created = await using(async (store) => {
      await migrate(store)
      const world = await createJobWorld(store, writingModel())
      return { folder: world.folder, projectId: world.project.id }
    })
    const run = async (jobId: string, point: number): Promise<string | number> => {
      const script = new URL('../../../../tests/worlds/killed-runner.ts', import.meta.url).pathname
      const args = [script, engine, location, created.folder, created.projectId, jobId, String(point)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
      const [code, signal] = await once(child, 'exit')
      return signal ?? code
    }
    const prompt = 'write a.md: one\n'
    // After: the start, an answer, its results, the commit, its pin, the push, the open pull request, the record. The
    // embedded store takes seconds to open, and goes through fewer.
    for (const point of engine === 'pglite' ? [10, 27, 30] : [6, 10, 12, 25, 26, 27, 30, 32]) {
      const { id } = await using(async (store) =>
        (await openJobWorld(store, writingModel(), created)).create(prompt),
      )
      expect(await run(id, point)).toBe('SIGKILL')
      expect(await run(id, 0)).toBe(0)
      await using(async (store) => {
        const world = await openJobWorld(store, writingModel(), created)
        const job = await world.read(id)
        expect(job).toMatchObject({ status: 'completed', usage: { inputTokens: 30 } })
        expect(world.git('show', `${job.branch}:a.md`)).toBe('one')
        expect(world.git('rev-list', '--count', `main..${job.branch}`)).toBe('1')
        const all = await listPullRequests(world.forgePorts, world.project, { limit: 100 })
        expect(all.filter((request) => request.head === job.branch)).toHaveLength(1)
      })
    }
    await rm(created.folder, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  },
)

it('a turn that gets no further in three processes that the watchdog ends fails, and says so', async () => {
  const location = await createTestDatabase()
  await using store = await openPostgresStore(location)
  await migrate(store)
  await using world = await createJobWorld(store, writingModel())
  const { id } = await world.create('write a.md: one\n')
  const script = new URL('../../../../tests/worlds/killed-runner.ts', import.meta.url).pathname
  const run = async (point: number): Promise<unknown> => {
    const args = [script, 'postgres', location, world.folder, world.project.id, id, String(point)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const [code, signal] = await once(child, 'exit')
    return signal ?? code
  }
  for (let ends = 0; ends < 3; ends++) {
    // As soon as the start is counted.
    expect(await run(2)).toBe('SIGKILL')
    expect(await world.read(id)).toMatchObject({ status: 'active' })
    // As the next process does when the watchdog has ended the one before.
    await store.transaction((tx) => countHang(tx, [id]))
  }
  expect(await run(0)).toBe(0)
  expect(await world.read(id)).toMatchObject({
    status: 'failed',
    failure: { code: 'internal', message: expect.stringContaining('ended again and again') as string },
  })
})
