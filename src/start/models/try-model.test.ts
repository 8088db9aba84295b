import { expect, it } from 'vitest'
import { events, json, modelsAt, openProvider, type SeenRequest } from '../../../tests/worlds/models.ts'
import { readConfig } from '../../config.ts'
import { createModelTest } from './model-test.ts'
import { tryModel } from './try-model.ts'

const name = 'compatible:m'
const both = { answers: true, jobs: true }
const piece = { id: '1', created: 1, model: 'm', object: 'chat.completion.chunk' }
const said = events(
  { ...piece, choices: [{ index: 0, delta: { content: 'Unpack it and start it.' }, finish_reason: null }] },
  {
    ...piece,
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 4000, completion_tokens: 8, total_tokens: 4008 },
  },
  '[DONE]',
)
const whole = (message: object) =>
  json(200, {
    id: 'c',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  })
const call = {
  id: 'abcdefghi',
  type: 'function',
  function: { name: 'read_file', arguments: '{"path":"docs/index.mdx"}' },
}

/** A server whose answers to jobs and readers can be replaced. */
function openServer(changes: { answer?: typeof said; first?: typeof said; second?: typeof said } = {}) {
  const { answer = said, first = whole({ content: null, tool_calls: [call] }), second = first } = changes
  const turnOf = ({ body }: SeenRequest): typeof said => {
    const { messages, stream } = body
    if (stream === true) return answer
    return Array.isArray(messages) && messages.at(-1)?.role === 'tool' ? second : first
  }
  return openProvider([(response, request) => turnOf(request)(response)])
}

it('sends what is really sent, and says what the model reads at once and how fast it is', async () => {
  await using server = await openServer()
  const models = modelsAt(server.url, { DOCWRIGHT_MODEL_WINDOWS: `${name}=32768` })
  const { text } = await tryModel(models, name, both)
  expect(text).toMatch(
    /^Its context window has 32,768 tokens, set by you\. .*An answer began after .* with 4,000 tokens to read\. A job’s first call with \d\d tools took .*, the next one with a result/,
  )
  const calls = server.seen.filter(({ path }) => path.endsWith('/chat/completions'))
  const tools = calls.map(({ body }) => (Array.isArray(body['tools']) ? body['tools'].length : 0))
  expect(tools[0]).toBe(2)
  expect(Math.min(...tools.slice(1))).toBeGreaterThan(10)
  expect(calls[0]?.body['max_tokens']).toBeGreaterThan(1000)
  expect(JSON.stringify(calls[2]?.body['messages'])).toContain('Welcome to the documentation')
})

it('does only what the model is for', async () => {
  await using server = await openServer({ first: json(500, { error: { message: 'no' } }) })
  expect((await tryModel(modelsAt(server.url), name, { answers: true, jobs: false })).text).not.toContain(
    'job',
  )
})

const needsTools = json(400, { error: { message: '"auto" tool choice requires --enable-auto-tool-choice' } })

it('says of a model without tools that readers get answers, and that jobs cannot work', async () => {
  const withoutTools = [
    (response: Parameters<typeof said>[0], { body }: SeenRequest) =>
      (body['tools'] === undefined ? said : needsTools)(response),
  ]
  await using server = await openProvider(withoutTools)
  const { text } = await tryModel(modelsAt(server.url), name, { answers: true, jobs: false })
  expect(text).toContain('It doesn’t accept tools, so readers get answers from the first results only')
  await expect(tryModel(modelsAt(server.url), name, both)).rejects.toThrow(
    /^It cannot work on jobs\. .*enable-auto-tool-choice.*\. It doesn’t accept tools, so readers get answers/,
  )
})

it('is what the dashboard and the interface try, too', async () => {
  await using server = await openServer({ first: whole({ content: 'I will read it!' }) })
  const tests = createModelTest(readConfig({ OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` }))
  await expect(tests(name)).rejects.toThrow(/^It cannot work on jobs\. .*\. It answers readers$/)
  await expect(tests(name, { answers: false, jobs: true })).rejects.toThrow('It cannot work on jobs')
  expect(await tests(name, { answers: true, jobs: false })).toContain('An answer began after')
  expect(await tests('builtin')).toContain('no key')
})

it.each([
  [
    'readers',
    { answer: json(400, { error: { message: 'Conversation roles must alternate user/assistant' } }) },
    /^It cannot answer readers\. .*must alternate/,
  ],
  [
    'a word',
    { answer: events({ ...piece, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) },
    /without a word/,
  ],
  [
    'a tool',
    { first: whole({ content: 'I will read it!' }) },
    /^It cannot work on jobs\. .*in text where it should call/,
  ],
  [
    'the result of a tool',
    { second: json(500, { error: { message: 'Conversation roles must alternate user/assistant' } }) },
    /^It cannot read the result of a tool in jobs\. .*must alternate/,
  ],
])('says so when it cannot do %s', async (_, changes, sentence) => {
  await using server = await openServer(changes)
  await expect(tryModel(modelsAt(server.url), name, both)).rejects.toThrow(sentence)
})
