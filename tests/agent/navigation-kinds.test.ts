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

it('keeps the entries of toctrees in reStructuredText, and names documents as they were named', async () => {
  const { call, text } = await openTree({
    'docs/conf.py': "extensions = ['myst_parser']\n",
    'docs/index.rst':
      'Home\n====\n\n.. toctree::\n   :maxdepth: 2\n   :caption: Guides\n\n   how/a\n   Other <how/b>\n\nText\n\n.. toctree::\n   :caption: More\n',
    'docs/how/a.md': page('A'),
    'docs/how/b.md': '# B\n\n[A](/how/a) [it](a.md)\n',
    'docs/c.md': page('C'),
  })
  await call('move_page', { from: 'docs/how/a.md', to: 'docs/start/first.md' })
  await call('move_page', { from: 'docs/how/b.md', to: 'docs/how/last.md' })
  expect(await text('docs/index.rst')).toContain('\n   start/first\n   Other <how/last>\n\nText\n')
  expect(await text('docs/how/last.md')).toBe('# B\n\n[A](/start/first) [it](../start/first.md)\n')
  await call('add_to_navigation', { path: 'docs/c.md', group: 'More' })
  expect(await text('docs/index.rst')).toContain('.. toctree::\n   :caption: More\n\n   c\n')
  await call('delete_page', { path: 'docs/how/last.md' })
  expect(await text('docs/index.rst')).toContain('\n   start/first\n\nText\n')
})

it('places a page again that leaves the pattern of a toctree', async () => {
  const { call, text } = await openTree({
    'docs/conf.py': "extensions = ['myst_parser']\n",
    'docs/index.md': '# Home\n\n```{toctree}\nhow/index\nreference/index\n```\n',
    'docs/how/index.md': '# How\n\n```{toctree}\na\n```\n',
    'docs/how/a.md': page('A'),
    'docs/reference/index.md': '# Reference\n\n```{toctree}\n:glob:\n\n*\n```\n',
    'docs/reference/b.md': page('B'),
    'docs/reference/c.md': page('C'),
  })
  await call('move_page', { from: 'docs/reference/b.md', to: 'docs/how/b.md' })
  expect(await text('docs/how/index.md')).toContain('a\nb\n')
  expect(await call('list_pages', { query: 'how/b' })).toMatchObject({ pages: [{ inNavigation: true }] })
})

it('knows a site of MkDocs by files that are given to it by name', async () => {
  const { call, text } = await openTree({
    'mkdocs-common.yml': 'site_name: X\nplugins:\n  search: {}\n  redirects:\n    redirect_maps: {}\n',
    'mkdocs-nav.yml': 'INHERIT: mkdocs-common.yml\nnav:\n  - index.md\n  - a.md\n',
    'mkdocs-offline.yml': 'INHERIT: mkdocs-nav.yml\n',
    'mkdocs-online.yml': 'INHERIT: mkdocs-nav.yml\nsite_url: https://x.test/\n',
    'docs/index.md': page('Home'),
    'docs/a.md': page('A'),
  })
  expect(await call('move_page', { from: 'docs/a.md', to: 'docs/b.md' })).toMatchObject({ redirect: true })
  expect(await text('mkdocs-nav.yml')).toContain('  - index.md\n  - b.md\n')
  expect(await text('mkdocs-common.yml')).toContain('a.md')
  expect(await call('check', { onlyNew: true })).toMatchObject({ problems: [] })
})

it('takes an entry of Docusaurus away that cannot name the page, and says nothing of an id that stayed', async () => {
  const { call, text } = await openTree({
    'docusaurus.config.js':
      "module.exports = { presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]], plugins: [['@docusaurus/plugin-content-docs', { id: 'dev', path: 'dev', routeBasePath: 'dev', sidebarPath: './dev.js' }]] }\n",
    'sidebars.js': "module.exports = { docs: ['one', 'two', 'three'] }\n",
    'dev.js': "module.exports = { dev: ['api'] }\n",
    'docs/1.md': '---\nid: one\n---\n# One\n\n[Two](two.md)\n',
    'docs/two.md': page('Two'),
    'docs/three.md': page('Three'),
    'dev/api.md': page('API'),
  })
  const renamed = await call('move_page', { from: 'docs/1.md', to: 'docs/first.md' })
  expect(renamed).toMatchObject({ sameAddress: true })
  expect(renamed).not.toHaveProperty('notUpdated')
  await call('move_page', { from: 'docs/two.md', to: 'dev/two.md' })
  expect(await text('sidebars.js')).toContain("['one', 'three']")
  expect(await text('dev.js')).toContain("['api', 'two']")
  expect(await text('docs/first.md')).toContain('[Two](/dev/two)')
})

it('names the copies of a moved page that stay', async () => {
  const site = {
    'docusaurus.config.js':
      "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'fr'] }, presets: [['classic', { docs: {} }]] }\n",
    'versions.json': '["1.0"]\n',
    'docs/a.md': page('A'),
    'docs/b.md': page('B'),
    'versioned_docs/version-1.0/a.md': page('A'),
    'versioned_docs/version-1.0/b.md': page('B'),
    'i18n/fr/docusaurus-plugin-content-docs/current/b.md': page('B'),
  }
  const { call } = await openTree(site)
  expect(await call('move_page', { from: 'docs/a.md', to: 'docs/x/a.md' })).toMatchObject({
    otherVersions: ['versioned_docs/version-1.0/a.md'],
  })
  const translation = 'i18n/fr/docusaurus-plugin-content-docs/current/b.md'
  expect(
    await call('move_page', { from: translation, to: translation.replace('b.md', 'x/b.md') }),
  ).toMatchObject({ error: { code: 'translation' } })
})
