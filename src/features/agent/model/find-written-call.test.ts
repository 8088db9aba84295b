import { expect, it } from 'vitest'
import { findWrittenCall } from './find-written-call.ts'

const tools = ['read_file', 'edit_file', 'grep', 'check', 'finish']

it.each([
  '{"name": "finish", "arguments": {}}',
  'I will fix it.\n\n```json\n{"name": "edit_file", "arguments": {"path": "a.md"}}\n```\nDone.',
  'Now: {"tool": "edit_file", "tool_input": {"path": "a.md"}} as asked',
  '{"type": "function", "function": {"name": "grep", "parameters": {"pattern": "x"}}}',
  '{"arguments": {"path": "a.md"}, "name": "read_file"}',
  "Okay.\n{'name': 'edit_file', 'arguments': {'path': 'a.md'}}",
  'Let me look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.md"}}\n</tool_call>',
  'Let me look.\n<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n</tool_call>',
  'So: <function=edit_file><parameter=path>a.md</parameter></function>',
  'So:\n<function_calls>\n<invoke name="edit_file">\n<parameter name="path">a.md</parameter>\n</invoke>',
  'So:\n<invoke name="edit_file">',
  'I do it.\n<edit_file>\n<path>a.md</path>\n</edit_file>',
  'Fine [TOOL_CALLS]edit_file{"path": "a.md"}',
  'Fine <|tool_call_begin|>functions.edit_file:0<|tool_call_argument_begin|>{"path": "a.md"}',
  'Fine <|channel|>commentary to=functions.edit_file <|message|>{"path": "a.md"}',
  '```tool_code\nprint(default_api.edit_file(path="a.md"))\n```',
  'Next:\nedit_file({"path": "a.md", "edits": []})',
  'Thought: edit it\nAction: edit_file\nAction Input: {"path": "a.md"}',
  '<tool_call>{"name": "unknown_tool"}</tool_call>',
  '<|python_tag|>what.ever()',
])('finds a call in: %s', (text) => {
  expect(findWrittenCall(text, tools)).toBeDefined()
})

it.each([
  'I used `edit_file` to fix it, and check found nothing. To finish, grep for the rest.',
  'The scripts are {"name": "check", "version": "1.0.0"} and nothing else.',
  'The page shows `{"name": "get_weather", "arguments": {"city": "Paris"}}` as an example of a call.',
  'A model answers with <tool_call> and then the name of the tool.',
  'The element <check> is not closed.',
  'Nothing has to change: finish (the last step) is described.',
  '> {"name": "edit_file", "arguments": {}}',
  'Call `check({ path })` in your code.',
])('finds no call in: %s', (text) => {
  expect(findWrittenCall(text, tools)).toBeUndefined()
})
