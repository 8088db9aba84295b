import { NoSuchToolError } from 'ai'
import { expect, it } from 'vitest'
import { repairCall } from './repair-call.ts'

const repair = (toolName: string, input: string) =>
  repairCall({
    toolCall: { type: 'tool-call', toolCallId: '1', toolName, input },
    tools: { read_file: { inputSchema: {} as never } },
    error: new NoSuchToolError({ toolName }),
    inputSchema: () => Promise.resolve({}),
    messages: [],
    instructions: undefined,
    system: undefined,
  })

it.each([
  ['read_file', '{"path": "a\nb\t\\"c\\" \\n,]"}', { path: 'a\nb\t"c" \n,]' }],
  ['read_file', '{"a": [1, 2, ], "b": {"c": "x",\n},}', { a: [1, 2], b: { c: 'x' } }],
  ['read_file', '```json\n{"path": "a"}\n```', { path: 'a' }],
  ['functions.read_file', '{}', {}],
  ['readFile', '{}', {}],
  ['default_api:Read-File', '{}', {}],
])('mends %s %s', async (name, input, expected) => {
  const mended = await repair(name, input)
  expect(mended?.toolName).toBe('read_file')
  expect(JSON.parse(mended?.input ?? '')).toEqual(expected)
})

it.each([
  ['read_file', '{"path": "a'],
  ['read_file', '{"path": "a", "edits": [{"search": "x"}'],
  ['read_file', '{}'],
  ['shell', '{}'],
])('leaves %s %s as it is', async (name, input) => {
  expect(await repair(name, input)).toBeNull()
})
