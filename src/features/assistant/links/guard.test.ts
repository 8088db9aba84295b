import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { describe, expect, it } from 'vitest'
import { createLinkGuard } from './guard.ts'

const good = 'https://docs.example.com/good'

async function guarded(text: string, cuts: number[] = []): Promise<string> {
  const guard = createLinkGuard((target) =>
    Promise.resolve(
      target === '/good' || target === good ? { url: good, path: 'good.md', title: 'Good' } : undefined,
    ),
  )
  let shown = ''
  let from = 0
  for (const to of [...cuts, text.length]) {
    shown += (await guard.write(text.slice(from, to))).text
    from = to
  }
  return shown + (await guard.end()).text
}

describe('the link guard', () => {
  it('makes links of the numbers of results', async () => {
    const link = { url: good, path: 'good.md', title: 'Good' }
    const guard = createLinkGuard(
      () => Promise.resolve(undefined),
      (n) => (n === 1 ? link : undefined),
    )
    const { text, links } = await guard.write('It is so [1]. And so [2]. And 【1†source】.\n[1] It.\n')
    expect(text).toBe(`It is so [1](${good}). And so. And.\n[1](${good}) It.\n`)
    expect(links).toEqual([link, link])
  })

  it.each([
    ['a link to a page', 'See [Good](/good).', `See [Good](${good}).`],
    ['a link with a title', '[Good](/good "t")', `[Good](${good})`],
    ['a link in angle brackets', '[Good](</good>)', `[Good](${good})`],
    ['a link without text', '[](/good)', `[Good](${good})`],
    ['a foreign link', '[bad](https://evil.example?q=1) x', 'bad x'],
    ['a link with a harmful scheme', '[bad](javascript:alert(1))', 'bad'],
    ['a foreign link in a link’s text', `[a [b](//evil) c](/good)`, `[a b c](${good})`],
    ['an image', 'a ![alt](https://evil.example/i.png) b', 'a alt b'],
    ['an image of a page', '![alt](/good)', 'alt'],
    ['an autolink to a page', `<${good}>`, `<${good}>`],
    ['a foreign autolink', '<https://evil.example/a>', '`evil.example/a`'],
    ['a bare address of a page', `see ${good}, yes`, `see <${good}>, yes`],
    ['a foreign bare address', '(https://evil.example/a(b)).', '(`evil.example/a(b)`).'],
    ['a bare address without scheme', 'www.evil.example!', '`www.evil.example`!'],
    ['a reference', '[r][e]\n\n[e]: https://evil.example\n', '[r\\][e]\n\n\\[e\\]: `evil.example`\n'],
    ['HTML', '<img src="x"> a < b', '\\<img src="x"> a < b'],
    ['an entity in an address', '&#104;ttps://evil.example', '&amp;#104;ttps://evil.example'],
    ['an escape in an address', 'https\\://evil.example', 'https\\\\://evil.example'],
    ['an address that falls together', 'htt[p](x)s://evil.example', 'htt\u{2060}ps://evil.example'],
    ['a tag that falls together', '<[b](x)>', '<\u{2060}b>'],
    ['an entity that falls together', '&#1[0](x)4;ttps://', '&#1\u{2060}04;ttps://'],
    ['a list that falls together', '[1](x). a\n[- b](x)', '\u{2060}1. a\n\u{2060}- b'],
    ['an image that is all of a line', 'a\n- ![](x)', 'a\n- image'],
    ['brackets that mean nothing', 'a[0] b[1] a_b[2] - [ ] [x] 【注】', 'a[0] b[1] a_b[2] - [ ] [x] 【注】'],
    ['numbers that cite', 'It is so [1]. And so[^2], too [1][2] or [1, 2].', 'It is so. And so, too or.'],
    ['a number that cites between sentences', 'It is so.[1]And so【1】then.', 'It is so. And so then.'],
    ['daggers that cite', 'It is so 【4:0†source】. So【21†L231-L239】.', 'It is so. So.'],
    ['marks in characters of private use', 'So \u{E200}cite\u{E202}turn0search1\u{E201}.', 'So.'],
    ['a mark at the beginning of a line', '[1] ```\n[b](//evil)', '[1] \\`\\`\\`\nb'],
    ['an address that falls together without a mark', 'http[1]://evil.example', 'http\\[1\\]://evil.example'],
    ['an address in front of a mark', 'htt [1]ps://evil.example', 'htt ps://evil.example'],
    ['inline code', '`[a](https://evil.example)` ``b`c``', '`[a](https://evil.example)` ``b`c``'],
    ['inline code that never ends', '`a [b](//evil)', '\\`a b'],
    ['inline code with a bar', '`a | b`', '`a | b`'],
    ['inline code that a table would cut', '| ` | [a](//evil) ` |', '| \\` | a \\` |'],
    ['a code block', '```js\n[a](https://evil.example)\n```\n', '```js\n[a](https://evil.example)\n```\n'],
    [
      'a code block in a list',
      '1. a\n\n   ```\n   https://x\n   ```\n2. b',
      '1. a\n\n   ```\n   https://x\n   ```\n2. b',
    ],
    ['a code block that a list ends', '- a\n  ```\n[b](//evil)', '- a\n  ```\nb'],
    ['an indented code block', '  ```\nhttps://x\n  ```\n', '```\nhttps://x\n  ```\n'],
    ['a code block that never ends', '```\nhttps://x', '```\nhttps://x\n```\n'],
    ['the same address in prose after a block', '~~~\nhttps://x\n~~~\nhttps://x', '~~~\nhttps://x\n~~~\n`x`'],
    ['characters of two halves', '😀[a](//evil)😀', '😀a😀'],
    ['what cannot be stored', 'a\0b\u{D800}', 'a\u{FFFD}b'],
  ])('handles %s the same however the text is cut', async (_, text, expected) => {
    expect(await guarded(text)).toBe(expected)
    expect(await guarded(text, Array.from(text, (_, at) => at).slice(1))).toBe(expected)
  })

  it('names each page before its text, and only those that are linked', async () => {
    const guard = createLinkGuard((target) =>
      Promise.resolve(target === '/good' ? { url: good, path: 'good.md', title: 'Good' } : undefined),
    )
    expect(await guard.write('A [Good](/go')).toEqual({ text: 'A ', links: [] })
    expect(await guard.write('od) b')).toEqual({
      text: `[Good](${good}) b`,
      links: [{ url: good, path: 'good.md', title: 'Good' }],
    })
  })

  it('holds nothing back that cannot become a link', async () => {
    const guard = createLinkGuard(() => Promise.resolve(undefined))
    expect((await guard.write('Plain words')).text).toBe('Plain words')
    expect((await guard.write(`[${'x'.repeat(3000)}`)).text).toHaveLength(3002)
  })

  it('reads hostile text in linear time', async () => {
    for (const piece of [
      '[',
      '`',
      '](',
      '![',
      '<a',
      '&',
      '\\',
      'https://',
      'https://x)',
      '- ',
      '``a`',
      '* ',
      '[a](',
      '\n- ```',
    ]) {
      const text = piece.repeat(20_000 / piece.length)
      expect((await guarded(text)).length).toBeGreaterThan(0)
    }
  })

  it('leaves a Markdown reader nothing to follow, whatever is written', async () => {
    const reader = unified().use(remarkParse).use(remarkGfm)
    const random = createRandom(42)
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: 2 + random(22) }, () => pieces[random(pieces.length)]).join('')
      const cuts = Array.from(text, (_, at) => at).filter(() => random(4) === 0)
      const shown = await guarded(text, cuts)
      const followed = addressesIn(reader.runSync(reader.parse(shown)))
      expect({ text, shown, followed: followed.filter((address) => address !== good) }).toEqual({
        text,
        shown,
        followed: [],
      })
      expect(await guarded(text)).toBe(shown)
    }
  })
})

