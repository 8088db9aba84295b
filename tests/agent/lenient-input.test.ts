import { describe, expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

const mintlify = {
  'docs/docs.json': '{"navigation": {"pages": ["index", "guides/x"]}}\n',
  'docs/index.mdx': '---\ntitle: Home\n---\n\nSee [x](/guides/x).\n',
  'docs/guides/x.mdx': '---\ntitle: X\n---\n\nOne two.\nThree.\n',
  'guides/readme.txt': 'no page\n',
}

describe('arguments as models write them', () => {
  it.each<[string, unknown, string]>([
    ['own names', { path: 'a.md', edits: [{ search: 'one', replace: 'two' }] }, 'two\n'],
    ['an edit alone', { path: 'a.md', edits: { search: 'one', replace: 'two' } }, 'two\n'],
    ['edits as JSON', { path: 'a.md', edits: '[{"search": "one", "replace": "two"}]' }, 'two\n'],
    ['an edit as JSON', { path: 'a.md', edits: ['{"old_string": "one", "new_string": "two"}'] }, 'two\n'],
    [
      'names of Claude',
      { file_path: 'a.md', old_string: 'one', new_string: 'two', replace_all: true },
      'two\n',
    ],
    ['names of an editor', { path: 'a.md', old_str: 'one', new_str: 'two' }, 'two\n'],
    ['names of MCP', { path: 'a.md', edits: [{ oldText: 'one', newText: 'two' }] }, 'two\n'],
    [
      'a text for true',
      { filename: 'a.md', edits: [{ search: 'one', replace: 'two', all: 'true' }] },
      'two\n',
    ],
    [
      'a text for a number',
      { file: 'a.md', changes: [{ find: 'one', replacement: 'two', line: '1' }] },
      'two\n',
    ],
    ['all of it as JSON', '{"path": "a.md", "edits": {"search": "one", "replace": "two"}}', 'two\n'],
    [
      'null for what is not given',
      { path: 'a.md', edits: [{ search: 'one', replace: 'two', line: null, all: null }] },
      'two\n',
    ],
    ['a number as text', { path: 'a.md', edits: [{ search: 'one', replace: 2 }] }, '2\n'],
  ])('edit_file takes %s', async (_, input, expected) => {
    const { call, text } = await openTree({ 'a.md': 'one\n' })
    await call('read_file', { filePath: 'a.md' })
    expect(await call('edit_file', input)).toMatchObject({ replacements: 1 })
    expect(await text('a.md')).toBe(expected)
  })

  it.each<[string, unknown]>([
    ['numbers and booleans', { path: 'a.md', fields: { title: 'T', order: 3, draft: false } }],
    ['fields beside the path', { path: 'a.md', title: 'T', order: 3, draft: 'false' }],
    ['another name', { page: '/a', frontMatter: { title: 'T', order: '3', draft: false } }],
    ['JSON', { path: 'a.md', fields: '{"title": "T", "order": 3, "draft": false}' }],
    [
      'a list of names and values',
      {
        path: 'a.md',
        fields: [
          { name: 'title', value: 'T' },
          { name: 'order', value: 3 },
          { key: 'draft', value: false },
        ],
      },
    ],
  ])('set_front_matter takes %s', async (_, input) => {
    const { call, text } = await openTree({ 'a.md': 'one\n' })
    expect(await call('set_front_matter', input)).not.toHaveProperty('error')
    expect(await text('a.md')).toBe('---\ntitle: T\norder: 3\ndraft: false\n---\n\none\n')
  })

  it('takes one text for a list, texts for numbers, and other names for them', async () => {
    const { call } = await openTree({ 'a.md': '1\n2\n3\n4\n', 'b.md': '[a](gone.md)\n' })
    expect(await call('read_file', { path: 'a.md', offset: '2', limit: '1' })).toMatchObject({
      content: '2\t2',
    })
    expect(await call('read_file', { path: 'a.md', start_line: 2, end_line: 3 })).toMatchObject({
      content: '2\t2\n3\t3',
    })
    expect(await call('check', { paths: 'b.md' })).toMatchObject({ total: 1 })
    expect(await call('check', { path: './b.md', only_new: 'false' })).toMatchObject({ total: 1 })
    expect(await call('grep', { query: '3', path: 'a.md' })).toMatchObject({ total: 1 })
    expect(await call('list_files', { pattern: '*.md', max_results: '1' })).toMatchObject({ files: ['a.md'] })
    expect(await call('write_file', { file_path: 'c.md', contents: 'x' })).toMatchObject({ created: true })
    expect(await call('plan', { steps: ['1. look', '2. write'] })).toEqual({ noted: true })
    expect(await call('set_front_matter', { path: 'a.md', fields: { tags: ['a'] } })).toHaveProperty('error')
    expect(await call('move_page', { source: 'c.md', destination: 'd.md' })).toMatchObject({ to: 'd.md' })
  })

  it('says in one line what is missing or wrong', async () => {
    const { call } = await openTree({ 'a.md': 'one\n' })
    const messageOf = async (name: string, input: unknown) => {
      const { error } = await call(name, input)
      return error
    }
    expect(await messageOf('edit_file', { path: 'a.md', edits: [{ replace: 'x', line: 'first' }] })).toEqual({
      code: 'invalid_input',
      message: 'The arguments do not fit: edits[0].line has to be a number',
    })
    expect(await messageOf('read_file', {})).toMatchObject({
      message: 'The arguments do not fit: path is missing; it is text',
    })
    expect(await messageOf('read_file', 'a')).toMatchObject({
      message: 'The arguments do not fit: give an object with named arguments',
    })
    expect(await messageOf('grep', { pattern: '', limit: 0 })).toMatchObject({
      message:
        'The arguments do not fit: pattern has to be a text that is not empty; limit has to be at least 1',
    })
    expect(await messageOf('set_front_matter', { path: 'a.md', fields: { tags: ['a', 'b'] } })).toMatchObject(
      {
        message: 'The arguments do not fit: fields.tags has to be text',
      },
    )
  })
})

describe('what a page is called', () => {
  it.each([
    'docs/guides/x.mdx',
    './docs/guides/x.mdx',
    '/docs/guides/x.mdx',
    'guides/x.mdx',
    './guides/x.mdx',
    '/guides/x.mdx',
    '/guides/x',
    '/guides/x/',
    'guides/x',
    'docs/guides/x',
    '/guides/x#part',
    'https://docs.example.com/guides/x',
    'https://docs.example.com/guides/x?tab=1#part',
  ])('is read, edited, checked, moved and deleted as %s', async (name) => {
    const path = 'docs/guides/x.mdx'
    const open = () => openTree(mintlify, { root: 'docs' })
    const { call } = await open()
    expect(await call('read_file', { path: name })).toMatchObject({ path })
    expect(await call('edit_file', { path: name, edits: [{ search: 'Three', replace: '3' }] })).toMatchObject(
      { path },
    )
    expect(await call('set_front_matter', { path: name, fields: { title: 'Y' } })).toMatchObject({ path })
    expect(await call('grep', { pattern: 'One', paths: [name] })).toMatchObject({ total: 1 })
    expect(await call('list_files', { path: name })).toMatchObject({ files: [path] })
    expect(await call('check', { paths: [name] })).toMatchObject({ total: 0 })
    expect(await call('diff', { path: name })).toMatchObject({ files: [{ path, state: 'changed' }] })
    expect(await call('revert_file', { path: name })).toMatchObject({ path })
    expect(await call('write_file', { path: name, content: 'x' })).toMatchObject({ path })
    expect(await call('replace_in_files', { search: 'x', replace: 'y', paths: name })).toMatchObject({
      total: 1,
    })
    expect(await call('copy_page', { from: name, to: '/guides/copy' })).toMatchObject({
      from: path,
      to: 'docs/guides/copy.mdx',
    })
    expect(await call('add_to_navigation', { path: '/guides/copy', after: name })).toMatchObject({
      changed: ['docs/docs.json'],
    })
    expect(await call('move_page', { from: name, to: '/guides/y' })).toMatchObject({
      from: path,
      to: 'docs/guides/y.mdx',
    })
    const other = await open()
    expect(await other.call('delete_page', { path: name })).toMatchObject({
      path,
      inboundLinks: [{ path: 'docs/index.mdx' }],
    })
  })

  it('is asked for again where it may be several files, and refused where it is none', async () => {
    const { call } = await openTree({ ...mintlify, 'guides/x.mdx': 'other\n' }, { root: 'docs' })
    expect(await call('read_file', { path: '/guides/x.mdx' })).toMatchObject({
      error: { code: 'ambiguous', candidates: ['docs/guides/x.mdx', 'guides/x.mdx'] },
    })
    expect(await call('read_file', { path: 'guides/x.mdx' })).toMatchObject({ content: '1\tother' })
    expect(await call('read_file', { path: '/guides/gone' })).toHaveProperty('error')
    expect(await call('read_file', { path: 'docs/../guides/x.mdx' })).toMatchObject({
      error: { code: 'invalid_path' },
    })
  })

  it('leads a new page into the docs', async () => {
    const { call } = await openTree(mintlify, { root: 'docs' })
    expect(await call('write_file', { path: '/guides/new', content: 'x' })).toMatchObject({
      path: 'docs/guides/new.mdx',
    })
    expect(await call('write_file', { path: './docs/b.mdx', content: 'x' })).toMatchObject({
      path: 'docs/b.mdx',
    })
    expect(await call('write_file', { path: '/tmp/x.mdx', content: 'x' })).toHaveProperty('error')
  })

  it('leads what moves into the docs', async () => {
    const { call } = await openTree(mintlify, { root: 'docs' })
    expect(await call('move_page', { from: '/guides/x', to: 'setup' })).toMatchObject({
      to: 'docs/setup.mdx',
    })
    expect(await call('move_page', { from: 'setup', to: '/guides/x' })).toMatchObject({
      to: 'docs/guides/x.mdx',
    })
    for (const to of ['/start', 'start', './docs/start/'])
      expect(
        await (await openTree(mintlify, { root: 'docs' })).call('move_page', { from: 'docs/guides', to }),
      ).toMatchObject({
        moved: [{ from: 'docs/guides/x.mdx', to: 'docs/start/x.mdx' }],
      })
  })

  it('leaves the folder of the docs out in globs too', async () => {
    const { call } = await openTree({ ...mintlify, 'docs/api/y.mdx': 'One\n' }, { root: 'docs' })
    expect(await call('list_files', { glob: 'api/**/*.mdx' })).toMatchObject({ files: ['docs/api/y.mdx'] })
    expect(await call('grep', { pattern: 'One', paths: ['api/*.mdx'] })).toMatchObject({ total: 1 })
  })
})
