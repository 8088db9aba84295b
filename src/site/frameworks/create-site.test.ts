import { describe, expect, it } from 'vitest'
import { listSites } from './list-sites.ts'
import { emptyFiles, type Files, siteOf } from '../../../tests/worlds/site.ts'

async function urls(files: Files, root = '') {
  const site = await siteOf(files, root)
  return Object.fromEntries(site.pages.map((path) => [path, site.pageFor(path)?.url]))
}

describe('plain Markdown', () => {
  it('makes a folder page of _index too, as a site of Hugo without its configuration has', async () => {
    const files = emptyFiles('docs/_index.md', 'docs/setup/_index.md', 'docs/setup/_draft.md', 'docs/a.md')
    expect(await urls(files, 'docs/')).toEqual({
      'docs/_index.md': '/',
      'docs/setup/_index.md': '/setup/',
      'docs/a.md': '/a',
    })
  })

  it('makes a folder page of README and index, and leaves out other files', async () => {
    const files = emptyFiles(
      'docs/README.md',
      'docs/a.md',
      'docs/b/index.mdx',
      'docs/_part.md',
      'docs/.hidden/x.md',
      'docs/LICENSE.md',
      'CHANGELOG.md',
      'docs/includes/i.md',
    )
    expect(await urls(files, 'docs/')).toEqual({
      'docs/README.md': '/',
      'docs/a.md': '/a',
      'docs/b/index.mdx': '/b/',
    })
  })

  it('gives every page an address of its own', async () => {
    const site = await siteOf(emptyFiles('README.md', 'index.md', 'a.md', 'a.mdx'))
    expect(site.collisions.map(({ paths }) => paths)).toEqual([
      ['index.md', 'README.md'],
      ['a.md', 'a.mdx'],
    ])
    expect(new Set(site.pages.map((path) => site.pageFor(path)?.url))).toEqual(
      new Set(['/', '/README.md', '/a', '/a.mdx']),
    )
  })

  it('knows the languages of folders that mirror each other', async () => {
    const site = await siteOf(emptyFiles('guide/a.md', 'fr/guide/a.md', 'go/intro.md'))
    expect(site.pages.map((path) => site.pageFor(path)?.language)).toEqual(['fr', 'en', 'en'])
  })
})

describe('detection', () => {
  it('takes the nearest configuration to the root that was named', async () => {
    const files = {
      'mkdocs.yml': '',
      'docs/a.md': '',
      'website/docusaurus.config.js': '',
      'website/docs/b.md': '',
      'examples/docs.json': '{"navigation": []}',
    }
    expect((await siteOf(files, 'docs')).framework).toBe('mkdocs')
    expect((await siteOf(files, 'website')).framework).toBe('docusaurus')
    expect((await siteOf({ ...files, 'mkdocs.yml': 'docs_dir: other' }, 'docs')).framework).toBe('markdown')
    expect((await siteOf(emptyFiles('examples/mkdocs.yml', 'a.md'))).framework).toBe('markdown')
  })

  it('finds the configuration beside the root whose pages are there', async () => {
    const beside = {
      'website/docusaurus.config.js':
        "module.exports = { presets: [['classic', { docs: { path: '../docs', routeBasePath: '/' } }]] }",
      'docs/a.md': '',
      'docs/guide/b.md': '',
    }
    const site = await siteOf(beside, 'docs/')
    expect([site.framework, site.pages]).toEqual(['docusaurus', ['docs/a.md', 'docs/guide/b.md']])
    expect((await siteOf(beside, 'docs/guide')).pages).toEqual(['docs/guide/b.md'])
    const own = { ...beside, 'website/docusaurus.config.js': '', 'website/docs/c.md': '' }
    expect((await siteOf(own, 'docs')).framework).toBe('markdown')
  })

  it('lists the sites of a repository that has several', async () => {
    const files = {
      'docs-v1/mkdocs.yml': '',
      ...emptyFiles('docs-v1/docs/a.md', 'docs-v1/docs/b.md'),
      'docs-v2/mkdocs.yml': '',
      ...emptyFiles('docs-v2/docs/a.md', 'docs-v2/docs/b.md', 'docs-v2/docs/c.md'),
      // No site of several pages, and one that is an example.
      'tool/mkdocs.yml': '',
      ...emptyFiles('tool/docs/a.md', 'examples/mkdocs.yml', 'examples/docs/a.md', 'examples/docs/b.md'),
    }
    const sites = (only: Record<string, string>) => listSites(async (path) => only[path], Object.keys(only))
    expect(await sites(files)).toEqual([
      { folder: 'docs-v1/docs', pages: 2 },
      { folder: 'docs-v2/docs', pages: 3 },
    ])
    expect(await sites(emptyFiles('mkdocs.yml', 'docs/a.md', 'docs/b.md', '_config.yml'))).toEqual([])
  })
})

