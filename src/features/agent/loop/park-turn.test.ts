import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import type { Forge } from '../../../integrations/forges/forge.ts'
import { HostFailure } from '../../../integrations/forges/http/host-failure.ts'
import { remoteFromUrl } from '../../../integrations/git/remote.ts'
import { cancelJob } from '../cancel-job.ts'
import { listEvents } from '../events.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from './run-job.ts'
import { writingModel } from '../../../../tests/worlds/scripted-model.ts'
import { sweepJobs } from './sweep-jobs.ts'

const minute = 60_000

describeOnStore('a turn whose host is in trouble', (store) => {
  const limited = (after: number): HostFailure =>
    new HostFailure('unavailable', 'GitHub takes no more requests for now', {
      status: 403,
      refused: true,
      passing: true,
      retryAt: new Date(Date.now() + after),
    })
  const away = (): HostFailure =>
    new HostFailure('unavailable', 'GitHub failed with status 503', {
      status: 503,
      refused: false,
      passing: true,
    })

  it('waits for the end of a rate limit with its commit pinned, and continues from there', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { ports, count } = troubled(world, 'open', [limited(30 * minute)])
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'active', failure: undefined })
    const [waiting] = await waits(world, id)
    expect(waiting).toMatchObject({
      reason: 'rate_limit',
      message: expect.stringMatching(/no more requests for now\. .* at \d\d:\d\d UTC/) as string,
    })
    expect(minutesUntil(waiting)).toBeGreaterThan(29)
    expect(minutesUntil(waiting)).toBeLessThanOrEqual(30.1)
    const calls = model.doGenerateCalls.length

    // Neither the sweep nor a message resumes it early.
    expect(await swept()).not.toContain(id)
    await world.message(id, 'write b.md: two\n')
    await runJob(ports, id)
    expect([count(), model.doGenerateCalls.length]).toEqual([1, calls])

    await endWait(id)
    expect(await swept()).toContain(id)
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', turns: 2, pullRequest: { number: 1 } })
    expect(world.git('log', '--format=%s', '--reverse', `main..${branch}`)).toBe('Write a.md\nWrite b.md')
    expect(model.doGenerateCalls.length).toBe(2 * calls)
    expect(await swept()).not.toContain(id)
  })

  it('waits longer each time for a host that is away, and gives up after hours with the work kept', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const trouble = Array.from({ length: 8 }, away)
    const { ports } = troubled(world, 'findByHead', trouble)
    const { id } = await world.create('write a.md: one\n')
    for (const wait of [1, 5, 15, 30, 60, 60]) {
      await runJob(ports, id)
      const latest = (await waits(world, id)).at(-1)
      expect(latest).toMatchObject({ reason: 'unreachable' })
      expect(minutesUntil(latest)).toBeGreaterThan(wait - 0.5)
      expect(minutesUntil(latest)).toBeLessThanOrEqual(wait + 0.1)
      await endWait(id)
    }
    await endWait(id, 5.5)
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'repository', message: expect.stringContaining('tried for 6 hours') as string },
    })
    // One more error is left: a message starts a new turn.
    await world.message(id, 'write b.md: two\n')
    await runJob(ports, id)
    expect(minutesUntil((await waits(world, id)).at(-1))).toBeLessThanOrEqual(1.1)
    await endWait(id)
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
  })

  it('waits for a repository that git cannot reach', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write a.md: one\n')
    const project = { ...world.project, remote: remoteFromUrl('https://127.0.0.1:9/acme/docs.git') }
    await runJob({ ...world.ports, openProject: async () => project }, id)
    expect(await world.read(id)).toMatchObject({ status: 'active' })
    expect(await waits(world, id)).toMatchObject([{ reason: 'unreachable' }])
    await endWait(id)
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
  })

  it('does not wait for days, nor for trouble that does not pass', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const unknown = new HostFailure('unavailable', 'its name is not known here', {
      refused: false,
      passing: false,
    })
    for (const trouble of [[limited(24 * 60 * minute)], [unknown, unknown, unknown]]) {
      const { ports } = troubled(world, 'open', trouble)
      const { id, branch } = await world.create('write a.md: one\n')
      await runJob(ports, id)
      expect(await world.read(id)).toMatchObject({ status: 'failed', failure: { code: 'repository' } })
      expect(await waits(world, id)).toEqual([])
      expect(world.git('show', `${branch}:a.md`)).toBe('one')
    }
  })

  it('is cancelled at once, and does not delay the next message', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { ports } = troubled(world, 'open', [limited(60 * minute)])
    const { id } = await world.create('write a.md: one\n')
    await runJob(ports, id)
    await cancelJob(store(), world.project, id)
    expect(await world.read(id)).toMatchObject({ status: 'failed', failure: { code: 'cancelled' } })
    expect(await swept()).not.toContain(id)
    await world.message(id, 'write b.md: two\n')
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', pullRequest: { state: 'open' } })
  })

  it('makes its commit again where the mirror does not have it', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('write a.md: one\n')
    let pushes = 0
    const ports = {
      ...world.ports,
      store: {
        ...world.ports.store,
        // The first request to the host after the commit was pinned.
        transaction: async <T>(work: Parameters<typeof world.ports.store.transaction<T>>[0]): Promise<T> => {
          const result = await world.ports.store.transaction(work)
          const pinned = await store()
            .db.selectFrom('turns')
            .select('publication')
            .where('job_id', '=', id)
            .executeTakeFirstOrThrow()
          if (pinned.publication !== null && pushes++ === 0) throw limited(minute)
          return result
        },
      },
    }
    await runJob(ports, id)
    expect(await waits(world, id)).toHaveLength(1)
    const calls = model.doGenerateCalls.length
    await world.loseMirror()
    await endWait(id)
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', failure: undefined })
    expect(world.git('show', `${branch}:a.md`)).toBe('one')
    expect(model.doGenerateCalls).toHaveLength(calls)
  })

  /** A forge whose calls of one kind fail for as long as there are errors left. */
  function troubled(
    world: JobWorld,
    call: 'open' | 'findByHead',
    troubles: readonly Error[],
  ): { ports: JobWorld['ports']; count: () => number } {
    const left = [...troubles]
    let count = 0
    const inTrouble = <Input, Output>(work: (input: Input) => Promise<Output>) => {
      return async (input: Input): Promise<Output> => {
        count++
        const error = left.shift()
        if (error) throw error
        return work(input)
      }
    }
    const { forge } = world
    const forgeFor = (): Forge => ({
      ...forge,
      ...(call === 'open' ? { open: inTrouble(forge.open) } : { findByHead: inTrouble(forge.findByHead) }),
    })
    return { ports: { ...world.ports, forgeFor }, count: () => count }
  }

  async function waits(world: JobWorld, id: string): Promise<Record<string, unknown>[]> {
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 1000 })
    return events.filter(({ type }) => type === 'turn.waiting').map(({ data }) => data)
  }

  function minutesUntil(waiting: Record<string, unknown> | undefined): number {
    return (Date.parse(String(waiting?.['until'])) - Date.now()) / minute
  }

  async function swept(): Promise<string[]> {
    return sweepJobs({
      store: store(),
      queue: { sendAll: () => Promise.resolve(), countWaiting: () => Promise.resolve(0) },
    })
  }

  /** Pretends that the wait is over and, with `hours`, that the trouble began that much earlier. */
  async function endWait(id: string, hours = 0): Promise<void> {
    await store().transaction((tx) =>
      sql`
        update turns set parked_until = now(), parked_since = parked_since - make_interval(mins => ${hours * 60}::int)
        where job_id = ${id} and parked_until is not null
      `.execute(tx),
    )
  }
})
