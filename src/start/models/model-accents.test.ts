import type { ServerResponse } from 'node:http'
import { generateText, jsonSchema, streamText, type ToolSet } from 'ai'
import { expect, it } from 'vitest'
import { describeTrouble, isContextOverflow, isOutage } from '../../integrations/models/model-trouble.ts'
import { events, json, modelsAt, openProvider, piecesOf } from '../../../tests/worlds/models.ts'

/** What servers that call themselves compatible do otherwise than OpenAI, and what vendors say besides what is usual. */
const prompt = 'Read both'
const tools: ToolSet = {
  read: { description: 'Reads', inputSchema: jsonSchema({ type: 'object', properties: {} }) },
  list: { description: 'Lists', inputSchema: jsonSchema({ type: 'object', properties: {} }) },
}
const chat = (message: object, more: object = {}) =>
  json(200, { choices: [{ index: 0, message, finish_reason: 'stop', ...more }] })
const delta = (part: object, reason: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: part, finish_reason: reason }],
})
const call = (id: string | undefined, name: string, given?: unknown) => ({
  id,
  function: { name, arguments: given },
})

type Answers = Parameters<typeof openProvider>[0]

async function ask(name: string, ...answers: Answers) {
  await using provider = await openProvider(answers)
  const result = await generateText({ model: modelsAt(provider.url).find(name), prompt, tools })
  const calls = result.toolCalls.map(({ toolName, input }) => [toolName, input])
  return {
    text: result.text,
    reasoning: result.reasoningText,
    calls,
    ids: result.toolCalls.map((made) => made.toolCallId),
  }
}

async function stream(name: string, ...answers: Answers) {
  await using provider = await openProvider(answers)
  const errors: unknown[] = []
  const result = streamText({
    model: modelsAt(provider.url).find(name),
    prompt,
    tools,
    onError: ({ error }) => void errors.push(error),
  })
  const text = (await piecesOf(result.textStream)).join('')
  const asked = provider.seen.length
  if (errors.length > 0) return { text, asked, error: errors[0] }
  const calls = (await result.toolCalls).map(({ toolName, input }) => [toolName, input])
  return { text, asked, calls, reasoning: await result.reasoningText }
}

const failed = (name: string, ...answers: Answers): Promise<unknown> =>
  ask(name, ...answers).then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => error,
  )

it.each([
  ['objects', [call('a', 'read', { path: 'x' }), call('b', 'list', {})]],
  ['JSON of JSON', [call('a', 'read', '"{\\"path\\":\\"x\\"}"'), call('b', 'list', null)]],
  ['nothing, and ids that repeat', [call('a', 'read', '{"path":"x"}'), call('a', 'list')]],
])('understands calls whose arguments are %s', async (_, calls) => {
  const message = { role: 'model', content: null, tool_calls: calls, reasoning: { text: 'hm' } }
  const { calls: made, ids } = await ask('compatible:some', chat(message))
  expect(made).toEqual([
    ['read', { path: 'x' }],
    ['list', {}],
  ])
  expect(new Set(ids).size).toBe(2)
})

it('keeps apart calls of any provider that have the same id', async () => {
  const use = (name: string) => ({ type: 'tool_use', id: 'toolu_1', name, input: {} })
  const body = {
    type: 'message',
    id: 'm',
    role: 'assistant',
    model: 'c',
    stop_reason: 'tool_use',
    stop_sequence: null,
  }
  const content = [use('read'), use('list')]
  const usage = { input_tokens: 1, output_tokens: 1 }
  const { calls } = await ask('anthropic:claude-sonnet-4-5', json(200, { ...body, content, usage }))
  expect(calls).toEqual([
    ['read', {}],
    ['list', {}],
  ])
})

it('takes what a model thinks out of its answer', async () => {
  const content = '<think>\nWhich?\n</think>\n\nThis: `<think>` starts a thought.'
  const said = { text: 'This: `<think>` starts a thought.', reasoning: 'Which?' }
  expect(await ask('ollama:some', chat({ content }))).toMatchObject(said)
  expect(await ask('ollama:some', chat({ content: content.slice('<think>'.length) }))).toMatchObject(said)
  const pieces = content.match(/[^]{1,3}/g) ?? []
  const streamed = events(...pieces.map((piece) => delta({ content: piece })), delta({}, 'stop'), '[DONE]')
  const { text, reasoning } = await stream('ollama:some', streamed)
  expect({ text, reasoning: reasoning?.trim() }).toEqual(said)
  expect(
    await stream('ollama:some', events(delta({ content: '<' }), delta({ content: 'b>' }, 'stop'))),
  ).toMatchObject({
    text: '<b>',
  })
})

it('understands streams without reason, role, choices or stream', async () => {
  const bare = events(
    { choices: [{ delta: { role: 'model', content: 'Hello' } }] },
    { usage: { prompt_tokens: 1 } },
    '[DONE]',
  )
  expect(await stream('compatible:some', bare)).toMatchObject({ text: 'Hello', asked: 1 })
  const whole = chat({ content: 'Hello', tool_calls: [call(undefined, 'read', {}), call(undefined, 'list')] })
  expect(await stream('compatible:some', whole)).toMatchObject({
    text: 'Hello',
    asked: 1,
    calls: [
      ['read', {}],
      ['list', {}],
    ],
  })
  const windows = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`: PROCESSING\r\n\r\ndata: ${JSON.stringify(delta({ content: 'Hello' }, 'stop'))}\r\n\r\n`)
  }
  expect(await stream('compatible:some', windows)).toMatchObject({ text: 'Hello', asked: 1 })
})