describe('links', () => {
  it('judges links that lead out of the repository', async () => {
    const site = await siteOf(emptyFiles('a.md', 'sub/b.md', 'img/x.png'))
    expect(site.resolveLink('a.md', 'https://a.test')).toEqual({ kind: 'external' })
    expect(site.resolveLink('a.md', 'mailto:a@b')).toEqual({ kind: 'external' })
    expect(site.resolveLink('a.md', '../../etc/passwd')).toMatchObject({ kind: 'broken' })
    expect(site.resolveLink('a.md', '#top')).toEqual({
      kind: 'page',
      path: 'a.md',
      anchor: 'top',
      redirected: false,
    })
    expect(site.resolveLink('a.md', 'img/x.png?raw=1')).toEqual({ kind: 'asset', path: 'img/x.png' })
    expect(site.resolveLink('a.md', 'sub/')).toEqual({ kind: 'asset', path: 'sub/' })
    expect(site.resolveLink('a.md', '%zz')).toMatchObject({ kind: 'broken' })
  })

  it('decodes escapes, entities and percent signs in destinations', async () => {
    const site = await siteOf(emptyFiles('a.md', 'b_c (d).md', 'e&f-g.md'))
    for (const href of [
      'b\\_c%20\\(d\\).md#x',
      'b_c (d).md#x',
      'b&#95;c&#x20;&lpar;d&rpar;.md#x',
      'b%5Fc%20%28d%29.md#x',
      'b_c (d).md\\#x',
    ])
      expect(site.resolveLink('a.md', href)).toMatchObject({ path: 'b_c (d).md', anchor: 'x' })
    expect(site.resolveLink('a.md', 'e&amp;f&#45;g.md')).toMatchObject({ path: 'e&f-g.md' })
    expect(site.resolveLink('a.md', 'e\\&amp;f-g.md')).toMatchObject({ kind: 'broken' })
  })

  it.each<[Files, string, string, string, string]>([
    [{}, 'a.md', 'sub/b_c.md', 'x\\_y.md', 'sub/b\\_c.md'],
    [{}, 'a.md', 'sub/b (c).md', 'x y.md#h', 'sub/b (c).md#h'],
    [{}, 'a.md', 'sub/b (c).md', 'x%20\\(y\\).md', 'sub/b%20\\(c\\).md'],
    [{}, 'a.md', 'sub/b&c.md', 'x&amp;y&#45;z.md#h', 'sub/b&amp;c.md#h'],
    [{ 'mkdocs.yml': '' }, 'docs/a/x.md', 'docs/b/y.md', 'z.md#h', '../b/y.md#h'],
    [{ 'mkdocs.yml': '' }, 'docs/a/x.md', 'docs/b/y.md', '../z/', '../../b/y/'],
    [{ 'mkdocs.yml': '' }, 'docs/a/x.md', 'docs/img/p.png', 'p.png', '../img/p.png'],
    [{ 'docs.json': '{"navigation": []}' }, 'a/x.mdx', 'b/y z.mdx', '/z?q#h', '/b/y%20z?q#h'],
    [{ 'docs.json': '{"navigation": []}' }, 'a/x.mdx', 'b/index.mdx', './z', '../b/'],
    [{ '.vitepress/config.js': '' }, 'a/x.md', 'a/y.md', './z', './y'],
    [{ '.vitepress/config.js': '' }, 'a/x.md', 'b/y.md', '/z', '/b/y'],
    [{ '.vitepress/config.js': '' }, 'a/x.md', 'b/y.md', '/z.html', '/b/y.html'],
    [{ 'docusaurus.config.js': '' }, 'docs/a/x.md', 'docs/b/01-y.md', '/docs/z', '/docs/b/y'],
    [{ 'docusaurus.config.js': '' }, 'docs/a/x.md', 'docs/b/01-y.md', './z.md', '../b/01-y.md'],
    [{ 'astro.config.mjs': '' }, 'src/content/docs/a/x.md', 'src/content/docs/b/y.md', '/z', '/b/y'],
    [{ 'astro.config.mjs': '' }, 'src/content/docs/a/x.md', 'src/content/docs/b/y.md', '../z/', '../../b/y/'],
    [{}, 'x.md', 'b/README.md', 'z.md', 'b/README.md'],
  ])('writes a link as the old one was written: %j', async (config, from, to, like, expected) => {
    const site = await siteOf({ ...config, ...emptyFiles(from, to) })
    expect(site.linkTo(from, to, like)).toBe(expected)
    expect(site.resolveLink(from, expected)).toMatchObject({ path: to })
  })
})

it.each([
  ['mkdocs', 'mkdocs.yml', 'theme:\n  language: de\n', 'docs/index.md', 'de'],
  ['mkdocs', 'mkdocs.yml', 'theme: material\n', 'docs/index.md', undefined],
  [
    'docusaurus',
    'docusaurus.config.js',
    'export default { i18n: { defaultLocale: "ja" } }',
    'docs/a.md',
    'ja',
  ],
  ['vitepress', '.vitepress/config.ts', 'export default { lang: "pt-BR" }', 'a.md', 'pt-BR'],
  ['vitepress', '.vitepress/config.ts', 'export default {}', 'a.md', undefined],
  [
    'starlight',
    'astro.config.mjs',
    'import starlight from "@astrojs/starlight"\nexport default { integrations: [starlight({ locales: { root: { label: "Deutsch", lang: "de" } } })] }',
    'src/content/docs/a.md',
    'de',
  ],
  ['sphinx', 'conf.py', 'extensions = ["myst_parser"]\nlanguage = "pt_BR"\n', 'index.md', 'pt-BR'],
  ['sphinx', 'conf.py', 'extensions = ["myst_parser"]\nlanguage = "\\"><b>"\n', 'index.md', undefined],
])(
  'knows the language that %s names, which is no label of a page: %s %s',
  async (framework, config, text, page, language) => {
    const site = await siteOf({ [config]: text, [page]: '# A\n' })
    expect([site.framework, site.language]).toEqual([framework, language])
    expect(site.pageFor(page)?.language).toBeUndefined()
  },
)
