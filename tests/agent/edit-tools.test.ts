import { describe, expect, it } from 'vitest'
import { ReadRecord } from '../../src/features/agent/tools/read-record.ts'
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
    expect(await call('read_file', { path: './a.md' })).toMatchObject({ error: { code: 'invalid_path' } })
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
    expect(await call('read_file', { path: 3 })).toMatchObject({ error: { code: 'invalid_input' } })
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

  it('wants the file read, the text unique and the file unchanged, and says where', async () => {
    const { call, workspace } = await openTree({ 'a.md': 'x y\nx z\nThe quick brown dog\n' })
    const edit = (search: string, more = {}) =>
      call('edit_file', { path: 'a.md', edits: [{ search, replace: 'Q', ...more }] })
    expect(await edit('y')).toMatchObject({ error: { code: 'not_read' } })
    await call('read_file', { path: 'a.md' })
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
    expect(await edit('other')).toMatchObject({ error: { code: 'stale' } })
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

describe('write_file', () => {
  it('makes new files and replaces short ones that were read, with their line ends and their end', async () => {
    const { call, text } = await openTree({ 'a.md': 'one\r\ntwo\r\nthree', 'long.md': 'x\n'.repeat(200) })
    expect(await call('write_file', { path: 'new/b.md', content: '# B' })).toMatchObject({ path: 'new/b.md' })
    expect(await text('new/b.md')).toBe('# B\n')
    expect(await call('write_file', { path: 'a.md', content: 'x' })).toMatchObject({
      error: { code: 'not_read' },
    })
    await call('read_file', { path: 'a.md' })
    await call('write_file', { path: 'a.md', content: 'one\n2\n2b\nthree\n' })
    expect(await text('a.md')).toBe('one\r\n2\r\n2b\r\nthree')
    await call('read_file', { path: 'long.md' })
    expect(await call('write_file', { path: 'long.md', content: 'x' })).toMatchObject({
      error: { code: 'too_long' },
    })
  })

  it('refuses paths that the policy guards or other systems cannot hold', async () => {
    const { call, workspace } = await openTree(
      { 'docs/a.md': 'a', 'docs/link': { mode: '120000', content: '..' } },
      { root: 'docs' },
    )
    for (const path of [
      '.github/workflows/a.yml',
      'README.md',
      'docs/.gitattributes',
      'docs/x.sh',
      'docs/package.json',
      'docs/x.js',
      'docs/y.svg',
    ]) {
      expect([path, await call('write_file', { path, content: 'x' })]).toMatchObject([
        path,
        { error: { code: 'forbidden' } },
      ])
    }
    for (const path of [
      'docs/link/b.md',
      'docs/a.md/b.md',
      'docs/A.md',
      'docs/a:b.md',
      'docs/new\nline.md',
      'docs/.git/x.md',
      'docs/../../x.md',
    ]) {
      expect([path, await call('write_file', { path, content: 'x' })]).toMatchObject([
        path,
        { error: { code: 'invalid_path' } },
      ])
    }
    expect(await call('write_file', { path: 'docs/link', content: 'x' })).toHaveProperty('error')
    expect(workspace.changes()).toEqual([])
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
      replayed.recordResult(name, input, JSON.parse(JSON.stringify(await call(name, input))))
    for (const path of ['a.md', 'b.md', 'c.md', 'sub/b.md', 'missing.md'])
      expect(replayed.state(path)).toEqual(reads.state(path))
    expect(reads.state('a.md')).toBe('stale')
    expect(reads.state('b.md')).toBeUndefined()
    expect(await call('edit_file', { path: 'c.md', edits: [{ search: 'd', replace: 'e' }] })).toMatchObject({
      replacements: 1,
    })
    expect(await call('edit_file', { path: 'a.md', edits: [{ search: 'b', replace: 'e' }] })).toMatchObject({
      error: { code: 'stale' },
    })
  })
})

describe('list_files, list_pages and grep', () => {
  it('narrow by folder, glob and words, and search what this turn has changed', async () => {
    const { call } = await openTree({
      'docs.json': '{"navigation": {"groups": [{"group": "Guides", "pages": ["guides/install", "index"]}]}}',
      'guides/install.mdx': '---\ntitle: Install it\n---\nneedle\n',
      'guides/hidden.mdx': 'x\n',
      'index.mdx': '# Home\n',
    })
    expect(await call('list_files', { path: 'guides/' })).toEqual({
      files: ['guides/hidden.mdx', 'guides/install.mdx'],
      truncated: false,
    })
    expect(await call('list_files', { glob: '*.{mdx,json}' })).toMatchObject({ files: { length: 4 } })
    expect(await call('list_files', { path: 'guides', glob: 'i*.mdx' })).toMatchObject({
      files: ['guides/install.mdx'],
    })
    expect(await call('list_files', { path: 'nope' })).toMatchObject({ error: { code: 'not_found' } })
    expect(await call('list_pages', { query: 'INSTALL' })).toEqual({
      pages: [
        {
          path: 'guides/install.mdx',
          url: '/guides/install',
          title: 'Install it',
          group: 'Guides',
          inNavigation: true,
        },
      ],
      truncated: false,
    })
    expect(await call('list_pages', {})).toMatchObject({
      pages: [{ path: 'guides/install.mdx' }, { title: 'Home' }, { group: null, inNavigation: false }],
    })
    await call('write_file', { path: 'guides/new.mdx', content: 'a needle\n' })
    expect(await call('grep', { pattern: 'needle', paths: ['guides/*.mdx'], limit: 1 })).toEqual({
      matches: [{ path: 'guides/install.mdx', line: 4, text: 'needle' }],
      total: 2,
      truncated: true,
    })
    expect(await call('grep', { pattern: 'needle', paths: ['index.mdx'] })).toMatchObject({ total: 0 })
    expect(await call('grep', { pattern: 'x', paths: ['nope.mdx'] })).toMatchObject({
      error: { code: 'not_found' },
    })
  })
})
