import { expect, it, vi } from 'vitest'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { openQueue } from '../../store/queue.ts'
import { addMessage } from './add-message.ts'
import { createJob } from './create-job.ts'
import { createJobWorld, noLimit } from './job-world.fixture.ts'
import { runJob } from './run-job.ts'
import { writingModel } from './scripted-model.fixture.ts'

describeOnBothEngines('jobs on the queue', (store) => {
  it('all end, each with its follow-up after it, while two run at a time', { timeout: 180_000 }, async () => {
    const queue = await openQueue(store(), () => undefined)
    await using world = await createJobWorld(store(), writingModel())
    const ports = { ...world.ports, queue }
    await queue.work('job', 2, (jobId) => runJob(ports, jobId))
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
      { timeout: 150_000, interval: 200 },
    )
    for (const id of ids) {
      const { branch, pullRequest } = await world.read(id)
      expect(pullRequest?.state).toBe('open')
      expect(world.git('rev-list', '--count', `main..${branch}`)).toBe('2')
    }
    await queue.stop(10)
  })
})
