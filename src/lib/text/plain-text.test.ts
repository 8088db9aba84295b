import { expect, it } from 'vitest'
import { beginningOf, createValueCounter } from './plain-text.ts'

function count(text: string, chunk = 3): number {
  const counter = createValueCounter()
  const bytes = Buffer.from(text)
  let values = 0
  for (let at = 0; at < bytes.length; at += chunk) values = counter.add(bytes.subarray(at, at + chunk))
  return values
}

it.each([
  ['7', 1],
  ['[1, 2, 3]', 4],
  ['{"a": [{}, {"b": ","}]}', 6],
  [String.raw`["a\",\"b", "\\", ",[{"]`, 4],
  ['["\u{1F600},", "]"]', 3],
])('counts what costs a parser time in %s', (text, values) => {
  for (const chunk of [1, 3, 100]) expect(count(text, chunk)).toBe(values)
})

it('shows the beginning of a section as words', () => {
  const section = 'Run `a --b`:\n\n```bash\na -- b\n```\n\n| Key | Value |\n| --- | --- |\n| x | y |'
  expect(beginningOf(section, 100)).toBe('Run a --b: a -- b Key Value x y')
  expect(beginningOf('one two three', 8)).toBe('one two …')
  expect(beginningOf('文'.repeat(20), 8)).toBe(`${'文'.repeat(8)} …`)
})

it('counts outside of strings, however long they are and however the text comes in', () => {
  const said = [
    'x'.repeat(300),
    `${'x'.repeat(100)}\\`,
    `${'x'.repeat(70)}","[{`,
    '\\'.repeat(131),
    '"'.repeat(200),
    `${'é,['.repeat(90)}\\\\"`,
    '',
  ]
  const text = JSON.stringify({ messages: said.map((one) => ({ one, parts: [one, 1, [one]] })) })
  // The text, its object and its list; what stands between messages; and six in each.
  const expected = 3 + (said.length - 1) + said.length * 6
  for (const size of [1, 2, 3, 63, 64, 65, 66, 100, 1000, text.length])
    expect(count(text, size)).toBe(expected)
})
