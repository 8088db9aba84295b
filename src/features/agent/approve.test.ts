import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createJobWorld, noLimit, type JobWorld } from '../../../tests/worlds/job-world.ts'
import { writingModel } from '../../../tests/worlds/scripted-model.ts'
import { readPullRequestDetail } from '../../integrations/forges/local/pull-request-detail.ts'
import { approve } from './approve.ts'
import { listEvents } from './events.ts'
import { runJob } from './loop/run-job.ts'

describeOnStore('what the policy refused for want of an example', (store) => {
  const allow = (world: JobWorld, id: string, value: string) =>
    approve(world.ports, world.project, id, { kind: 'host', value, by: 'A person' }, noLimit)

  it('is published without asking the model again once a person has allowed all of it', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('write a.md: HOST a.example HOST b.example\n')
    await runJob(world.ports, id)
    const approvals = ['a.example', 'b.example'].map((value) => ({ approval: { kind: 'host', value } }))
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'policy', files: approvals },
      kept: { turn: 1 },
    })
    const calls = model.doGenerateCalls.length
    expect(await allow(world, id, 'a.example')).toMatchObject({
      status: 'failed',
      failure: { files: [{ approval: { value: 'b.example' } }] },
    })
    expect(await allow(world, id, 'b.example')).toMatchObject({ status: 'active', failure: undefined })
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', failure: undefined, kept: undefined })
    expect(world.git('show', `${branch}:a.md`)).toContain('HOST a.example')
    const request = await readPullRequestDetail(world.forgePorts, world.project, 1)
    expect(request).toMatchObject({ draft: false })
    expect(request?.body).not.toContain('A person decided')
    expect(model.doGenerateCalls).toHaveLength(calls)
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 100 })
    expect(events.filter(({ type }) => type === 'approved').map(({ data }) => data)).toEqual([
      expect.objectContaining({ kind: 'host', value: 'a.example', by: 'A person' }),
      expect.objectContaining({ kind: 'host', value: 'b.example' }),
    ])
  })

  it('is allowed in that job alone, and only what was refused', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write a.md: HOST a.example\n')
    await runJob(world.ports, id)
    await expect(allow(world, id, 'b.example')).rejects.toMatchObject({ code: 'conflict' })
    await allow(world, id, 'a.example')
    await runJob(world.ports, id)
    await expect(allow(world, id, 'a.example')).rejects.toMatchObject({ code: 'conflict' })
    const other = await world.create('write b.md: HOST a.example\n')
    await runJob(world.ports, other.id)
    expect(await world.read(other.id)).toMatchObject({ status: 'failed', failure: { code: 'policy' } })
    expect(
      await approve(world.ports, { id: 'prj_other' }, id, { kind: 'host', value: 'x', by: '' }, noLimit),
    ).toBe(undefined)
  })

  it('keeps waiting while something is refused that nobody can allow', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write .github/a.md: HOST a.example\n')
    await runJob(world.ports, id)
    expect(await allow(world, id, 'a.example')).toMatchObject({
      status: 'failed',
      failure: { files: [{ message: 'It is protected' }] },
    })
  })
})
