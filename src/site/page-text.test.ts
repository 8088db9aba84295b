import { describe, expect, it } from 'vitest'
import { readGlossary } from '../lib/text/glossary.ts'
import { findText, lineEdits } from '../builtin/pages/find-text.ts'
import { createPages } from './page-text.ts'
import { zoneOf } from './markdown/zones.ts'

const read = createPages()(() => {})
const zone = (text: string, part: string, path = 'a.md') => {
  const at = text.indexOf(part)
  return zoneOf(read(text, path), at, at + part.length)
}

describe('what is prose', () => {
  it.each([
    ['`X` y', 'X', 'code'],
    ['``a ` X`` y', 'X', 'code'],
    ['a\n\n```js\nX\n```\n', 'X', 'code'],
    ['~~~\n```\nX\n~~~\n', 'X', 'code'],
    ['- a\n\n  ```\n  X\n  ```\n', 'X', 'code'],
    ['a\n\n    X\n', 'X', 'code'],
    ['- a\n\n    X\n', 'X', 'prose'],
    ['!!! note\n\n    X\n', 'X', 'prose'],
    ['[X](/y)', 'X', 'prose'],
    ['[y](/X)', 'X', 'link'],
    ['[y](/a(X)b "t")', 'X', 'link'],
    ['[y](/a "X")', 'X', 'prose'],
    ['[y]: /X\n', 'X', 'link'],
    ['see https://X.dev now', 'X', 'link'],
    ['<https://X.dev>', 'X', 'link'],
    ['<a href="/X">y</a>', 'X', 'link'],
    ['<Card title="X" href="/y">', 'X', 'prose'],
    ['<Card icon="X">', 'X', 'markup'],
    ['<Card n={X}>', 'X', 'markup'],
    ['# Y {#X}', 'X', 'markup'],
    ['<!-- X -->', 'X', 'markup'],
    ['---\ntitle: X\n---\n', 'X', 'prose'],
    ['---\nslug: X\n---\n', 'X', 'markup'],
    ['a < b and X > c', 'X', 'prose'],
    ['one ` tick and X', 'X', 'prose'],
    ['```js\nconst a={}\n```\n\ny\n\n    X\n', 'X', 'code'],
    ['import it by hand, with `a={}`\n\n    X\n', 'X', 'code'],
    ['<Tabs\n  items={[1]}\n>\n\n    X\n\n</Tabs>\n', 'X', 'prose'],
    ['import A from "./a"\n\n    X\n', 'X', 'prose'],
  ])('%j holds its X as %s', (text, part, expected) => {
    expect(zone(text, part)).toBe(expected)
  })

  it.each([
    'import X from "./x"\n\nText',
    'export function Two() {\n  const a = 1\n\n  return <p>{X}</p>\n}\n\nText',
    'Text {X + 1}',
    '<Tabs items={[{ label: "X" }]}>\n\nText\n\n</Tabs>',
  ])('leaves imports, expressions and code of components alone: %j', (text) => {
    expect(zone(text, 'X', 'a.mdx')).toBe('markup')
    expect(zone(text, 'Text', 'a.mdx')).toBe('prose')
  })
})

it('finds whole words, and characters in scripts without spaces', () => {
  const rule = { replace: 'y', ignoreCase: false, typo: false, zones: new Set(['prose'] as const) }
  const starts = (text: string, find: string) =>
    findText(read(text, 'a.md'), [{ ...rule, find }]).changes.map((change) => change.start)
  expect(starts('port report ports port_a (port) port', 'port')).toEqual([0, 26, 32])
  expect(starts('这个端口是四千', '端口')).toEqual([2])
  expect(starts('C++ and C+++', 'C++')).toEqual([0, 8])
})

it('makes edits of whole lines from the last to the first', () => {
  const changes = [
    { start: 0, end: 1, replace: 'A' },
    { start: 4, end: 5, replace: 'C' },
    { start: 6, end: 7, replace: 'D' },
  ]
  expect(lineEdits('a\nb\nc d\n', changes)).toEqual({
    edits: [
      { search: 'c d', replace: 'C D', line: 3 },
      { search: 'a', replace: 'A', line: 1 },
    ],
    lines: [1, 3],
  })
})

it.each(['`', '``a ', '{{', '{/*', '<a ', '<a b={', '](', '[', '<!--', '"', '# ', '[a]: ', '- ', '!['])(
  'reads a hostile page in bounded time: %j',
  (seed) => {
    const text = seed.repeat(60_000)
    const rule = {
      find: 'a',
      replace: 'b',
      ignoreCase: true,
      typo: false,
      zones: new Set(['prose'] as const),
    }
    findText(read(text, 'a.md'), [rule])
    read(text, 'a.mdx')
    expect(readGlossary(text, 'glossary.yml')).toEqual([])
  },
)

it('reads pages as the checks do: what frameworks take out before MDX is no mistake, and broken MDX is text', () => {
  const noted = read(
    '<!-- a note -->\n\n# Title {#own}\n\n:::note\n\n## Inside\n\n:::\n\n<A b={1} />\n',
    'a.mdx',
  )
  expect(noted.headings.map(({ text }) => text)).toEqual(['Title', 'Inside'])
  const broken = read('# Title\n\n<A>\n\nText X\n', 'a.mdx')
  expect([broken.unread, broken.headings.length]).toEqual([false, 1])
  expect(zone('# Title\n\n<A>\n\nText X\n', 'X', 'a.mdx')).toBe('prose')
})
