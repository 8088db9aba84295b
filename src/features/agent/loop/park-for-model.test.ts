import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import { scriptedModel, scriptedModels, type Answer } from '../../../../tests/worlds/scripted-model.ts'
import { describeOnStore } from '../../../../tests/stores.ts'
import { ModelTrouble } from '../../../integrations/models/trouble.ts'
import { listEvents } from '../events.ts'
import { countWaiting } from '../turns.ts'
import { runJob } from './run-job.ts'

const overloaded = (): ModelTrouble =>
  new ModelTrouble('overloaded', 'The provider is overloaded', { passing: true })
const limited = (seconds: number): ModelTrouble =>
  new ModelTrouble('rate', 'The provider limits the rate', {
    passing: true,
    retryAt: new Date(Date.now() + seconds * 1000),
  })
const answers: Answer[] = [
  [['write_file', { path: 'a.md', content: 'one\n' }]],
  [['finish', { title: 'Write a.md', summary: 'Wrote it.' }]],
]

describeOnStore('a turn whose model is in trouble', (store) => {
  /** A world whose model throws the next of these errors at its second call, for as long as there are any. */
  const openWorld = async (troubles: Error[]) => {
    let calls = 0
    const model = scriptedModel(({ step }) => {
      calls++
      const error = step === 1 ? troubles.shift() : undefined
      if (error) throw error
      return answers[step] ?? []
    })
    const world = await createJobWorld(store(), model)
    const { id } = await world.create('write it')
    return { world, id, model, calls: () => calls }
  }
  const endWait = (jobId: string) =>
    store().transaction((tx) =>
      sql`update turns set parked_until = now() where job_id = ${jobId} and parked_until is not null`.execute(
        tx,
      ),
    )
  const waitsOf = async (projectId: string, id: string) => {
    const events = await listEvents(store().db, projectId, id, { after: 0, limit: 1000 })
    return events.filter(({ type }) => type === 'turn.waiting').map(({ data }) => data)
  }

  it('waits as long as the provider says, tells why, and goes on without losing anything', async () => {
    const { world, id, calls } = await openWorld([limited(90)])
    await using _ = world
    await runJob(world.ports, id)
    const waiting = await world.read(id)
    expect(waiting).toMatchObject({
      status: 'active',
      failure: undefined,
      waiting: { for: 'model', message: expect.stringContaining('limits the rate') as string },
    })
    const seconds = ((waiting.waiting?.until.getTime() ?? 0) - Date.now()) / 1000
    expect(seconds).toBeGreaterThan(60)
    expect(seconds).toBeLessThanOrEqual(91)
    expect(await waitsOf(world.project.id, id)).toMatchObject([{ reason: 'rate_limit' }])
    expect(await countWaiting(store().db)).toEqual([{ of: 'model', count: 1 }])
    await runJob(world.ports, id)
    expect(calls()).toBe(2)
    await endWait(id)
    await runJob(world.ports, id)
    expect(calls()).toBe(3)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      outcome: 'changed',
      waiting: undefined,
    })
    expect(await countWaiting(store().db)).toEqual([])
  })

  it('waits longer each time, for an hour in all, and then fails with the work kept', async () => {
    const { world, id } = await openWorld(Array.from({ length: 30 }, overloaded))
    await using _ = world
    const waits: number[] = []
    for (let runs = 0; runs < 30; runs++) {
      await runJob(world.ports, id)
      const { status, waiting } = await world.read(id)
      if (status !== 'active') break
      waits.push(Math.round(((waiting?.until.getTime() ?? 0) - Date.now()) / 1000))
      await endWait(id)
    }
    expect(waits.length).toBe(10)
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(3600)
    expect(await waitsOf(world.project.id, id)).toHaveLength(10)
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'model_error',
        message: expect.stringMatching(/is overloaded\. It was tried for an hour\. .*is kept/) as string,
      },
    })
    expect(
      await store().db.selectFrom('turns').select('worked').where('job_id', '=', id).executeTakeFirst(),
    ).toMatchObject({ worked: expect.toSatisfy((worked: number) => worked < 600_000) as number })
  })

  it('does not wait longer than that, nor for what waiting does not mend', async () => {
    for (const [trouble, message] of [
      [limited(7200), 'It doesn’t accept calls before'],
      [new ModelTrouble('key', 'The key was refused'), 'The key was refused'],
      [new ModelTrouble('quota', 'No credit is left'), 'No credit is left'],
    ] as const) {
      const { world, id } = await openWorld([trouble])
      await using _ = world
      await runJob(world.ports, id)
      expect(await world.read(id)).toMatchObject({
        status: 'failed',
        failure: { code: 'model_error', message: expect.stringContaining(message) as string },
      })
      expect(await waitsOf(world.project.id, id)).toEqual([])
    }
  })

  it('asks its fallback first, and waits until either works', async () => {
    const { world, id, model } = await openWorld([limited(300), overloaded()])
    await using _ = world
    const models = { ...scriptedModels(model), fallbackOf: () => 'second' }
    const ports = { ...world.ports, models }
    await runJob(ports, id)
    const { waiting } = await world.read(id)
    expect(waiting?.message).toMatch(/limits the rate; The provider is overloaded/)
    expect((waiting?.until.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(15_000)
    await endWait(id)
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', outcome: 'changed' })
  })
})
