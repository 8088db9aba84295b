import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import type { LanguageModelV4FunctionTool, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { runWrittenCalls } from './run-written-calls.ts'

const toolOf = (name: string): LanguageModelV4FunctionTool => ({
  type: 'function',
  name,
  inputSchema: { type: 'object' },
})
const offered = [toolOf('search'), toolOf('read_page')]
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

async function read(text: string, size: number, tools = offered) {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    ...pieces.map((delta) => ({ type: 'text-delta' as const, id: '0', delta })),
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
  ]
  const model = new MockLanguageModelV4({ doStream: { stream: convertArrayToReadableStream(parts) } })
  const { stream } = await runWrittenCalls(model).doStream({ prompt: [], tools })
  let shown = ''
  const calls: unknown[] = []
  let reason: string | undefined
  for await (const part of stream) {
    if (part.type === 'text-delta') shown += part.delta
    if (part.type === 'tool-call') calls.push([part.toolName, JSON.parse(part.input)])
    if (part.type === 'finish') reason = part.finishReason.unified
  }
  return { shown, calls, reason }
}

const sizes = [1, 3, 10, 5000]
const call = '{"name": "search", "arguments": {"query": "a"}}'

it.each<[string, string, string?]>([
  ['Hermes and Qwen', `<tool_call>\n${call}\n</tool_call>`],
  ['Hermes behind words', `Let me look.\n<tool_call>\n${call}\n</tool_call>`, 'Let me look.\n'],
  ['JSON', call],
  ['a list', `[${call}]`],
  ['a fence', `\`\`\`json\n${call}\n\`\`\``],
  ['a fence behind words', `I will search.\n\n\`\`\`json\n${call}\n\`\`\`\n`, 'I will search.\n\n'],
  ['Mistral', `[TOOL_CALLS][{"name": "search", "arguments": {"query": "a"}}]`],
  ['Mistral of late', '[TOOL_CALLS]search[ARGS]{"query": "a"}'],
  ['Llama', '<|python_tag|>{"name": "search", "parameters": {"query": "a"}}'],
  ['Llama with functions', '<function=search>{"query": "a"}</function>'],
  [
    'OpenAI in JSON',
    '{"tool_calls": [{"function": {"name": "search", "arguments": "{\\"query\\": \\"a\\"}"}}]}',
  ],
  [
    'Qwen Coder',
    '<tool_call>\n<function=search>\n<parameter=query>\na\n</parameter>\n</function>\n</tool_call>',
  ],
  ['GLM', '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>a</arg_value>\n</tool_call>'],
  ['Claude', '<invoke name="search"><parameter name="query">a</parameter></invoke>'],
  [
    'DeepSeek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{"query": "a"}\n```<｜tool▁call▁end｜>',
  ],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0 {"query": "a"}<|tool_call_end|>',
  ],
  ['Cohere', '<|START_ACTION|>[{"tool_name": "search", "parameters": {"query": "a"}}]<|END_ACTION|>'],
  ['Harmony', 'to=functions.search json{"query": "a"}<|call|>'],
  ['a program', 'search(query="a")'],
  [
    'a call and what it made up',
    `<tool_call>${call}</tool_call>\n<tool_response>None</tool_response>\nNothing.`,
  ],
])('runs a call that is written as in %s, and shows nothing of it', async (_, text, lead = '') => {
  for (const size of sizes) {
    const found = await read(text, size)
    expect({ ...found, shown: found.shown.trim() }, String(size)).toEqual({
      shown: lead.trim(),
      calls: [['search', { query: 'a' }]],
      reason: 'tool-calls',
    })
  }
})

it('runs several', async () => {
  const other = call.replace('search', 'read_page').replace('query', 'path')
  const { calls } = await read(`<tool_call>${call}</tool_call>\n<tool_call>${other}</tool_call>`, 4)
  expect(calls).toEqual([
    ['search', { query: 'a' }],
    ['read_page', { path: 'a' }],
  ])
})

it('shows nothing of a call that cannot be run', async () => {
  const none = { shown: '', calls: [], reason: 'stop' }
  for (const size of sizes) {
    expect(await read(`<tool_call>${call}</tool_call>`, size, [])).toEqual(none)
    expect(await read(`<tool_call>${call.replace('search', 'shell')}</tool_call>`, size)).toEqual(none)
  }
})

it.each([
  'Use `search` to find pages, or call `<tool_call>`.',
  `Send [this](/api):\n\n\`\`\`json\n${call}\n\`\`\``,
  `Send this:\n\n\`\`\`json\n${call}\n\`\`\`\n\nThe server answers with results.`,
  `Models write:\n\n\`\`\`text\n<tool_call>\n${call}\n</tool_call>\n\`\`\`\n\nIt is read.`,
  `Models write:\n\n~~~\n[TOOL_CALLS]${call}\n~~~`,
  '{"port": 8080}',
  '```json\n{"name": "docs", "search": true}\n```',
  '```sh\nnpm install thing\n```\n\nThen start it.',
  'search finds pages.\n\nread_page reads one.',
  '[Install](/install) it.\n[Start](/start) it.',
  '<b>Bold</b>\n\n- a\n- b',
  '  indented\n\n\nlines  ',
  '',
])('shows an answer that only looks like one: %j', async (text) => {
  for (const size of sizes)
    expect(await read(text, size), String(size)).toEqual({ shown: text, calls: [], reason: 'stop' })
})
