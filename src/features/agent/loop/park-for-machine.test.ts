import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { GitError } from '../../../integrations/git/process/run-git.ts'
import { listPullRequests } from '../../../integrations/forges/local/pull-request-detail.ts'
import { listEvents } from '../events.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from './run-job.ts'
import { writingModel } from '../../../../tests/worlds/scripted-model.ts'
import { toStoreTrouble } from '../../../store/store-trouble.ts'
import { countWaiting, endMachineWaits } from '../turns.ts'

describeOnStore('a turn on a machine in trouble', (store) => {
  it('waits before it begins, says so once, and continues when the machine works again', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('write a.md: one\n')
    world.machine.reason = 'no_space'
    await expect(world.create('write b.md: two\n')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(world.message(id, 'write b.md: two\n')).rejects.toThrow('The disk of this server is full')
    for (const wait of [5, 15, 30, 60, 60]) {
      await runJob(world.ports, id)
      expect(await waitOf(id)).toBeGreaterThan(wait - 3)
      expect(await waitOf(id)).toBeLessThanOrEqual(wait)
      expect(await countWaiting(store().db)).toEqual([{ of: 'machine', count: 1 }])
      await store().transaction(endMachineWaits)
      expect(await countWaiting(store().db)).toEqual([])
    }
    expect(model.doGenerateCalls).toHaveLength(0)
    expect(await world.read(id)).toMatchObject({ status: 'active', failure: undefined })
    const waits = await waitsOf(world, id)
    expect(waits).toMatchObject([
      {
        reason: 'no_space',
        message:
          'The disk of this server is full. Nothing has to be done here: the turn continues automatically soon after that is over',
      },
    ])
    world.machine.reason = undefined
    await runJob(world.ports, id)
    await expectOnePullRequest(world, id)
    expect(await countWaiting(store().db)).toEqual([])
  })

  it('waits for a database that gives up its statements, and does not fail for it', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('write a.md: one\n')
    let left = 12
    const givenUp = (): Error => Object.assign(new Error('canceling statement'), { code: '57014' })
    const ports = {
      ...world.ports,
      openProject: async (projectId: string) => {
        if (left-- > 0) throw toStoreTrouble(givenUp())
        return world.ports.openProject(projectId)
      },
    }
    for (let n = 0; n < 3; n++) {
      await runJob(ports, id)
      await store().transaction(endMachineWaits)
    }
    await expectOnePullRequest(world, id)
    expect(await waitsOf(world, id)).toMatchObject([{ reason: 'overloaded' }])
  })

  const full = (): Error =>
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const gitFull = (): Error =>
    new GitError('commit-tree', 128, 'error: file write error: No space left on device')

  it.each([
    ['an error of the system', full],
    ['words of git', gitFull],
  ])('waits for %s wherever it comes up, and ends with one pull request', async (_, error) => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('write a.md: one\n')
    // Three of four calls fail until 12 have failed, so that each of them fails at some time.
    let left = 12
    let at = 0
    const ports = {
      ...world.ports,
      openProject: async (projectId: string) => fail(() => world.ports.openProject(projectId)),
      openToolbox: async (...input: Parameters<typeof world.ports.openToolbox>) =>
        fail(() => world.ports.openToolbox(...input)),
      forgeFor: async () => {
        const { forge } = world
        return {
          ...forge,
          open: async (input: Parameters<typeof forge.open>[0]) => fail(() => forge.open(input)),
        }
      },
    }
    async function fail<T>(work: () => Promise<T> | T): Promise<T> {
      if (left > 0 && at++ % 4 !== 3) {
        left--
        throw error()
      }
      return work()
    }
    for (let runs = 0; runs < 30 && (await world.read(id)).status === 'active'; runs++) {
      await store().transaction(endMachineWaits)
      await runJob(ports, id)
    }
    expect(left).toBe(0)
    await expectOnePullRequest(world, id)
    expect((await waitsOf(world, id)).length).toBeGreaterThan(0)
  })

  it('blames the machine for unexplained failures while the machine is in trouble', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write a.md: one\n')
    const openToolbox = (): never => {
      world.machine.reason = 'no_files'
      throw new GitError('read-tree', 128, 'fatal: unable to write new index file')
    }
    await runJob({ ...world.ports, openToolbox }, id)
    expect(await waitsOf(world, id)).toMatchObject([{ reason: 'no_files' }])
    world.machine.reason = undefined
    await store().transaction(endMachineWaits)
    await runJob(world.ports, id)
    await expectOnePullRequest(world, id)
  })

  it('waits for a weekend, not counting trouble of its host', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write a.md: one\n')
    const since = (hours: number) =>
      store().transaction((tx) =>
        sql`
          update turns set parked_until = now(), parked_since = now() - make_interval(hours => ${hours}::int)
          where job_id = ${id}
        `.execute(tx),
      )
    world.machine.reason = 'no_space'
    await runJob(world.ports, id)
    await since(71)
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'active' })
    await since(73)
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringContaining('It was tried for 73 hours') as string },
    })
  })

  async function waitOf(jobId: string): Promise<number> {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from parked_until - now())::float8 as seconds from turns where job_id = ${jobId}
    `.execute(store().db)
    return Number(rows[0]?.seconds)
  }

  async function waitsOf(world: JobWorld, id: string): Promise<Record<string, unknown>[]> {
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 1000 })
    return events.filter(({ type }) => type === 'turn.waiting').map(({ data }) => data)
  }

  async function expectOnePullRequest(world: JobWorld, id: string): Promise<void> {
    const job = await world.read(id)
    expect(job).toMatchObject({ status: 'completed', failure: undefined })
    const all = await listPullRequests(world.forgePorts, world.project, { limit: 100 })
    expect(all.filter((request) => request.head === job.branch)).toHaveLength(1)
  }
})
