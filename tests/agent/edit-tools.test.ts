import { describe, expect, it } from 'vitest'
import { ReadRecord } from '../../src/features/agent/tools/calls/read-record.ts'
import { openTree } from './open-tree.ts'

const mixed = '\uFEFFone\r\ntwo\nthree\r\nfour — größe\r\nlast'

describe('read_file', () => {
  it('numbers lines without line ends and byte order mark, and goes on where it is told', async () => {
    const { call } = await openTree({ 'a.md': mixed, 'empty.md': '' })
    expect(await call('read_file', { path: 'a.md' })).toMatchObject({
      totalLines: 5,
      startLine: 1,
      content: '1\tone\n2\ttwo\n3\tthree\n4\tfour — größe\n5\tlast',
    })
    expect(await call('read_file', { path: './a.md' })).toMatchObject({ path: 'a.md' })
    expect(await call('read_file', { path: 'a.md', startLine: 4, lineCount: 1 })).toMatchObject({
      content: '4\tfour — größe',
    })
    expect(await call('read_file', { path: 'a.md', startLine: 9 })).toMatchObject({
      error: { code: 'out_of_range', totalLines: 5 },
    })
    expect(await call('read_file', { path: 'empty.md' })).toMatchObject({ totalLines: 0, content: '' })
  })

  it('refuses links, submodules, folders, binaries and bad paths, and names similar files', async () => {
    const { call } = await openTree({
      'docs/a.md': 'a',
      link: { mode: '120000', content: '/etc/passwd' },
      sub: { mode: '160000', content: '' },
      'b.png': new Uint8Array([0, 1]),
    })
    for (const [path, code] of [
      ['link', 'not_a_file'],
      ['sub', 'not_a_file'],
      ['docs', 'not_found'],
      ['b.png', 'binary'],
      ['../a', 'invalid_path'],
      ['/etc/passwd', 'invalid_path'],
      ['docs/../docs/a.md', 'invalid_path'],
      ['docs\\a.md', 'invalid_path'],
      ['docs/a.md\0', 'invalid_path'],
      ['docs/a.md ', 'invalid_path'],
      ['.GIT/config', 'invalid_path'],
      ['.git\u200c/config', 'invalid_path'],
      ['', 'invalid_path'],
      ['C:/a', 'invalid_path'],
    ]) {
      expect([path, await call('read_file', { path })]).toMatchObject([path, { error: { code } }])
    }
    expect(await call('read_file', { path: 'guides/A.mdx' })).toMatchObject({
      error: { code: 'not_found', similar: ['docs/a.md'] },
    })
    expect(await call('read_file', { path: {} })).toMatchObject({ error: { code: 'invalid_input' } })
    expect(await call('read_file', undefined)).toMatchObject({ error: { code: 'invalid_input' } })
  })
})

