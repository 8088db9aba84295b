import { expect, it } from 'vitest'
import { probeModel } from '../../integrations/models/probe-model.ts'
import { json, modelsAt, openProvider } from '../../../tests/worlds/models.ts'

const name = 'compatible:some'
const says = (message: object) =>
  json(200, {
    id: 'c',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  })
const call = { id: 'call_1', type: 'function', function: { name: 'ready', arguments: '{"ok":true}' } }

it('finds a model that calls its tool', async () => {
  await using provider = await openProvider([says({ content: null, tool_calls: [call] })])
  expect(await probeModel(modelsAt(provider.url).find(name), name)).toMatch(
    /^compatible:some: answers and calls tools/,
  )
  expect(provider.seen).toHaveLength(1)
})

it('tells a model that only writes from one that is not there', async () => {
  await using provider = await openProvider([
    says({ content: 'I am ready!' }),
    json(404, { error: { message: 'The model `some` does not exist.' } }),
  ])
  const model = modelsAt(provider.url).find(name)
  await expect(probeModel(model, name)).rejects.toThrow('in text where it should call a tool')
  await expect(probeModel(model, name)).rejects.toThrow('does not know this model: check the name')
})
