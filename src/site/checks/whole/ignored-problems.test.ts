import { expect, it } from 'vitest'
import { readIgnored } from './ignored-problems.ts'

const link = { kind: 'link', path: 'docs/a.md', message: 'The link "gone.md" points to no page' }

it.each([
  ['- kind: link', true],
  ['- kind: image', false],
  ['- path: docs/**', true],
  ['- path: docs/', true],
  ['- path: docs/b.md', false],
  ['- { kind: link, path: docs/a.md, text: gone.md }', true],
  ['- { kind: link, path: docs/a.md, text: other.md }', false],
  ['[]', false],
])('ignores what an entry means: %s', (entry, expected) => {
  const { ignores, wrong } = readIgnored(`ignore:\n  ${entry}\n`)
  expect([ignores(link), wrong]).toEqual([expected, []])
})

it('names the line of what is wrong, and uses the rest', () => {
  const { ignores, wrong } = readIgnored(
    'ignore:\n  - kind: lnik\n  - kind: link\n  - paths: a\n  - text: x\n  - path: 3\n  - docs/\n',
  )
  expect(ignores(link)).toBe(true)
  expect(wrong.map(({ line, message }) => `${line}: ${message.slice(0, 30)}`)).toEqual([
    '2: `kind` must be one of unreadab',
    '4: `paths` is not known: an entry',
    '5: The entry means every problem:',
    '6: `path` must be a string of 1 t',
    '7: This is no entry: an entry has',
  ])
})

it.each(['ignore: [', 'a: 1', '- x', '"', '&a [*a]', `ignore: ${'['.repeat(5000)}`])(
  'uses nothing of %j',
  (text) => {
    const { ignores, wrong } = readIgnored(text)
    expect([ignores(link), wrong.length]).toEqual([false, 1])
  },
)
