import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import type { JobSettings } from '../job-project.ts'
import type { RunLimits } from '../turns/budget.ts'
import { runJob } from './run-job.ts'
import { scriptedModel, scriptedModels } from '../../../../tests/worlds/scripted-model.ts'
import { readOverlay } from '../workspace/overlay.ts'
import { runUntil } from '../../../../tests/worlds/mortal-ports.ts'
import { firstOpenTurn } from '../turns.ts'

// A model that never finishes: it writes a new page in each step.
const busyModel = () =>
  scriptedModel(({ step, options }) => {
    if (JSON.stringify(options.prompt).includes('go on'))
      return [['finish', { title: 'On', summary: 'Went on.' }]]
    return [['write_file', { path: `page-${step}.md`, content: `${step}\n` }]]
  })

describeOnStore('the budget of a turn', (store) => {
  const run = async (more: {
    limits?: Partial<RunLimits>
    project?: JobSettings['budget']
    job?: JobSettings['budget']
  }) => {
    const model = busyModel()
    await using world = await createJobWorld(store(), model)
    const settings = { ...world.project.settings, budget: more.project ?? {} }
    const project = { ...world.project, settings }
    const ports = {
      ...world.ports,
      limits: { ...world.ports.limits, ...more.limits },
      openProject: () => Promise.resolve(project),
      models: { ...scriptedModels(model), costOf: () => 100_000 },
    }
    const { id } = await world.create('x', { budget: more.job })
    await runJob(ports, id)
    const job = await world.read(id)
    expect(job).toMatchObject({ status: 'failed', failure: { code: 'budget' } })
    expect((await world.eventTypes(id)).slice(-2)).toEqual(['attention', 'turn.failed'])
    return { calls: model.doGenerateCalls, message: job.failure?.message, world, ports, id }
  }

  it('is the lowest limit of server, project and job, and the failure names it', async () => {
    const steps = await run({ limits: { steps: 9 }, project: { steps: 8 }, job: { steps: 4 } })
    expect(steps.calls).toHaveLength(4)
    expect(steps.message).toContain('limit of 4 steps')
    const tokens = await run({ limits: { tokens: 36 }, job: { tokens: 1000 } })
    expect(tokens.calls).toHaveLength(3)
    expect(tokens.message).toContain('limit of 36 tokens')
    const cost = await run({ project: { cost: 450_000 } })
    expect(cost.calls).toHaveLength(5)
    expect(cost.message).toContain('limit of 0.45 USD')
    const minutes = await run({ job: { minutes: 0.0001 } })
    expect(minutes.message).toContain('minutes of work')
  })

  it('is announced to the model while there is still time to finish', async () => {
    const { calls } = await run({ limits: { steps: 5 } })
    const told = calls.map(({ prompt }) => JSON.stringify(prompt.at(-1)))
    expect(told.map((text) => /\d steps? (?:is|are) left/.exec(text)?.[0])).toEqual([
      undefined,
      undefined,
      undefined,
      '2 steps are left',
      '1 step is left',
    ])
  })

  it('keeps the work, from which a message continues', async () => {
    const model = busyModel()
    await using world = await createJobWorld(store(), model)
    const ports = { ...world.ports, limits: { ...world.ports.limits, steps: 2 } }
    const { id } = await world.create('x')
    const turn = await firstOpenTurn(store().db, id)
    await runJob(ports, id)
    expect(await readOverlay(store().db, turn?.id ?? '')).toHaveLength(2)
    await world.message(id, 'go on')
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      changes: [{ path: 'page-0.md' }, { path: 'page-1.md' }],
    })
  })

  it('counts the time that runners worked, not the time between them', async () => {
    await using world = await createJobWorld(store(), busyModel())
    const ports = { ...world.ports, limits: { ...world.ports.limits, steps: 3, turn: 60_000 } }
    const { id } = await world.create('x')
    await runUntil(ports, 12, (mortal) => runJob(mortal, id))
    const turn = await firstOpenTurn(store().db, id)
    expect(turn?.worked).toBeGreaterThan(0)
    // Pretend that a day has passed.
    await store().transaction(async (tx) => {
      const started_at = new Date(Date.now() - 86_400_000)
      await tx.updateTable('turns').set({ started_at }).where('job_id', '=', id).execute()
    })
    await runJob(ports, id)
    expect((await world.read(id)).failure?.message).toContain('limit of 3 steps')
  })

  it('ends for a turn that crashes its process again and again', async () => {
    await using world = await createJobWorld(store(), busyModel())
    const { id } = await world.create('x')
    // A process that the operating system kills for its size leaves no trace but the count.
    const stopped = { ...world.ports, openToolbox: () => Promise.reject(new Error('out of memory')) }
    const dying = async () => {
      const stopping = new AbortController()
      const openToolbox = () => Promise.reject(stopping.abort())
      await runJob({ ...stopped, openToolbox, stopping: stopping.signal }, id).catch(() => undefined)
    }
    await dying()
    // An orderly stop does not count.
    expect(await firstOpenTurn(store().db, id)).toMatchObject({ starts: 0 })
    await store().transaction(async (tx) => {
      await tx.updateTable('turns').set({ starts: 10 }).where('job_id', '=', id).execute()
    })
    await runJob(world.ports, id)
    expect((await world.read(id)).failure).toMatchObject({
      code: 'internal',
      message: expect.stringContaining('restarted repeatedly'),
    })
  })
})
