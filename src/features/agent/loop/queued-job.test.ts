import { expect, it, vi } from 'vitest'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { openQueue } from '../../../store/queue.ts'
import { othersWait } from '../turns/job-claims.ts'
import { addMessage } from '../add-message.ts'
import { createJob } from '../create-job.ts'
import { createJobWorld, noLimit } from '../../../../tests/worlds/job-world.ts'
import { createTurnTaker } from './take-turns.ts'
import { scriptedModel, writingModel } from '../../../../tests/worlds/scripted-model.ts'

describeOnBothEngines('jobs on the queue', (store) => {
  it('all end, each with its follow-up after it, while two run at a time', async () => {
    const queue = await openQueue(store(), () => undefined)
    await using world = await createJobWorld(store(), writingModel())
    const ports = { ...world.ports, queue }
    await queue.work('job', 2, createTurnTaker(ports).runNext)
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) {
      const { id } = await createJob(ports, world.project, { prompt: `write ${name}.md: one\n` }, noLimit)
      ids.push(id)
      await addMessage(ports, world.project, id, { prompt: `write ${name}.md: two\n` }, noLimit)
    }
    await vi.waitFor(
      async () => {
        for (const id of ids) expect(await world.read(id)).toMatchObject({ status: 'completed', turns: 2 })
      },
      { timeout: 500_000, interval: 200 },
    )
    for (const id of ids) {
      const { branch, pullRequest } = await world.read(id)
      expect(pullRequest?.state).toBe('open')
      expect(world.git('rev-list', '--count', `main..${branch}`)).toBe('2')
    }
    await queue.stop(10)
  })

  it('do not starve behind long ones', async () => {
    const queue = await openQueue(store(), () => undefined)
    const model = scriptedModel(({ prompt, step }) => {
      if (prompt === 'short' || step === 60) {
        return [['finish', { title: 'Done', summary: 'Done.', noChange: prompt === 'short' }]]
      }
      return [['write_file', { path: `${prompt}.md`, content: `${step}` }]]
    })
    await using world = await createJobWorld(store(), model)
    const ports = { ...world.ports, queue, othersWait: (jobId: string) => othersWait(store().db, jobId) }
    const create = (prompt: string) => createJob(ports, world.project, { prompt }, noLimit)
    const long = [await create('one'), await create('two'), await create('three')]
    const short = await create('short')
    let most = 0
    const running = new Map<string, number>()
    const taker = createTurnTaker(ports, async (jobId, work) => {
      running.set(jobId, (running.get(jobId) ?? 0) + 1)
      most = Math.max(most, ...running.values())
      await work()
      running.set(jobId, (running.get(jobId) ?? 0) - 1)
    })
    await queue.work('job', 2, taker.runNext)
    await vi.waitFor(
      async () => {
        for (const { id } of long) expect(await world.read(id)).toMatchObject({ status: 'completed' })
      },
      { timeout: 500_000, interval: 200 },
    )
    await queue.stop(10)
    const turns = await store()
      .db.selectFrom('turns')
      .select(['job_id', 'finished_at'])
      .where(
        'job_id',
        'in',
        [...long, short].map(({ id }) => id),
      )
      .orderBy('finished_at')
      .execute()
    expect(turns[0]?.job_id).toBe(short.id)
    // No two runners work on one job, and no question is asked twice.
    expect(most).toBe(1)
    expect(model.doGenerateCalls).toHaveLength(3 * 61 + 1)
  })
})
