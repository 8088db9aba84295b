import { expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

const page = (title: string) => `# ${title}\n\nText.\n`

it('keeps pages in the navigation that a file of awesome-nav names by nested paths', async () => {
  const { call, text } = await openTree({
    'mkdocs.yml': 'site_name: X\nplugins:\n  - awesome-nav\n',
    'docs/.nav.yml':
      "nav:\n  - Home: 'index.md'\n  - Guides:\n      - 'guides/a.md'\n      - 'guides/b.md'\n",
    'docs/index.md': page('Home'),
    'docs/guides/a.md': page('A'),
    'docs/guides/b.md': page('B'),
    'docs/other/c.md': page('C'),
  })
  await call('move_page', { from: 'docs/guides/a.md', to: 'docs/start/a.md' })
  expect(await text('docs/.nav.yml')).toContain("- 'start/a.md'")
  await call('write_file', { path: 'docs/guides/new.md', content: page('New') })
  expect(await call('list_pages', { query: 'guides/new' })).toMatchObject({
    pages: [{ inNavigation: false }],
  })
  await call('add_to_navigation', { path: 'docs/guides/new.md' })
  expect(await text('docs/.nav.yml')).toContain("      - 'guides/b.md'\n      - 'guides/new.md'\n")
  expect(await call('list_pages', { query: 'guides/new' })).toMatchObject({ pages: [{ inNavigation: true }] })
})

it("puts a page into the toctree of its folder's index, and redirects it with rediraffe", async () => {
  const toctree = (...names: string[]) => `\`\`\`{toctree}\n${names.join('\n')}\n\`\`\`\n`
  const { call, text } = await openTree({
    'docs/conf.py':
      "extensions = ['myst_parser', 'sphinxext.rediraffe']\nrediraffe_redirects = 'redirects.txt'\n",
    'docs/redirects.txt': '"old.md" "how-to/a.md"\n',
    'docs/index.md': `# Home\n\n${toctree('how-to/index', 'more')}`,
    'docs/how-to/index.md': `# How to\n\n${toctree('a', 'b')}`,
    'docs/how-to/a.md': page('A'),
    'docs/how-to/b.md': page('B'),
    'docs/more.md': `# More\n\n${toctree('how-to/b')}`,
  })
  await call('write_file', { path: 'docs/how-to/c.md', content: page('C') })
  await call('add_to_navigation', { path: 'docs/how-to/c.md' })
  expect(await text('docs/how-to/index.md')).toContain('a\nb\nc\n')
  expect(await text('docs/more.md')).not.toContain('how-to/c')
  expect(await call('move_page', { from: 'docs/how-to/a.md', to: 'docs/how-to/first.md' })).toMatchObject({
    redirect: true,
  })
  expect(await text('docs/redirects.txt')).toBe(
    '"old.md" "how-to/first.md"\n"how-to/a.md" "how-to/first.md"\n',
  )
})

it('knows redirects that a configuration of MkDocs inherits, and writes them as their neighbours', async () => {
  const { call, text } = await openTree({
    'mkdocs.yml': 'INHERIT: base.yml\nsite_name: X\nplugins:\n  search: {}\n',
    'base.yml': 'plugins:\n  redirects:\n    redirect_maps:\n      "old.md": "a.md"\n',
    'docs/index.md': page('Home'),
    'docs/a.md': page('A'),
  })
  expect(await call('move_page', { from: 'docs/a.md', to: 'docs/b.md' })).toMatchObject({ redirect: true })
  expect(await text('base.yml')).toContain('      "old.md": "b.md"\n      "a.md": "b.md"\n')
  expect(await call('check', { onlyNew: true })).toMatchObject({ problems: [] })
})

it('moves the translations of a page with it, and names those of one that is deleted', async () => {
  const { call, workspace } = await openTree({
    'mkdocs.yml':
      'site_name: X\nplugins:\n  - i18n:\n      languages:\n        - locale: en\n          default: true\n        - locale: fr\n',
    'docs/index.md': page('Home'),
    'docs/a.md': page('A'),
    'docs/a.fr.md': page('A, en français'),
    'docs/b.md': page('B'),
    'docs/b.fr.md': page('B, en français'),
  })
  expect(await call('move_page', { from: 'docs/a.md', to: 'docs/guides/first.md' })).toMatchObject({
    to: 'docs/guides/first.md',
    moved: [{ from: 'docs/a.fr.md', to: 'docs/guides/first.fr.md' }],
  })
  expect(workspace.has('docs/guides/first.fr.md')).toBe(true)
  expect(await call('delete_page', { path: 'docs/b.md' })).toMatchObject({
    translationsLeft: ['docs/b.fr.md'],
  })
})

it('says when a page that was in the navigation is no longer is', async () => {
  const { call } = await openTree({
    'mkdocs.yml': 'site_name: X\nnav:\n  - index.md\n  - a.md\n',
    'docs/index.md': page('Home'),
    'docs/a.md': page('A'),
  })
  await call('edit_file', { path: 'mkdocs.yml', edits: [{ search: '  - a.md\n', replace: '' }] })
  expect(await call('check', { onlyNew: true })).toMatchObject({
    problems: [{ check: 'navigation', path: 'docs/a.md', message: expect.stringContaining('no longer is') }],
  })
})

it('takes a bare file name for the only file of that name', async () => {
  const { call } = await openTree({ 'docs/deep/down/only.md': page('O'), 'a/x.md': 'x', 'b/x.md': 'x' })
  expect(await call('read_file', { path: 'only.md' })).toMatchObject({ path: 'docs/deep/down/only.md' })
  expect(await call('read_file', { url: 'x.md' })).toMatchObject({ error: { code: 'ambiguous' } })
})