it('leaves out events that are new to it', async () => {
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'c',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
  const known = [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'brand_new' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'brand_new_delta', more: 1 } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ]
  const { text, error } = await stream('anthropic:claude-sonnet-4-5', events(...known))
  expect({ text, error }).toEqual({ text: 'Hello', error: undefined })
})

it.each(['google:gemini-2.5-flash', 'compatible:some'])(
  'knows that a stream of %s ended early',
  async (name) => {
    const google = { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Half' }] } }] }
    const piece = name.startsWith('google') ? google : delta({ content: 'Half' })
    const { text, error } = await stream(name, events(piece))
    expect(text).toBe('Half')
    expect(describeTrouble(error, name)).toContain('broke off')
  },
)

it('takes an error that comes as a success for what it says', async () => {
  const upstream = json(200, { error: { message: 'Upstream died', code: 502 } })
  expect(await ask('openrouter:a/b', upstream, chat({ content: 'Hello' }))).toMatchObject({ text: 'Hello' })
  const died = chat(
    { content: '' },
    { finish_reason: 'error', error: { message: 'Upstream died', code: 502 } },
  )
  expect(await stream('openrouter:a/b', died, chat({ content: 'Hello' }))).toMatchObject({
    text: 'Hello',
    asked: 2,
  })
  const response = { id: 'r', object: 'response', created_at: 1, model: 'g', status: 'failed', output: [] }
  const said = (code: string) => json(200, { ...response, error: { code, message: 'No' } })
  expect(isContextOverflow(await failed('openai:gpt-5.5', said('context_length_exceeded')))).toBe(true)
  expect(
    describeTrouble(await failed('openai:gpt-5.5', said('rate_limit_exceeded')), 'openai:gpt-5.5'),
  ).toContain('limits the rate')
  const openai = (event: object) => events({ type: 'response.created', response }, event)
  for (const event of [
    { type: 'response.failed', response: { ...response, error: { code: 'server_error', message: 'No' } } },
    { type: 'error', code: 'server_error', message: 'No' },
  ]) {
    const { error } = await stream('openai:gpt-5.5', openai(event))
    expect(describeTrouble(error, 'openai:gpt-5.5')).toContain('has trouble')
  }
  const lost = json(200, { error: 'Unexpected endpoint or method. (POST /chat/completions)' })
  expect(describeTrouble(await failed('compatible:some', lost), 'compatible:some')).toContain(
    'usually ends in /v1',
  )
})

it('understands whole answers of Google to a stream, and those of OpenAI without notes', async () => {
  const candidate = { content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }
  expect(await stream('google:gemini-2.5-flash', json(200, [{ candidates: [candidate] }]))).toMatchObject({
    text: 'Hello',
    asked: 1,
  })
  const message = {
    type: 'message',
    id: 'm',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Hello' }],
  }
  expect(await ask('openai:gpt-5.5', json(200, { id: 'r', output: [message] }))).toMatchObject({
    text: 'Hello',
  })
})

it('has a conversation shortened that left no room for the answer', async () => {
  const content = [{ type: 'text', text: 'Half' }]
  const body = { type: 'message', id: 'm', role: 'assistant', model: 'c', content, stop_sequence: null }
  const full = json(200, {
    ...body,
    stop_reason: 'model_context_window_exceeded',
    usage: { input_tokens: 1, output_tokens: 1 },
  })
  expect(isContextOverflow(await failed('anthropic:claude-sonnet-4-5', full))).toBe(true)
})

it('says where an address has moved to, and asks a page for people once', async () => {
  const name = 'compatible:some'
  const moved = (response: ServerResponse): void => void response.writeHead(301, { location: '/new' }).end()
  const error = await failed(name, moved, json(405, { detail: 'Method Not Allowed' }))
  expect(describeTrouble(error, name)).toMatch(
    /check OPENAI_COMPATIBLE_BASE_URL.*has moved to http:[^ ]*\/new/,
  )
  const page = (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
  const signIn = await stream(name, page)
  expect(signIn.asked).toBe(1)
  expect(isOutage(signIn.error)).toBe(true)
})

it('tries again when it is told to, and waits as Google says', async () => {
  const again = json(400, { error: { message: 'again' } }, { 'x-should-retry': 'true' })
  expect(await ask('compatible:some', again, chat({ content: 'Hello' }))).toMatchObject({ text: 'Hello' })
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3600s' }]
  await using provider = await openProvider([json(429, { error: { code: 429, message: 'slow', details } })])
  const name = 'google:gemini-2.5-flash'
  await expect(generateText({ model: modelsAt(provider.url).find(name), prompt })).rejects.toThrow(
    'limits the rate',
  )
  expect(provider.seen).toHaveLength(1)
})
