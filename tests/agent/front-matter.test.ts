import { describe, expect, it } from 'vitest'
import { readFrontMatter } from '../../src/site/markdown/front-matter.ts'
import { openTree } from './open-tree.ts'

async function set(source: string, fields: Record<string, string | null>) {
  const { call, text } = await openTree({ 'a.md': source })
  const output = await call('set_front_matter', { path: 'a.md', fields })
  return { output, text: await text('a.md') }
}

describe('set_front_matter', () => {
  const cases: [name: string, before: string, fields: Record<string, string | null>, after: string][] = [
    [
      'a plain value',
      '---\ntitle: Old\nicon: x # why\n---\nbody\n',
      { title: 'New' },
      '---\ntitle: New\nicon: x # why\n---\nbody\n',
    ],
    [
      'beside a comment',
      '---\nicon:   x   # why\n---\n',
      { icon: 'star' },
      '---\nicon:   star   # why\n---\n',
    ],
    [
      'the quotes it has',
      '---\ntitle: "Old"\nslug: \'a\'\n---\n',
      { title: 'A "b": c', slug: "it's" },
      '---\ntitle: "A \\"b\\": c"\nslug: \'it\'\'s\'\n---\n',
    ],
    [
      'quotes where they are needed',
      '---\ntitle: Old\n---\n',
      { title: 'Setup: a # b' },
      '---\ntitle: "Setup: a # b"\n---\n',
    ],
    [
      'text that looks like something else',
      '---\ntitle: Old\n---\n',
      { title: '2024', description: 'yes' },
      '---\ntitle: "2024"\ndescription: "yes"\n---\n',
    ],
    [
      'truths and numbers',
      '---\ntitle: x\nhidden: false\n---\n',
      { hidden: 'true', sidebar_position: '3' },
      '---\ntitle: x\nhidden: true\nsidebar_position: 3\n---\n',
    ],
    [
      'a folded text',
      '---\ntitle: T\ndescription: >-\n  one\n  two\n\nicon: x\n---\n',
      { description: 'three' },
      '---\ntitle: T\ndescription: three\n\nicon: x\n---\n',
    ],
    [
      'a text at the end',
      '---\ndescription: |\n  one\n  two\n---\n',
      { description: 'three' },
      '---\ndescription: three\n---\n',
    ],
    [
      'a plain text of several lines',
      '---\ndescription: one\n  two\nicon: x\n---\n',
      { description: 'three' },
      '---\ndescription: three\nicon: x\n---\n',
    ],
    [
      'a list',
      '---\ntags:\n  - a\n  - b\nicon: x\n---\n',
      { tags: '[c, d]' },
      '---\ntags: [c, d]\nicon: x\n---\n',
    ],
    [
      'a removal',
      '---\ntitle: T\n# about tags\ntags:\n  - a\n\nicon: x\n---\n',
      { tags: null },
      '---\ntitle: T\n# about tags\n\nicon: x\n---\n',
    ],
    ['an empty value', '---\ntitle:\nicon: x\n---\n', { title: 'T' }, '---\ntitle: T\nicon: x\n---\n'],
    [
      'a new description behind the title, quoted as the others',
      '---\ntitle: "T"\nicon: "x"\n---\n',
      { description: 'D' },
      '---\ntitle: "T"\ndescription: "D"\nicon: "x"\n---\n',
    ],
    [
      'CRLF and a byte order mark',
      '\uFEFF---\r\ntitle: T\r\nicon: x\r\n---\r\nbody',
      { description: 'D', icon: null },
      '\uFEFF---\r\ntitle: T\r\ndescription: D\r\n---\r\nbody',
    ],
    ['no front matter', '# Hello\r\n', { title: 'T' }, '---\r\ntitle: T\r\n---\r\n\r\n# Hello\r\n'],
    ['empty front matter', '---\n---\nbody\n', { title: 'T' }, '---\ntitle: T\n---\nbody\n'],
    ['the removal of what is not there', '---\ntitle: T\n---\n', { icon: null }, '---\ntitle: T\n---\n'],
    [
      'several lines of text',
      '---\ntitle: T\n---\n',
      { description: 'a\nb' },
      '---\ntitle: T\ndescription: "a\\nb"\n---\n',
    ],
  ]
  it.each(cases)('changes only the named lines: %s', async (_, before, fields, after) => {
    expect((await set(before, fields)).text).toBe(after)
    const { data } = readFrontMatter(after)
    const texts = Object.entries(fields).filter(([, value]) => value?.startsWith('[') === false)
    expect(texts.map(([name]) => String(data[name]))).toEqual(texts.map(([, value]) => value))
  })

  it('survives every value that a model may send', async () => {
    const values = [
      '',
      ' ',
      '- a',
      '? b',
      '*x',
      '&x y',
      '!x',
      '%x',
      '@x',
      '`x`',
      '{a}',
      '[a',
      'a: b',
      'a #b',
      "'",
      '"',
      '\\',
      '~',
      'null',
      'No',
      '0x1f',
      '1e3',
      '12:30',
      '2020-01-01',
      '---',
      '...',
      '|',
      '>',
      'a\tb',
      '\u2028',
      'é — “x”',
      ':',
      'x:',
    ]
    for (const before of [
      '---\ntitle: "a"\n---\nb\n',
      "---\ntitle: 'a'\n---\nb\n",
      '---\ntitle: a\n---\nb\n',
      'b\n',
    ]) {
      for (const value of values) {
        const { text = '' } = await set(before, { title: value })
        const { data, problem, bodyStart } = readFrontMatter(text)
        expect([problem, data['title'], text.slice(bodyStart).trim()]).toEqual([undefined, value, 'b'])
      }
    }
  })

  it('refuses TOML, broken YAML and bad names', async () => {
    for (const source of [
      '+++\ntitle = "x"\n+++\n',
      '---\ntitle: "x\n---\n',
      '---\n{title: x}\n---\n',
      '---\n- a\n---\n',
      `---\n${'['.repeat(50_000)}\n---\n`,
    ]) {
      expect((await set(source, { title: 'T' })).output).toMatchObject({ error: { code: 'unreadable' } })
    }
    expect((await set('x', { 'a: b\nc': 'T' })).output).toMatchObject({ error: { code: 'invalid_input' } })
    expect((await set('x', {})).output).toMatchObject({ error: { code: 'invalid_input' } })
  })
})
