import { describe, expect, it } from 'vitest'
import { actingLinks, extractLinks, writtenLinks } from './extract-links.ts'

const hrefs = (text: string, mdx = false) => actingLinks(extractLinks(text), { mdx }).map((link) => link.href)

describe('extractLinks', () => {
  it('finds every kind of link with exact offsets and lines', () => {
    const text =
      '---\r\nhero: x\r\nactions:\r\n  - link: /start\r\n---\r\n# A [b](./b.md#c "Title")\r\n\r\n[![alt](img.png)](<to here.md>)\r\n<Card title="x" href="/card" />\r\n<a\r\n  href=\'/a?b=1&amp;c\'>x</a>\r\n\r\n[ref]: ../ref.md "T"\r\n> [def]: /quoted\r\n'
    const links = extractLinks(text)
    for (const link of links) expect(text.slice(link.start, link.end)).toBe(link.href)
    expect(links.map(({ kind, href, line }) => [kind, href, line])).toEqual([
      ['attribute', '/start', 4],
      ['link', './b.md#c', 6],
      ['image', 'img.png', 8],
      ['link', 'to here.md', 8],
      ['attribute', '/card', 9],
      ['attribute', '/a?b=1&amp;c', 11],
      ['definition', '../ref.md', 13],
      ['definition', '/quoted', 14],
    ])
  })

  it('leaves out what MyST is told to leave as it is', () => {
    expect(hrefs('[a](a.html?x#y){.external} [b](b.md){.big} `<!--` [c](c.md)\n\n[d](d.md)\n')).toEqual([
      'b.md',
      'c.md',
      'd.md',
    ])
  })

  it('finds links in the notation of template languages and roles, whole', () => {
    const text = [
      '[a]({{< ref "x.md#y" >}}) [b]({% link _docs/x.md %}#y "T") [c]({{ site.baseurl }}/x/)',
      '![d]({{ "/x.png" | relative_url }}) {doc}`T <../x>` and {ref}`y`, not {code}`z` or `{doc}`',
      '{% content-ref url="x.md" %}',
      '',
      '[e]: {% link x.md %}',
      '[f]({{ not closed',
    ].join('\n')
    const links = extractLinks(text)
    for (const link of links) expect(text.slice(link.start, link.end)).toBe(link.href)
    expect(links.map(({ href }) => href)).toEqual([
      '{{< ref "x.md#y" >}}',
      '{% link _docs/x.md %}#y',
      '{{ site.baseurl }}/x/',
      '{{ "/x.png" | relative_url }}',
      '{doc}`T <../x>`',
      '{ref}`y`',
      'x.md',
      '{% link x.md %}',
    ])
  })

  it('finds links among the properties of components in MDC', () => {
    const text =
      '---\nlinks:\n  - to: /start\n---\n\n::card\n---\ntitle: X\nto: /setup#now\ntarget: _blank\n---\nSee [it](a.md).\n::\n'
    expect(extractLinks(text).map(({ href }) => href)).toEqual(['/start', '/setup#now', 'a.md'])
    for (const { href, start, end } of extractLinks(text)) expect(text.slice(start, end)).toBe(href)
  })

  it('finds none in code, comments, scripts and module lines', () => {
    const text = [
      "import x from './x.mdx'",
      '',
      '`[a](1)` ``[`b`](2)`` <https://auto.test>',
      '<!-- [c](3) -->',
      '<!--',
      '[d](4)',
      '-->',
      '{/* [e](5) */}',
      '```',
      '[f](6)',
      '```',
      '- ~~~',
      '  [g](7)',
      '  ~~~',
      '````md',
      '    ````',
      '[shown](7)',
      '````',
      '> ```',
      '> [quoted](7)',
      '',
      '    [h] indented(8)',
      '<script>',
      'const a = "[i](9)"',
      '</script>',
      '[kept](10)',
    ].join('\n')
    expect(hrefs(text)).toEqual(['10'])
  })

  it('finds links in lists, tables and indented components', () => {
    const text = '- a\n\n    - [b](1)\n\n| x | [c](2) |\n\n<Tab>\n\n    [d](3)\n\n</Tab>'
    expect(hrefs(text, true)).toEqual(['1', '2', '3'])
    // Without MDX it is code.
    expect(hrefs(text)).toEqual(['1', '2'])
  })

  it('takes text that is indented further than its list, quote or call-out for code', () => {
    const text = [
      '- a',
      '',
      '      [b](code)',
      '      [c](code)',
      '',
      '  [d](1)',
      '',
      '    - [e](2)',
      '',
      '          [f](code)',
      '',
      '!!! note',
      '',
      '    [g](3)',
      '',
      '        [h](code)',
      '',
      '>     [i](code)',
      '>',
      '> [j](4)',
    ].join('\n')
    expect(hrefs(text)).toEqual(['1', '2', '3', '4'])
  })

  it('reads definitions in lists, quotes and over two lines, and knows which of them are used', () => {
    const text = [
      'See [a], [text][B], ![c][] and [over',
      'two](x).',
      '',
      '[a]: 1',
      '- [b]: 2 "T"',
      '',
      '  > [c]:',
      '  >   3.md',
      '',
      '[unused]: 4',
      '[a]: 5',
      '[A]: 6',
      '`[code]` \\[escaped]',
      '',
      '[code]: 7',
      '[escaped]: 8',
    ].join('\n')
    const links = extractLinks(text)
    for (const { href, start, end } of links) expect(text.slice(start, end)).toBe(href)
    expect(hrefs(text)).toEqual(['x', '1', '2', '3.md'])
    const last = actingLinks(links, { mdx: false, lastDefinitions: true })
    expect(last.map(({ href }) => href)).toEqual(['x', '2', '3.md', '6'])
    // All of them follow a page that moves.
    expect(writtenLinks(links, { mdx: false })).toHaveLength(9)
  })

  it('takes balanced parentheses and refuses everything that is not a link', () => {
    expect(hrefs('[a](x(y)z) [b] (no) [c](no space) \\[d](no2) [e]()')).toEqual(['x(y)z'])
  })

  it('reads destinations between angle brackets, with escapes in them', () => {
    expect(hrefs('[a](<b \\> c.md> "T") [d](<e<f>) [g] [j]\n\n[g]: <h i.md> "T"\n[j]: k\\_l.md')).toEqual([
      'b \\> c.md',
      'h i.md',
      'k\\_l.md',
    ])
  })

  it('does not take a line of prose for a definition', () => {
    expect(hrefs('Two [kinds of\n[sites]: Project sites and others.')).toEqual([])
  })

  it('stays usable on hostile input', () => {
    for (const bomb of ['[](', '[a](b "', '`` ` ', '<a b="', '<!--', '!['])
      expect(extractLinks(bomb.repeat(50_000)).length).toBeLessThan(60_000)
  })
})
