import { generateText, jsonSchema } from 'ai'
import type { ModelMessage, ToolSet } from 'ai'
import { expect, it } from 'vitest'
import { json, modelsAt, openProvider } from './models.fixture.ts'

const tools: ToolSet = {
  read: { description: 'Reads a page', inputSchema: jsonSchema({ type: 'object', properties: {} }) },
}
const task: ModelMessage = { role: 'user', content: 'Which port?' }
const usage = {
  input_tokens: 300,
  cache_read_input_tokens: 600,
  cache_creation_input_tokens: 100,
  output_tokens: 5,
}
const ephemeral = { type: 'ephemeral' }

const anthropicSays = (content: unknown[], reason: string) =>
  json(200, {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'c',
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage,
  })
const openaiSays = (output: unknown[]) =>
  json(200, {
    id: 'r',
    object: 'response',
    created_at: 1,
    model: 'g',
    status: 'completed',
    output,
    incomplete_details: null,
    error: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  })
const googleSays = (parts: unknown[]) =>
  json(200, {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: {},
  })

/** Two calls as a job makes them, with its journal stored in between. */
async function twoSteps(url: string, name: string): Promise<void> {
  const step = (messages: ModelMessage[]) =>
    generateText({
      model: modelsAt(url).find(name),
      instructions: 'You help.',
      messages,
      tools,
      maxRetries: 0,
    })
  const first = await step([task])
  const journal = JSON.parse(JSON.stringify(first.response.messages)) as ModelMessage[]
  const results = first.toolCalls.map(({ toolCallId }) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName: 'read',
    output: { type: 'text' as const, value: 'PORT is 4000' },
  }))
  await step([task, ...journal, { role: 'tool', content: results }])
}

it('marks what Anthropic may cache: the system prompt, the end of the call before, the end', async () => {
  const thinking = { type: 'thinking', thinking: 'Look it up.', signature: 'signed-by-anthropic' }
  const calls = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }))
  await using provider = await openProvider([
    anthropicSays([thinking, { type: 'text', text: 'One moment' }, ...calls], 'tool_use'),
    anthropicSays([{ type: 'text', text: '4000' }], 'end_turn'),
  ])
  await twoSteps(provider.url, 'anthropic:claude-sonnet-4-5')
  const [first, second] = provider.seen.map(({ body }) => body)
  expect(first).toMatchObject({
    system: [{ text: 'You help.', cache_control: ephemeral }],
    messages: [{ role: 'user', content: [{ text: 'Which port?', cache_control: ephemeral }] }],
  })
  expect(second).toMatchObject({
    system: [{ text: 'You help.', cache_control: ephemeral }],
    messages: [
      { role: 'user', content: [{ text: 'Which port?', cache_control: ephemeral }] },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'One moment' }, ...calls] },
      { role: 'user', content: [{ tool_use_id: 'a' }, { tool_use_id: 'b', cache_control: ephemeral }] },
    ],
  })
  // What was cached must be sent again letter by letter.
  expect(JSON.stringify(second?.['tools'])).toBe(JSON.stringify(first?.['tools']))
  expect(JSON.stringify(second).match(/cache_control/g)).toHaveLength(3)
})

it('leaves nothing at OpenAI and brings its reasoning back encrypted, under one cache key', async () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed', summary: [] }
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'read',
    arguments: '{}',
    status: 'completed',
  }
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: '4000', annotations: [] }],
  }
  await using provider = await openProvider([openaiSays([reasoning, call]), openaiSays([message])])
  await twoSteps(provider.url, 'openai:gpt-5.5')
  const [first, second] = provider.seen.map(({ body }) => body)
  expect(first).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  expect(first?.['prompt_cache_key']).toMatch(/^docwright-[0-9a-f]{32}$/)
  expect(second?.['prompt_cache_key']).toBe(first?.['prompt_cache_key'])
  expect(second?.['input']).toMatchObject([
    { role: 'developer', content: 'You help.' },
    { role: 'user' },
    reasoning,
    { type: 'function_call', call_id: 'call_1', name: 'read' },
    { type: 'function_call_output', call_id: 'call_1', output: 'PORT is 4000' },
  ])
  expect(JSON.stringify(second)).not.toContain('item_reference')
})

it('brings the thought signatures of Google back', async () => {
  const call = { functionCall: { name: 'read', args: {} }, thoughtSignature: 'signed-by-google' }
  await using provider = await openProvider([googleSays([call]), googleSays([{ text: '4000' }])])
  await twoSteps(provider.url, 'google:gemini-3-pro-preview')
  expect(provider.seen[1]?.body['contents']).toMatchObject([
    { role: 'user' },
    { role: 'model', parts: [call] },
    { role: 'user', parts: [{ functionResponse: { name: 'read' } }] },
  ])
})

it('asks OpenRouter to cache for models of Anthropic', async () => {
  const answer = { role: 'assistant', content: '4000' }
  const body = {
    id: 'c',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: answer, finish_reason: 'stop' }],
  }
  await using provider = await openProvider([json(200, body)])
  for (const name of ['openrouter:anthropic/claude-sonnet-4.5', 'openrouter:qwen/qwen3-max'])
    await generateText({ model: modelsAt(provider.url).find(name), messages: [task] })
  const [anthropic, qwen] = provider.seen
  expect(anthropic).toMatchObject({ path: '/api/v1/chat/completions', body: { cache_control: ephemeral } })
  expect(qwen?.body).not.toHaveProperty('cache_control')
})
