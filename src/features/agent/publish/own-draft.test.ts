import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import type { Forge } from '../../../integrations/forges/forge.ts'
import {
  readPullRequestDetail,
  type PullRequest,
} from '../../../integrations/forges/local/pull-request-detail.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from '../loop/run-job.ts'
import { writingModel } from '../../../../tests/worlds/scripted-model.ts'
import { listTurns } from '../turns.ts'

describeOnStore('a draft because of problems', (store) => {
  it('lists the problems until a follow-up fixes them, and then becomes ready', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await begin(world, 'write a.md: BROKEN\n')
    expect(await detail(world)).toMatchObject({ draft: true, body: expect.stringContaining('**Draft:**') })
    expect((await send(world, id, 'write b.md: two\n')).checks).toMatchObject([{ path: 'a.md' }])
    expect(await detail(world)).toMatchObject({ draft: true, body: expect.stringContaining('`a.md:1`') })
    expect(await send(world, id, 'write a.md: mended\n')).toMatchObject({ status: 'completed', checks: [] })
    const mended = await detail(world)
    expect(mended).toMatchObject({ draft: false, state: 'open' })
    expect(mended?.body).not.toContain('**Draft:**')

    // A pull request that is ready stays ready, and its description lists the problems.
    expect((await send(world, id, 'write c.md: BROKEN\n')).checks).toMatchObject([{ path: 'c.md' }])
    expect(await detail(world)).toMatchObject({
      draft: false,
      body: expect.stringContaining('**Not finished:** One problem remains') as string,
    })
  })

  it('is left to people once a person has changed it, or when it was requested', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await begin(world, 'write a.md: BROKEN\n')
    await setDraft(world, 1, false)
    await send(world, id, 'write b.md: two\n')
    expect(await detail(world)).toMatchObject({ draft: false })
    await setDraft(world, 1, true)
    await send(world, id, 'write a.md: mended\n')
    expect(await detail(world)).toMatchObject({ draft: true })

    const asked = await begin(world, 'write d.md: BROKEN\n', { draft: true })
    await send(world, asked.id, 'write d.md: mended\n')
    expect(await detail(world, 2)).toMatchObject({ draft: true })
  })

  it('stays a draft where the host refuses to mark it as ready, and says so', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await begin(world, 'write a.md: BROKEN\n')
    const forge: Forge = {
      ...world.forge,
      update: (number, { body }) => world.forge.update(number, { body }),
    }
    await world.message(id, 'write a.md: mended\n')
    await runJob({ ...world.ports, forgeFor: () => forge }, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
    const turns = await listTurns(store().db, world.project.id, id)
    expect(turns.at(-1)?.summary).toContain('didn’t allow Docwright to mark the pull request as ready')
  })

  async function begin(
    world: JobWorld,
    prompt: string,
    more: { draft?: boolean } = {},
  ): Promise<{ id: string }> {
    const job = await world.create(prompt, more)
    await runJob(world.ports, job.id)
    return job
  }

  async function send(world: JobWorld, id: string, prompt: string) {
    await world.message(id, prompt)
    await runJob(world.ports, id)
    return world.read(id)
  }

  function detail(world: JobWorld, number = 1): Promise<PullRequest | undefined> {
    return readPullRequestDetail(world.forgePorts, world.project, number)
  }

  async function setDraft(world: JobWorld, number: number, draft: boolean): Promise<void> {
    await store().transaction((tx) =>
      tx
        .updateTable('pull_requests')
        .set({ draft })
        .where('project_id', '=', world.project.id)
        .where('number', '=', number)
        .execute(),
    )
  }
})