describe('edit_file', () => {
  it('changes only what differs: line ends, byte order mark and the missing final newline stay', async () => {
    const { call, text } = await openTree({ 'a.md': mixed })
    await call('read_file', { path: 'a.md' })
    expect(
      await call('edit_file', {
        path: 'a.md',
        edits: [
          { search: 'one\ntwo\nthree', replace: 'one\n2\nand\nthree' },
          { search: 'last', replace: 'last\nnow' },
        ],
      }),
    ).toMatchObject({ path: 'a.md', replacements: 2 })
    expect(await text('a.md')).toBe('\uFEFFone\r\n2\nand\nthree\r\nfour — größe\r\nlast\r\nnow')
  })

  it("keeps each line's own end when several lines are replaced", async () => {
    const { call, text } = await openTree({ 'a.md': 'a\r\nb\nc\r\nd\n' })
    await call('read_file', { path: 'a.md' })
    await call('edit_file', { path: 'a.md', edits: [{ search: 'a\nb\nc\nd', replace: 'A\nB\nC\nD' }] })
    expect(await text('a.md')).toBe('A\r\nB\nC\r\nD\n')
  })

  it('takes for a later edit of a call the text that stood there before, not what an earlier one brought in', async () => {
    const { call, text } = await openTree({ 'a.md': '## Step 8\n\nrun\n\n## Step 7\n\n[a]: /a\n' })
    await call('read_file', { path: 'a.md' })
    const edits = [
      { search: 'run', replace: 'run\n\n[a]: /a' },
      { search: 'Step 8', replace: 'Step 7' },
      { search: 'Step 7', replace: 'Step 6' },
      { search: '\n[a]: /a\n', replace: '' },
    ]
    expect(await call('edit_file', { path: 'a.md', edits })).toMatchObject({ replacements: 4 })
    expect(await text('a.md')).toBe('## Step 7\n\nrun\n\n[a]: /a\n\n## Step 6\n')
    // Two of them are new, and nothing says which one.
    const again = [
      { search: 'run', replace: 'go, go' },
      { search: 'go', replace: 'went' },
    ]
    expect(await call('edit_file', { path: 'a.md', edits: again })).toMatchObject({
      error: { code: 'ambiguous' },
    })
  })

  it('wants the text unique, and says where it is', async () => {
    const { call, workspace } = await openTree({ 'a.md': 'x y\nx z\nThe quick brown dog\n' })
    const edit = (search: string, more = {}) =>
      call('edit_file', { path: 'a.md', edits: [{ search, replace: 'Q', ...more }] })
    expect(await edit('x')).toMatchObject({ error: { code: 'ambiguous', lines: [1, 2] } })
    expect(await edit('x', { line: 3 })).toMatchObject({ error: { code: 'not_found', lines: [1, 2] } })
    expect(await edit('The quick red dog')).toMatchObject({
      error: { code: 'not_found', closest: { startLine: 2, content: '2\tx z\n3\tThe quick brown dog\n4\t' } },
    })
    expect(await edit('nothing of this')).toMatchObject({ error: { code: 'not_found' } })
    expect(await edit('')).toMatchObject({ error: { code: 'invalid_input' } })
    expect(workspace.changes()).toEqual([])
    expect(await edit('x', { line: 2 })).toMatchObject({ replacements: 1 })
    expect(await edit('x', { all: true })).toMatchObject({ replacements: 1 })
    workspace.write('a.md', Buffer.from('other\n'))
    expect(await edit('other')).toMatchObject({ replacements: 1 })
  })

  it('changes lines that a tool has shown, and shows those that none has', async () => {
    const { call, text } = await openTree({ 'a.md': 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n' })
    const lines = { path: 'a.md', edits: [{ startLine: 2, endLine: 3, replace: 'TWO\nand\n' }] }
    expect(await call('edit_file', lines)).toMatchObject({
      error: { code: 'not_read', closest: { startLine: 1, content: expect.stringContaining('3\tthree') } },
    })
    // They have been shown now.
    expect(await call('edit_file', lines)).toMatchObject({ replacements: 1 })
    expect(await text('a.md')).toBe('one\r\nTWO\r\nand\r\nfour\r\nfive\r\n')
    await call('edit_file', { path: 'a.md', startLine: '4', replace: '' })
    expect(await text('a.md')).toBe('one\r\nTWO\r\nand\r\nfive\r\n')
    await call('edit_file', { path: 'a.md', edits: [{ append: true, replace: 'six' }] })
    expect(await text('a.md')).toBe('one\r\nTWO\r\nand\r\nfive\r\nsix\r\n')
    expect(
      await call('edit_file', { path: 'a.md', edits: [{ startLine: 9, endLine: 9, replace: 'x' }] }),
    ).toMatchObject({
      error: { code: 'out_of_range' },
    })
    expect(await call('edit_file', { path: 'a.md', edits: [{ replace: 'x' }] })).toMatchObject({
      error: { code: 'invalid_input' },
    })
  })

  it('takes line numbers as they were before the answer, whatever its calls have changed', async () => {
    const { call, text, reads } = await openTree({ 'a.md': '1\n2\n3\n4\n5\n6\n' })
    await call('grep', { pattern: '4', context: 2 })
    reads.beginAnswer()
    await call('edit_file', { path: 'a.md', edits: [{ search: '2', replace: 'two\nand\nmore' }] })
    expect(
      await call('edit_file', {
        path: 'a.md',
        edits: [
          { startLine: 3, replace: 'three' },
          { startLine: 5, endLine: 5, replace: 'five' },
        ],
      }),
    ).toMatchObject({ replacements: 2 })
    expect(await text('a.md')).toBe('1\ntwo\nand\nmore\nthree\n4\nfive\n6\n')
    const changed = { path: 'a.md', edits: [{ startLine: 3, replace: 'x' }] }
    expect(await call('edit_file', changed)).toMatchObject({ error: { code: 'stale' } })
    reads.beginAnswer()
    await call('edit_file', { path: 'a.md', edits: [{ startLine: 2, endLine: 4, replace: 'two' }] })
    expect(await text('a.md')).toBe('1\ntwo\nthree\n4\nfive\n6\n')
  })

  it('tells how many lines went or came, not all of them', async () => {
    const { call } = await openTree({ 'a.md': `${'line\n'.repeat(50)}end\n` })
    await call('read_file', { path: 'a.md' })
    const output = await call('edit_file', {
      path: 'a.md',
      edits: [{ startLine: 1, endLine: 50, replace: '' }],
    })
    expect(output['diff']).toContain('-… (48 lines taken out)')
  })

  it('makes all edits of a call or none', async () => {
    const { call, workspace } = await openTree({ 'a.md': 'x\ny\n' })
    await call('read_file', { path: 'a.md' })
    const edits = [
      { search: 'x', replace: 'z' },
      { search: 'missing', replace: 'z' },
    ]
    expect(await call('edit_file', { path: 'a.md', edits })).toMatchObject({ error: { code: 'not_found' } })
    expect(workspace.changes()).toEqual([])
  })

  it('refuses what no text file can hold, and what the encoding of the file cannot', async () => {
    const { call } = await openTree({ 'latin.md': new Uint8Array([0x61, 0xe9, 0x0a]), 'a.md': 'a' })
    expect(await call('read_file', { path: 'latin.md' })).toMatchObject({
      content: '1\taé',
      encoding: 'windows-1252',
    })
    expect(
      await call('edit_file', { path: 'latin.md', edits: [{ search: 'a', replace: '漢' }] }),
    ).toMatchObject({ error: { code: 'not_encodable' } })
    await call('read_file', { path: 'a.md' })
    for (const replace of ['\0', '\ud800']) {
      expect(await call('edit_file', { path: 'a.md', edits: [{ search: 'a', replace }] })).toMatchObject({
        error: { code: 'invalid_input' },
      })
    }
  })

  it('answers soon to what would make a regular expression hang', async () => {
    const { call } = await openTree({ 'a.md': `${'a'.repeat(100_000)}\n`.repeat(10) })
    await call('read_file', { path: 'a.md' })
    expect(
      await call('edit_file', { path: 'a.md', edits: [{ search: `${'a '.repeat(5000)}b`, replace: '' }] }),
    ).toMatchObject({ error: { code: 'not_found' } })
    const globs = [
      `${'*a'.repeat(200)}b`,
      '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}',
      '{'.repeat(900),
      '**/'.repeat(200),
    ]
    for (const glob of globs) expect(await call('list_files', { glob })).toBeTypeOf('object')
  })
})

describe('bytes', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const wide = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
  it.each([
    ['a line end becomes CRLF', 'a\nb\n', 'a\r\nb\n', [{ search: 'a\nb', replace: 'a\r\nb' }]],
    ['a line end becomes LF', 'a\r\nb\r\n', 'a\nb\r\n', [{ search: 'a\r\nb', replace: 'a\nb' }]],
    ['CRLF in a file of CRLF', 'a\r\nb\r\n', 'a\r\nx\r\nb\r\n', [{ search: 'a\n', replace: 'a\r\nx\r\n' }]],
    ['a mixed line end', 'a\r\nb\r\n', 'a\r\nx\nb\r\n', [{ search: 'a\r\n', replace: 'a\r\nx\n' }]],
    ['the final line end goes', 'a\nb\n', 'a\nb', [{ search: 'b\n', replace: 'b' }]],
    ['the final line end comes', 'a\r\nb', 'a\r\nb\r\n', [{ search: 'b', replace: 'b\n' }]],
    ['two final line ends', 'a\n', 'a\n\n\n', [{ search: 'a\n', replace: 'a\n\n\n' }]],
    ['a byte order mark comes', 'a\n', '\uFEFFa\n', [{ search: 'a', replace: '\uFEFFa' }]],
    ['a byte order mark goes', '\uFEFFa\r\n', 'a\r\n', [{ search: '\uFEFFa', replace: 'a' }]],
    ['line ends of old', 'a\rb\rc', 'a\rx\rc', [{ search: 'b', replace: 'x' }]],
    ['a final space', 'a  \nb\n', 'a\nb\n', [{ search: 'a  ', replace: 'a' }]],
    ['a form feed and a tab', 'a\fb\tc\n', 'a\fx\tc\n', [{ search: 'b\tc', replace: 'x\tc' }]],
    [
      'Latin-1',
      latin('gr\xfc\xdfe\r\nb'),
      latin('gr\xfcn\r\n\xdf'),
      [
        { search: 'üße', replace: 'ün' },
        { search: 'b', replace: 'ß' },
      ],
    ],
    [
      'Windows-1252',
      Buffer.from([0x93, 0x61, 0x94, 0x20, 0x81, 0x0a]),
      Buffer.from([0x93, 0x62, 0x94, 0x20, 0x81, 0x2e, 0x0a]),
      [{ search: '“a” \x81', replace: '“b” \x81.' }],
    ],
    [
      'UTF-16',
      wide('größe\r\nb'),
      wide('größer\r\nb\r\nc'),
      [
        { search: 'größe', replace: 'größer' },
        { search: 'b', replace: 'b\nc' },
      ],
    ],
    [
      'UTF-16 the other way around',
      wide('ab\n').swap16(),
      wide('ac\n').swap16(),
      [{ search: 'ab', replace: 'ac' }],
    ],
    [
      'UTF-8 with a broken byte',
      Buffer.concat([Buffer.from('größe '), Buffer.from([0xff, 0xc3]), Buffer.from(' b\n')]),
      Buffer.concat([Buffer.from('größe '), Buffer.from([0xff, 0xc3]), Buffer.from(' ü\n')]),
      [{ search: 'b', replace: 'ü' }],
    ],
    [
      'a very long line',
      `${'x'.repeat(100_000)}needle${'y'.repeat(100_000)}`,
      `${'x'.repeat(100_000)}thread${'y'.repeat(100_000)}`,
      [{ search: 'needle', replace: 'thread' }],
    ],
  ] as [string, string | Uint8Array, string | Uint8Array, { search: string; replace: string }[]][])(
    'stay what nobody changed: %s',
    async (_, before, after, edits) => {
      const { call, workspace } = await openTree({ LICENSE: 'x', 'a.txt': before })
      await call('read_file', { path: 'a.txt' })
      expect(await call('edit_file', { path: 'a.txt', edits })).toMatchObject({ replacements: edits.length })
      expect(Buffer.from((await workspace.read('a.txt')) ?? '')).toEqual(Buffer.from(after))
    },
  )

  it('are written as given when that is asked for, in the encoding of the file or as UTF-8', async () => {
    const { call, workspace } = await openTree({ 'a.md': 'a\r\n'.repeat(200), 'b.md': latin('\xe9\n') })
    const bytes = async (path: string) => Buffer.from((await workspace.read(path)) ?? '')
    await call('read_file', { path: 'a.md' })
    await call('write_file', { path: 'a.md', content: '\uFEFFa\nb\r\nc', exact: true })
    expect(await bytes('a.md')).toEqual(Buffer.from('\uFEFFa\nb\r\nc'))
    await call('write_file', { path: 'new.md', content: 'no end', exact: true })
    expect(await bytes('new.md')).toEqual(Buffer.from('no end'))
    await call('read_file', { path: 'b.md' })
    expect(await call('write_file', { path: 'b.md', content: 'ü\n' })).toMatchObject({
      error: { code: 'not_encodable' },
    })
    await call('write_file', { path: 'b.md', content: 'Now é\n' })
    expect(await bytes('b.md')).toEqual(latin('Now \xe9\n'))
    await call('write_file', { path: 'b.md', content: 'ü漢\n', encoding: 'utf-8' })
    expect(await bytes('b.md')).toEqual(Buffer.from('ü漢\n'))
  })
})

describe('hints', () => {
  it.each([
    ['2\tSecond line\n3\t  Third “line”', 'leave them'],
    ['Second   line', 'white space'],
    ['Second line\n\tThird “line”', 'white space'],
    ['second LINE', 'upper and lower case'],
  ])('say why %j is not found', async (search, reason) => {
    const { call } = await openTree({ 'a.md': 'First line\nSecond line\n  Third “line”\n' })
    await call('read_file', { path: 'a.md' })
    expect(await call('edit_file', { path: 'a.md', edits: [{ search, replace: 'x' }] })).toMatchObject({
      error: { code: 'not_found', message: expect.stringContaining(reason) },
    })
  })

  it('take lines as they were numbered before the call', async () => {
    const { call, text } = await openTree({ 'a.md': 'x\nx\nx\nx\n' })
    await call('read_file', { path: 'a.md' })
    const edits = [
      { search: 'x', replace: 'a\nb\nc', line: 1 },
      { search: 'x', replace: 'second', line: 2 },
      { search: 'x', replace: 'fourth', line: 4 },
    ]
    expect(await call('edit_file', { path: 'a.md', edits })).toMatchObject({ replacements: 3 })
    expect(await text('a.md')).toBe('a\nb\nc\nsecond\nx\nfourth\n')
  })

  it('tell where a long file goes on, and show the rest of a long line', async () => {
    const { call } = await openTree({ 'a.md': `${'y'.repeat(9000)}end\n${'line\n'.repeat(2000)}` })
    expect(await call('read_file', { path: 'a.md' })).toMatchObject({ endLine: 1000, truncated: true })
    expect(await call('read_file', { path: 'a.md', startColumn: 9000, lineCount: 1 })).toMatchObject({
      content: '1\tyend',
    })
    expect(await call('read_file', { path: 'a.md', startLine: 1001 })).toMatchObject({ endLine: 2000 })
    expect(await call('read_file', { path: 'a.md', startLine: 2001 })).not.toHaveProperty('truncated')
  })

  it('say that a file is there before a new one takes its place', async () => {
    const { call } = await openTree({ 'a.md': 'x\n' })
    expect(await call('write_file', { path: 'a.md', content: 'y' })).toMatchObject({
      error: { code: 'not_read', message: expect.stringContaining('There is already a file') },
    })
  })
})

describe('files that are no pages', () => {
  it('are moved and deleted with what names them', async () => {
    const { call, text } = await openTree({
      'docs.json': '{"navigation": {"pages": ["index"]}}',
      'index.mdx': 'import Note from "./snippets/note.mdx"\n\n<Note />\n',
      'snippets/note.mdx': 'A note.\n',
      'snippets/data.json': '{}\n',
    })
    expect(await call('delete_page', { path: 'snippets/note.mdx' })).toMatchObject({
      inboundLinks: [{ path: 'index.mdx', line: 1, href: './snippets/note.mdx' }],
    })
    expect(await call('write_file', { path: 'snippets/note.mdx', content: 'A note.\n' })).toHaveProperty(
      'hash',
    )
    expect(await call('move_page', { from: 'snippets/note.mdx', to: 'snippets/hint.mdx' })).toMatchObject({
      changed: ['index.mdx'],
    })
    expect(await text('index.mdx')).toContain('from "./snippets/hint.mdx"')
    expect(await call('delete_page', { path: 'snippets/data.json' })).toMatchObject({ inboundLinks: [] })
  })
})

describe('the record of what was read', () => {
  it('is the same when it is rebuilt from the journal', async () => {
    const { call, reads } = await openTree({ 'a.md': '[b](b.md)\n', 'b.md': 'b\n', 'c.md': 'c\n' })
    const calls: [string, Record<string, unknown>][] = [
      ['read_file', { path: 'a.md' }],
      ['read_file', { path: 'c.md' }],
      ['edit_file', { path: 'c.md', edits: [{ search: 'c', replace: 'd' }] }],
      ['set_front_matter', { path: 'c.md', fields: { title: 'C' } }],
      ['set_front_matter', { path: 'b.md', fields: { title: 'B' } }],
      ['move_page', { from: 'b.md', to: 'sub/b.md' }],
      ['read_file', { path: 'missing.md' }],
    ]
    const replayed = new ReadRecord()
    for (const [name, input] of calls)
      replayed.recordResult(name, JSON.parse(JSON.stringify(await call(name, input))))
    for (const path of ['a.md', 'b.md', 'c.md', 'sub/b.md', 'missing.md'])
      expect(replayed.state(path)).toEqual(reads.state(path))
    expect(reads.state('a.md')).toBe('stale')
    expect(reads.state('b.md')).toBeUndefined()
    expect(await call('edit_file', { path: 'c.md', edits: [{ search: 'd', replace: 'e' }] })).toMatchObject({
      replacements: 1,
    })
    expect(await call('edit_file', { path: 'a.md', edits: [{ startLine: 1, replace: 'e' }] })).toMatchObject({
      error: { code: expect.stringMatching(/stale|not_read/) },
    })
    expect(replayed.hasSeen('c.md', 1, 4)).toBe(reads.hasSeen('c.md', 1, 4))
    expect(reads.hasSeen('c.md', 1, 5)).toBe(true)
  })
})

it('edit_file finds a text on the line that is given, however often it occurs', async () => {
  const { call, text } = await openTree({ 'a.md': `# A\n${'x\n'.repeat(12_000)}` })
  await call('read_file', { path: 'a.md' })
  const edits = [{ search: 'x\n', replace: 'y\n', line: 11_000 }]
  expect(await call('edit_file', { path: 'a.md', edits })).not.toHaveProperty('error')
  expect((await text('a.md'))?.split('\n')[10_999]).toBe('y')
  expect((await text('a.md'))?.split('y').length).toBe(2)
  expect(await call('edit_file', { path: 'a.md', edits: [{ search: 'x\n', replace: 'z\n' }] })).toMatchObject(
    {
      error: { code: 'too_large' },
    },
  )
})
