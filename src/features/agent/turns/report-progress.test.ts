import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { cancelJob } from '../cancel-job.ts'
import { listEvents } from '../events.ts'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import { brittleModel } from '../../../../tests/worlds/scripted-model.ts'
import { reportProgress } from './report-progress.ts'

describeOnStore('progress of fetches and pushes', (store) => {
  it('is written during the operation, and no longer when the turn has ended', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { db } = store()
    const { id } = await world.create('write a.md: one\n')
    const job = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const turn = await db.selectFrom('turns').selectAll().where('job_id', '=', id).executeTakeFirstOrThrow()
    const run = { ports: world.ports, job }
    const push = (every: number): Promise<string> =>
      reportProgress(
        run,
        turn,
        'pushing',
        async (onProgress) => {
          for (let done = 1; done <= 3; done++) {
            onProgress({ phase: 'writing objects', done, total: 3, bytes: undefined })
          }
          return 'pushed'
        },
        every,
      )
    expect(await push(600_000)).toBe('pushed')
    expect(await push(0)).toBe('pushed')
    await cancelJob(store(), world.project, id)
    expect(await push(0)).toBe('pushed')
    const events = await listEvents(db, world.project.id, id, { after: 0, limit: 100 })
    expect(events.map(({ type }) => type)).toEqual(['turn.queued', 'pushing', 'cancelled'])
    expect(events[1]?.data).toEqual({
      phase: 'writing objects',
      done: 1,
      total: 3,
      message: 'writing objects: 1 of 3',
    })
  })
})
