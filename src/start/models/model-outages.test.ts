import { generateText, streamText } from 'ai'
import { expect, it } from 'vitest'
import { createOutages } from '../../integrations/models/outages.ts'
import { ModelTrouble } from '../../integrations/models/trouble.ts'
import type { Purpose } from '../../integrations/models/model.ts'
import { hang, json, modelsAt, openProvider } from '../../../tests/worlds/models.ts'

const own = 'openai-chat:gpt-own'
const second = 'openai-chat:gpt-second'
const minute = 60_000
const answered = json(200, {
  id: 'c',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
})
const overloaded = json(503, { error: { message: 'overloaded' } })

/** A provider of two models that are up or down as told, and a clock. */
async function world(fallback = second) {
  const clock = { now: 0 }
  const down = new Set<unknown>()
  const provider = await openProvider([
    (response, { body }) => (down.has(body['model']) ? overloaded : answered)(response),
  ])
  const models = modelsAt(
    provider.url,
    { DOCWRIGHT_FALLBACK_MODEL: fallback },
    createOutages(() => clock.now),
  )
  const ask = async (name: string, purpose?: Purpose) => {
    const before = provider.seen.length
    const result = await models
      .find(name, purpose)
      .doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] })
      .then(
        () => 'answered',
        (error: unknown) => (error instanceof ModelTrouble ? error.kind : 'other'),
      )
    return { result, tries: provider.seen.length - before }
  }
  return { clock, down, provider, models, ask, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() }
}

it('asks a model that was away no more for a minute, then two, up to ten, and then once', async () => {
  await using at = await world()
  at.down.add('gpt-own')
  expect(await at.ask(own)).toEqual({ result: 'overloaded', tries: 4 })
  for (const wait of [1, 2, 4, 8, 10, 10]) {
    at.clock.now += wait * minute - 1
    expect(await at.ask(own)).toEqual({ result: 'overloaded', tries: 0 })
    at.clock.now += 1
    expect(await at.ask(own)).toEqual({ result: 'overloaded', tries: 4 })
  }
  at.down.clear()
  at.clock.now += 10 * minute
  expect(await at.ask(own)).toEqual({ result: 'answered', tries: 1 })
  expect(await at.ask(own)).toEqual({ result: 'answered', tries: 1 })
  // It begins with a minute again.
  at.down.add('gpt-own')
  await at.ask(own)
  at.clock.now += minute
  expect(await at.ask(own)).toMatchObject({ tries: 4 })
})

it('lets one call try it while the others go on elsewhere', async () => {
  await using at = await world()
  at.down.add('gpt-own')
  await Promise.all([at.ask(own), at.ask(own), at.ask(own)])
  at.clock.now += minute
  at.down.clear()
  const results = await Promise.all([at.ask(own), at.ask(own), at.ask(own)])
  expect(results.filter(({ result }) => result === 'answered')).toHaveLength(1)
  expect(await at.ask(own)).toMatchObject({ result: 'answered' })
})

it('is asked every time when nothing stands in for it, and when that is away too', async () => {
  await using alone = await world('builtin')
  alone.down.add('gpt-own')
  expect(await alone.ask(own)).toMatchObject({ tries: 4 })
  expect(await alone.ask(own)).toMatchObject({ tries: 4 })
  await using at = await world()
  at.down.add('gpt-own').add('gpt-second')
  for (const name of [own, second, own, second]) expect(await at.ask(name)).toMatchObject({ tries: 4 })
  at.down.delete('gpt-second')
  expect(await at.ask(own)).toMatchObject({ tries: 4 })
  expect(await at.ask(second)).toMatchObject({ result: 'answered' })
  expect(await at.ask(own)).toMatchObject({ tries: 0 })
})

it('is left alone by readers where the built-in model comes next, whoever noticed', async () => {
  await using at = await world('builtin')
  at.down.add('gpt-own')
  expect(await at.ask(own, 'assistant')).toMatchObject({ tries: 4 })
  expect(await at.ask(own, 'assistant')).toMatchObject({ tries: 0 })
  // A job has no other model, and its trial does not cost readers another one.
  expect(await at.ask(own, 'agent')).toMatchObject({ tries: 4 })
  expect(await at.ask(own, 'assistant')).toMatchObject({ tries: 0 })
  at.down.clear()
  expect(await at.ask(own, 'agent')).toMatchObject({ result: 'answered' })
  expect(await at.ask(own, 'assistant')).toMatchObject({ result: 'answered' })
})

it('remembers a refusal no longer than the call', async () => {
  await using provider = await openProvider([json(401, { error: { message: 'no' } })])
  const models = modelsAt(provider.url, { DOCWRIGHT_FALLBACK_MODEL: second })
  for (const tries of [1, 2]) {
    await expect(generateText({ model: models.find(own), prompt: 'Hi', maxRetries: 0 })).rejects.toThrow(
      'key',
    )
    expect(provider.seen).toHaveLength(tries)
  }
})

it('remembers one that was given up because it was late, but none that nobody waited for', async () => {
  await using provider = await openProvider([hang('text/event-stream')])
  const models = modelsAt(provider.url, { DOCWRIGHT_FALLBACK_MODEL: second })
  const giveUp = async (reason: Error, count: number): Promise<void> => {
    const left = new AbortController()
    const model = models.find(own)
    const result = streamText({ model, prompt: 'Hi', abortSignal: left.signal, onError: () => {} })
    const read = result.consumeStream()
    await expect.poll(() => provider.seen.length).toBe(count)
    left.abort(reason)
    await read
  }
  await giveUp(new Error('left'), 1)
  await giveUp(new ModelTrouble('timeout', 'late'), 2)
  await expect(generateText({ model: models.find(own), prompt: 'Hi', maxRetries: 0 })).rejects.toThrow('late')
  expect(provider.seen).toHaveLength(2)
})

it('leaves one alone for as long as its provider asks, even when the fallback is away too', () => {
  let now = 0
  const outages = createOutages(() => now)
  const retryAt = new Date(Date.now() + 300_000)
  outages.begin(own, second).failed(new ModelTrouble('rate', 'too many requests', { passing: true, retryAt }))
  outages.begin(second, undefined).failed(new ModelTrouble('overloaded', 'busy', { passing: true }))
  now = 290_000
  expect(() => outages.begin(own, second)).toThrow(
    expect.objectContaining({ message: 'too many requests', passing: true, retryAt }),
  )
  now = 300_001
  outages.begin(own, second).succeeded()
})
