import { APICallError, type LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import type { Models } from '../../../integrations/models/model.ts'
import { listEvents } from '../events.ts'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from '../loop/run-job.ts'
import {
  callOf,
  scriptedModel,
  scriptedModels,
  writingModel,
  type Answer,
} from '../../../../tests/worlds/scripted-model.ts'
import { readSteps } from '../turns/steps.ts'
import { firstOpenTurn } from '../turns.ts'

const done: Answer = [['finish', { title: 'Done', summary: 'Nothing to do.', noChange: true }]]

function troubled(statusCode: number, message: string): APICallError {
  return new APICallError({ message, statusCode, url: 'http://127.0.0.1', requestBodyValues: {} })
}

const thought = { type: 'reasoning' as const, text: 'First look.\n\nThen *write*.' }
const signed = { provider: { signature: 'abc' } }

describeOnStore('the models of a job', (store) => {
  const openWorld = async (first: Parameters<typeof scriptedModel>[0], step = 300_000) => {
    const model = scriptedModel(first)
    const second = scriptedModel(() => done)
    const world = await createJobWorld(store(), model)
    const models: Models = {
      ...scriptedModels(model),
      find: (name) => (name === 'second' ? second : model),
      fallbackOf: () => 'second',
      patienceOf: () => ({ firstText: step, answer: step, step, calls: undefined }),
      costOf: (name, usage) => (name === 'second' ? undefined : usage.inputTokens + 2 * usage.outputTokens),
    }
    const ports = { ...world.ports, models }
    return { world, ports, model, second }
  }

  it('take over from each other during an outage, without what only the first understands', async () => {
    const { world, ports, second } = await openWorld(({ step }) => {
      if (step === 1) throw troubled(503, 'Overloaded')
      return {
        content: [
          { ...thought, providerMetadata: signed },
          callOf('call-1', 'read_file', { path: 'index.md' }),
        ],
        finish: 'tool-calls',
      }
    })
    await using _ = world
    const { id } = await world.create('x')
    const turn = await firstOpenTurn(store().db, id)
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      usage: { inputTokens: 20, outputTokens: 4, cost: undefined },
    })
    const steps = await readSteps(store().db, turn?.id ?? '')
    expect(steps.map(({ model, cost }) => [model, cost])).toEqual([
      ['scripted', 14],
      ['second', undefined],
    ])
    expect(steps[0]?.response.messages).toMatchObject([{ content: [thought, { type: 'tool-call' }] }])
    const told = second.doGenerateCalls[0]?.prompt ?? []
    expect(partsOf(told)).toEqual(['tool-call'])
    expect(JSON.stringify(told)).not.toContain('signature')
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 100 })
    expect(events.find(({ type }) => type === 'model.fallback')?.data).toMatchObject({
      model: 'scripted',
      fallback: 'second',
    })
    expect(events.find(({ type }) => type === 'step')?.data).toMatchObject({
      step: 1,
      model: 'scripted',
      thinking: 'First look.\nThen *write*.',
      tools: ['read_file'],
      inputTokens: 10,
      cost: 0.000014,
      elapsedMilliseconds: expect.any(Number),
    })
    const days = await store()
      .db.selectFrom('usage_days')
      .selectAll()
      .where('project_id', '=', world.project.id)
      .orderBy('model')
      .execute()
    expect(days).toMatchObject([
      { surface: 'agent', model: 'scripted', calls: 1, input_tokens: 10, cost: 14 },
      { surface: 'agent', model: 'second', calls: 1, input_tokens: 10, cost: null },
    ])
  })

  it('see their own reasoning again', async () => {
    const { world, ports, model } = await openWorld(({ step }) =>
      step === 1
        ? done
        : {
            content: [
              { ...thought, providerMetadata: signed },
              callOf('call-1', 'read_file', { path: 'index.md' }),
            ],
            finish: 'tool-calls',
          },
    )
    await using _ = world
    const { id } = await world.create('x')
    await runJob(ports, id)
    const told = model.doGenerateCalls[1]?.prompt ?? []
    expect(partsOf(told)).toEqual(['reasoning', 'tool-call'])
    expect(JSON.stringify(told)).toContain('"signature":"abc"')
  })

  it('do not take over for a wrong key', async () => {
    const { world, ports, second } = await openWorld(() => {
      throw troubled(401, 'Wrong key')
    })
    await using _ = world
    const { id } = await world.create('x')
    await runJob(ports, id)
    expect((await world.read(id)).failure?.code).toBe('model_error')
    expect(second.doGenerateCalls).toHaveLength(0)
  })

  it('take over from one that never answers and does not listen to the deadline', async () => {
    const { world, ports, second } = await openWorld(() => new Promise(() => {}), 50)
    await using _ = world
    const { id } = await world.create('x')
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
    expect(second.doGenerateCalls).toHaveLength(1)
    const alone = { ...ports, models: { ...ports.models, fallbackOf: () => undefined } }
    const again = await world.create('x')
    await runJob(alone, again.id)
    expect((await world.read(again.id)).failure).toMatchObject({
      code: 'model_error',
      message: expect.stringContaining('timed out'),
    })
  })

  it('get a shorter conversation after an overflow, and keep that limit', async () => {
    const long = 'word '.repeat(4000)
    const sizes: number[] = []
    const { world, ports } = await openWorld(({ step, options }) => {
      const size = JSON.stringify(options.prompt).length
      if (size > 100_000) throw troubled(400, 'This prompt is too long: the maximum context length is 30000')
      sizes[step] = size
      if (step === 8) return [['finish', { title: 'Pages', summary: 'Wrote them.' }]]
      return [['write_file', { path: `page-${step}.md`, content: `${long} ${step}` }]]
    })
    await using _ = world
    const { id } = await world.create('x')
    const turn = await firstOpenTurn(store().db, id)
    await runJob(ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
    const steps = await readSteps(store().db, turn?.id ?? '')
    expect(steps.filter(({ response }) => response.bound !== undefined)).toHaveLength(1)
    expect(sizes).toHaveLength(9)
  })

  it('do not answer again what an earlier runner has stored', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('write a.md: one\n')
    const limits = { ...world.ports.limits, slice: { steps: 1, milliseconds: 1_000_000 } }
    const othersWait = () => Promise.resolve(true)
    for (let runs = 1; (await world.read(id)).status === 'active'; runs++) {
      await runJob({ ...world.ports, limits, othersWait }, id)
      expect(model.doGenerateCalls).toHaveLength(runs)
    }
    expect(await world.read(id)).toMatchObject({ status: 'completed', usage: { inputTokens: 30 } })
  })
})

function partsOf(prompt: LanguageModelV4Prompt): string[] {
  return prompt.flatMap(({ role, content }) => (role === 'assistant' ? content.map(({ type }) => type) : []))
}
