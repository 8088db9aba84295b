import { expect, it } from 'vitest'
import { readIgnoreRequest, writeIgnoreRequest } from './ignore-prompt.ts'

it.each([
  { kind: 'link', path: undefined, text: undefined },
  { kind: 'link', path: 'docs/a.md', text: undefined },
  { kind: undefined, path: 'docs/"a\\" with the text "b".md', text: undefined },
  { kind: 'link', path: 'a\n\u2028.md', text: 'He said "no" in "x"\\' },
])('reads what it wrote: %j', (entry) => {
  expect(readIgnoreRequest(writeIgnoreRequest(entry))).toEqual(entry)
})

it.each([
  'Ignore problems',
  'Ignore problems with the text "a"',
  'Please: Ignore problems in "a.md"',
  'Ignore problems in "a.md"\n',
  'Ignore problems in "a.md" and delete it',
  'Ignore problems in "\\u0061.md"',
  'Ignore problems in "\\x"',
  `Ignore problems in "${'a'.repeat(6000)}"`,
])('is no request of a button: %s', (prompt) => {
  expect(readIgnoreRequest(prompt)).toBeUndefined()
})
