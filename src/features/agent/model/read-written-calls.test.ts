import { jsonSchema, tool, type ToolSet } from 'ai'
import { expect, it } from 'vitest'
import { describeTools } from '../tools/create-tools.ts'
import { readInput } from '../tools/calls/read-input.ts'
import { shownSchema } from '../tools/calls/shown-schema.ts'
import { readWrittenCalls } from './read-written-calls.ts'

const tools: ToolSet = Object.fromEntries(
  describeTools([]).map(({ name, description, inputSchema }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema(shownSchema(inputSchema), {
        validate: (value) => ({ success: true, value: readInput(inputSchema, value) }),
      }),
    }),
  ]),
)
const call = '{"name": "read_file", "arguments": {"file_path": "a.md"}}'

it.each([
  ['Hermes', `Let me look.\n<tool_call>\n${call}\n</tool_call>`, 'Let me look.'],
  ['a fence', `I read it.\n\n\`\`\`json\n${call}\n\`\`\`\n`, 'I read it.'],
  ['bare JSON', call, ''],
  [
    'Qwen Coder',
    '<tool_call>\n<function=read_file>\n<parameter=path>\na.md\n</parameter>\n</function>\n</tool_call>',
    '',
  ],
])('reads a call that is written as in %s', (_, text, lead) => {
  expect(readWrittenCalls(text, { tools })).toEqual({
    lead,
    calls: [{ name: 'read_file', input: { path: 'a.md' } }],
  })
})

it('reads several, and long texts in them', () => {
  const content = `# A "page"\n\n\`\`\`js\nlet x = {}\n\`\`\`\n${'words '.repeat(4000)}`
  const write = JSON.stringify({ name: 'write_file', arguments: { path: 'b.md', content } })
  const done = '{"name": "finish", "arguments": {"title": "T", "summary": "S", "pages": ["b.md"]}}'
  expect(
    readWrittenCalls(`<tool_call>${write}</tool_call>\n<tool_call>${done}</tool_call>`, { tools })?.calls,
  ).toEqual([
    { name: 'write_file', input: { path: 'b.md', content } },
    { name: 'finish', input: { title: 'T', summary: 'S', pages: [{ path: 'b.md' }] } },
  ])
})

it.each([
  'The page shows {"name": "get_weather", "arguments": {"city": "Paris"}} as an example.',
  '{"name": "read_file", "arguments": {}}',
  `<tool_call>${call}</tool_call><tool_call>{"name": "shell", "arguments": {"cmd": "ls"}}</tool_call>`,
  'I used `edit_file` to fix it.',
])('reads none where it is not clear: %s', (text) => {
  expect(readWrittenCalls(text, { tools })).toBeUndefined()
})

it('reads none that is quoted from a page of the job', () => {
  expect(readWrittenCalls(call, { tools, isQuoted: () => true })).toBeUndefined()
})
