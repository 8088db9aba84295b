import { expect, it } from 'vitest'
import { readMarkdown, safeAddress, type Piece } from './read-markdown.ts'

const pieces = (text: string): Piece[] =>
  readMarkdown(text)
    .map(({ piece }) => piece)
    .filter((piece) => piece !== '')

/** Every address that a text would lead to. */
function addressesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn)
  if (typeof value !== 'object' || value === null) return []
  const own = 'address' in value ? [String(value.address)] : []
  return [...own, ...Object.values(value).flatMap(addressesIn)]
}

/** What readers see of a text. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).join('')
  return typeof value === 'object' && value !== null && 'of' in value ? textIn(value.of) : ''
}

it('reads what answers are made of', () => {
  expect(
    pieces(
      '# Keys\n\nA **key** with `code` and [a page](https://docs.test/a).\n\n- one\n- [x] two\n\n```js\nlet a\n```',
    ),
  ).toMatchObject([
    { kind: 'heading', level: 1, of: ['Keys'] },
    {
      kind: 'paragraph',
      of: [
        'A ',
        { kind: 'strong', of: ['key'] },
        ' with ',
        { kind: 'inline-code', text: 'code' },
        ' and ',
        { kind: 'link', address: 'https://docs.test/a', of: ['a page'] },
        '.',
      ],
    },
    { kind: 'list', start: undefined, items: [{ checked: undefined }, { checked: true }] },
    { kind: 'code', language: 'js', text: 'let a' },
  ])
  expect(pieces('| a | b |\n| --- | :-: |\n| 1 | 2 |')).toMatchObject([
    { kind: 'table', head: [['a'], ['b']], rows: [[['1'], ['2']]], align: [undefined, 'center'] },
  ])
})

it.each([
  '<script>alert(1)</script>',
  'Hi <img src=x onerror=alert(1)> there',
  '<a href="javascript:alert(1)">x</a>',
  '<style>*{display:none}</style>',
  '<!-- hidden -->',
])('shows the HTML of %j as text', (html) => {
  expect(textIn(pieces(html))).toBe(html)
})

it.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://docs.test/1',
  '//other.test/a',
  '/guides/keys',
  '#part',
  'https://',
])('leads nowhere for %j', (address) => {
  expect(safeAddress(address)).toBeUndefined()
  expect(addressesIn(pieces(`[a](<${address}>) ![b](<${address}>) <${address}>`))).toEqual([])
})

it('links to the web and to mail only, and loads no image', () => {
  expect(addressesIn(pieces('[a](https://a.test) <b@c.test> ![d](https://e.test/i.png)'))).toEqual([
    'https://a.test/',
    'mailto:b@c.test',
    'https://e.test/i.png',
  ])
  expect(JSON.stringify(pieces('![d](https://e.test/i.png)'))).not.toContain('image')
})

it('survives what is nested or long without end', () => {
  for (const text of [
    '>'.repeat(20_000),
    `${'- '.repeat(5000)}a`,
    `${'[a]('.repeat(2000)}x`,
    '*'.repeat(20_000),
    '**a '.repeat(3000),
    '`'.repeat(5000),
    '|'.repeat(5000),
    'a'.repeat(300_000),
  ])
    expect(
      readMarkdown(text)
        .map(({ source }) => source)
        .join('').length,
    ).toBeGreaterThan(0)
})

it('gives back the whole text as the sources of its blocks', () => {
  const text = '# A\n\nB *c*\n\n- d\n  - e\n\n\n```\nf\n```\n\n> g\n'
  expect(
    readMarkdown(text)
      .map(({ source }) => source)
      .join(''),
  ).toBe(text)
})
