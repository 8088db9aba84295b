import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createDashboardWorld, type DashboardWorld } from '../../../../tests/worlds/dashboard-world.ts'
import { createJob } from '../../../features/agent/create-job.ts'
import { updateJob } from '../../../features/agent/jobs.ts'

async function addJob({ ports, project }: DashboardWorld, prompt: string): Promise<string> {
  return (await createJob(ports, project, { prompt }, () => Promise.resolve())).id
}

describeOnStore('the list of jobs', (store) => {
  it('shows the jobs at work where a number of them leads to it, and all for a filter that there is not', async () => {
    const world = await createDashboardWorld(store())
    await addJob(world, 'At work still')
    const done = await addJob(world, 'Done for long')
    await store().transaction((tx) => updateJob(tx, done, { status: 'completed' }))
    const base = `/projects/${world.project.domain}`
    for (const page of ['/projects', base]) {
      const [, link = ''] = /href="([^"]*\/jobs\?[^"]*)"/.exec(await (await world.get(page)).text()) ?? []
      const list = await (await world.get(link)).text()
      expect([page, list.includes('At work still'), list.includes('Done for long')]).toEqual([
        page,
        true,
        false,
      ])
    }
    const all = await (await world.get(`${base}/jobs?state=none`)).text()
    expect(all).toContain('At work still')
    expect(all).toContain('Done for long')
    expect(all).not.toContain('state=none')
  })

  it('is not loaded again by itself while somebody may be writing a prompt on it', async () => {
    const world = await createDashboardWorld(store())
    await addJob(world, 'At work still')
    const page = await (await world.get(`/projects/${world.project.domain}/jobs`)).text()
    expect(page).toContain('<textarea')
    expect(page).not.toContain('http-equiv="refresh"')
  })
})
