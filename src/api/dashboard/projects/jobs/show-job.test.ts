import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../../tests/stores.ts'
import { addMessage } from '../../../../features/agent/add-message.ts'
import { createJob } from '../../../../features/agent/create-job.ts'
import { appendEvents } from '../../../../features/agent/events.ts'
import { createDashboardWorld } from '../../../../../tests/worlds/dashboard-world.ts'

describeOnStore('the page of a job', (store) => {
  it('shows the author of a comment, and that a turn waits for its host until it goes on', async () => {
    const { get, ports, project } = await createDashboardWorld(store())
    const free = () => Promise.resolve()
    const { id } = await createJob(ports, project, { prompt: 'First' }, free)
    await addMessage(ports, project, id, { prompt: 'More', author: '<b>ann</b>' }, free)
    const page = async () => (await get(`/projects/${project.domain}/jobs/${id}`)).text()
    const park = (until: Date | null) =>
      store()
        .db.updateTable('turns')
        .set({ parked_until: until })
        .where('job_id', '=', id)
        .where('n', '=', 1)
        .execute()

    await store().transaction((tx) =>
      appendEvents(tx, id, 1, [{ type: 'turn.waiting', data: { message: 'GitHub takes no more requests' } }]),
    )
    await park(new Date(Date.now() + 300_000))
    const waiting = await page()
    expect(waiting).toMatch(/Waiting for the git host[^]*in 5 minutes[^]*GitHub takes no more requests/)
    expect(waiting).toContain('asked by <strong>&lt;b&gt;ann&lt;/b&gt;</strong>')
    await park(null)
    expect(await page()).not.toContain('Waiting for the git host')
  })
})