const pieces = [
  '[- x](y)¦[1](y)¦[1. x](y)¦![](y)¦.¦1¦&¦#1¦04;¦~¦$¦[>](y)¦[  x](y)¦[¦](¦)¦]¦`¦``¦```¦~~~¦\n¦\n\n¦ ¦    ¦\t¦- ¦1. ¦2. ¦> ¦|¦\r',
  '| - |\n¦|-|-|\n¦\\¦!¦<¦>¦https://evil.example¦http¦s://¦www¦.evil.example¦#¦(https://evil.example)¦[x](https://evil.example)',
  '![i](https://evil.example/i)¦[g](/good)¦[e]¦"¦[e]: https://evil.example\n¦&#104;¦&colon;¦<b>¦<img src=x>¦<https://evil.example>',
  '***¦*¦---\n¦+ ¦\\`¦_¦:¦/¦htt¦ps¦[^1]¦[^1]: ¦{¦ftp://evil.example¦$$\n¦a',
].flatMap((line) => line.split('¦'))

interface Node {
  type: string
  url?: string
  value?: string
  children?: Node[]
}

const followable = new Set([
  'link',
  'image',
  'definition',
  'html',
  'linkReference',
  'imageReference',
  'footnoteDefinition',
])

function addressesIn(node: Node): string[] {
  const own = followable.has(node.type) ? [node.url ?? node.value ?? node.type] : []
  return [...own, ...(node.children ?? []).flatMap(addressesIn)]
}

function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return Math.floor((state / 0x8000_0000) * below)
  }
}
