import { describe, expect, it } from 'vitest'
import { emptyFiles, type Files } from '../../../tests/worlds/site.ts'
import { createSite } from './create-site.ts'

type Data = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const siteOf = (files: Files, data: Data = {}) =>
  createSite(async (path) => files[path], {
    paths: Object.keys(files),
    root: '',
    names: new Map(Object.entries(data).map(([path, own]) => [path, { data: own, labels: [] }])),
  })

/** The addresses of the pages in the navigation, in its order. */
async function order(files: Files, data: Data = {}): Promise<string[]> {
  const site = await siteOf(files, data)
  return site.pages.flatMap((path) => {
    const page = site.pageFor(path)
    return page?.inNavigation === true && !page.hidden ? [page.url] : []
  })
}

describe('Hugo', () => {
  const files = {
    'hugo.toml': '',
    ...emptyFiles(
      'content/docs/_index.md',
      'content/docs/a.md',
      'content/docs/b.md',
      'content/docs/c.md',
      'content/docs/leaf/index.md',
      'content/docs/plain/d.md',
    ),
  }

  it('lists pages by weight, then the newest, then by title, and a bundle as one of them', async () => {
    expect(
      await order(files, {
        'content/docs/a.md': { title: 'Zebra', date: '2020-01-01' },
        'content/docs/b.md': { title: 'Alpha' },
        'content/docs/c.md': { title: 'Beta', weight: 2 },
        'content/docs/leaf/index.md': { title: 'Leaf', weight: 1 },
        'content/docs/plain/d.md': { title: 'Able' },
      }),
    ).toEqual(['/docs/', '/docs/leaf/', '/docs/c/', '/docs/a/', '/docs/plain/d/', '/docs/b/'])
  })

  it('follows the main menu where no weight says what comes first', async () => {
    const menu = `
menu:
  main:
    - {identifier: more, name: More, weight: 3}
    - {name: Guide, pageRef: /guide, weight: 1}
    - {name: About, pageRef: /about, parent: more}
    - {name: News, url: /blog/, weight: 2}
`
    const site = emptyFiles(
      'content/about.md',
      'content/blog/_index.md',
      'content/blog/one.md',
      'content/extra/_index.md',
      'content/guide/_index.md',
      'content/guide/a.md',
    )
    const listed = ['/guide/', '/guide/a/', '/blog/', '/blog/one/', '/about/', '/extra/']
    expect(await order({ 'hugo.yaml': menu, ...site })).toEqual(listed)
    const apart = {
      'config/_default/hugo.yaml': 'title: X',
      'config/_default/menu.yaml': menu.slice(7),
      ...site,
    }
    expect(await order(apart)).toEqual(listed)
    const own = { 'content/extra/_index.md': { menu: { main: { weight: -1 } } } }
    expect((await order({ 'hugo.yaml': menu, ...site }, own))[0]).toBe('/extra/')
    const leftOut = await order({ 'hugo.yaml': menu, ...site }, { 'content/guide/a.md': { toc_hide: true } })
    expect(leftOut).not.toContain('/guide/a/')
  })

  it('lists the pages of each language by its own order of words', async () => {
    const files = {
      'hugo.yaml': 'languages: {en: {}, zh-cn: {}}',
      ...emptyFiles('content/docs/a.zh-cn.md', 'content/docs/b.zh-cn.md', 'content/docs/c.zh-cn.md'),
      ...emptyFiles('content/docs/a.md', 'content/docs/b.md', 'content/docs/c.md'),
    }
    const data = {
      'content/docs/a.md': { title: 'Zebra' },
      'content/docs/b.md': { title: 'Alpha' },
      'content/docs/c.md': { title: 'Middle' },
      'content/docs/a.zh-cn.md': { title: '配置' },
      'content/docs/b.zh-cn.md': { title: '标签' },
      'content/docs/c.zh-cn.md': { title: 'Markdown' },
    }
    const listed = await order(files, data)
    expect(listed[0]).toBe('/docs/b/')
    expect(listed.filter((url) => !url.startsWith('/zh-cn'))).toEqual(['/docs/b/', '/docs/c/', '/docs/a/'])
    expect(listed.filter((url) => url.startsWith('/zh-cn'))).toEqual([
      '/zh-cn/docs/c/',
      '/zh-cn/docs/b/',
      '/zh-cn/docs/a/',
    ])
  })

  it('hides what a build leaves out', async () => {
    const site = await siteOf(files)
    const isHidden = (data: Record<string, unknown>) => site.pageFor('content/docs/a.md', data)?.hidden
    expect(isHidden({ publishDate: '2999-01-01' })).toBe(true)
    expect(isHidden({ expiryDate: '2001-01-01' })).toBe(true)
    expect(isHidden({ build: { render: 'never' } })).toBe(true)
    expect(isHidden({ date: '2001-01-01' })).toBe(false)
    expect(site.pageFor('content/docs/a.md', { build: { list: 'never' } })?.inNavigation).toBe(false)
  })

  it('knows translations with other addresses as copies', async () => {
    const site = await siteOf(
      {
        'hugo.toml': '[languages.en]\n[languages.fr]\n',
        ...emptyFiles('content/a.md', 'content/a.fr.md', 'content/b.md'),
      },
      { 'content/a.fr.md': { slug: 'autre' } },
    )
    expect(site.copiesOf('content/a.md')).toEqual(['content/a.fr.md'])
    expect(site.copiesOf('content/b.md')).toEqual([])
  })
})

describe('Jekyll', () => {
  it('makes the tree of just-the-docs of front matter', async () => {
    const files = {
      '_config.yml': 'theme: just-the-docs\n',
      ...emptyFiles('a.md', 'b.md', 'c.md', 'd.md', 'e.md'),
    }
    const data = {
      'a.md': { title: 'Late', nav_order: 2 },
      'b.md': { title: 'Child', parent: 'Early' },
      'c.md': { title: 'Early', nav_order: 1 },
      'd.md': { title: 'Unnumbered' },
      'e.md': { title: 'Out', nav_exclude: true },
    }
    expect(await order(files, data)).toEqual(['/c.html', '/b.html', '/a.html', '/d.html'])
    const site = await siteOf(files, data)
    expect(site.placeOf('b.md')).toEqual({ label: 'Child', groups: ['Early'] })
  })

  it('takes the date of a post from its front matter', async () => {
    const site = await siteOf({ '_config.yml': '', ...emptyFiles('_posts/2024-01-02-x.md') })
    expect(site.pageFor('_posts/2024-01-02-x.md', { date: '2025-06-07' })?.url).toBe('/2025/06/07/x.html')
  })
})

describe('MkDocs', () => {
  it('follows the files of awesome-nav: nested paths, patterns and how they sort', async () => {
    expect(
      await order({
        'mkdocs.yml': 'plugins: [awesome-nav]\n',
        'docs/.nav.yml': 'nav:\n  - index.md\n  - Deep: guide/deep.md\n  - guide\n  - "*"\n',
        'docs/guide/.nav.yml': 'sort:\n  direction: desc\n',
        ...emptyFiles(
          'docs/index.md',
          'docs/z.md',
          'docs/guide/deep.md',
          'docs/guide/p2.md',
          'docs/guide/p10.md',
        ),
      }),
    ).toEqual(['/', '/guide/deep/', '/guide/p10/', '/guide/p2/', '/z/'])
  })

  it('is Zensical too, whose configuration may be TOML', async () => {
    expect(
      await order({
        'zensical.toml':
          '[project]\ndocs_dir = "pages"\nnav = ["index.md", { "Guide" = ["b.md", "a.md"] }]\n',
        ...emptyFiles('pages/index.md', 'pages/a.md', 'pages/b.md', 'pages/left-out.md'),
      }),
    ).toEqual(['/', '/b/', '/a/'])
  })

  it('has no page that the page of a folder takes the place of', async () => {
    const site = await siteOf({ 'mkdocs.yml': '', ...emptyFiles('docs/x.md', 'docs/x/README.md') })
    expect(site.pages).toEqual(['docs/x/README.md'])
    expect(site.pageFor('docs/x.md')).toBeUndefined()
  })
})

describe('Nuxt Content', () => {
  it('is found by Docus alone, and takes an address from front matter', async () => {
    const files = {
      'nuxt.config.ts': "export default defineNuxtConfig({ extends: ['docus'] })",
      ...emptyFiles('content/index.md', 'content/10.b.md', 'content/2.a.md', 'content/3.c.draft.md'),
    }
    expect(await order(files, { 'content/2.a.md': { path: '/own/place' } })).toEqual([
      '/b',
      '/own/place',
      '/c',
      '/',
    ])
    expect((await siteOf({ ...files, 'nuxt.config.ts': 'export default {}' })).framework).toBe('markdown')
  })
})

describe('Starlight', () => {
  it('ends addresses as Astro is told to', async () => {
    const urls = async (options: string) => {
      const site = await siteOf({
        'astro.config.mjs': `export default { ${options} }`,
        ...emptyFiles('src/content/docs/index.md', 'src/content/docs/a/b.md'),
      })
      return site.pages.map((path) => site.pageFor(path)?.url)
    }
    expect(await urls("trailingSlash: 'never'")).toEqual(['/', '/a/b'])
    expect(await urls("build: { format: 'file' }")).toEqual(['/index.html', '/a/b.html'])
    expect(await urls('')).toEqual(['/', '/a/b/'])
  })
})

describe('VitePress', () => {
  it('leaves out what srcExclude names', async () => {
    const files = {
      '.vitepress/config.ts': "export default { srcExclude: ['**/TODO.md', 'parts/**'] }",
      ...emptyFiles('index.md', 'a/TODO.md', 'parts/p.md'),
    }
    expect((await siteOf(files)).pages).toEqual(['index.md'])
  })
})

describe('Sphinx', () => {
  it('puts what a pattern finds where it stands, and follows pages in reStructuredText', async () => {
    const files = {
      'conf.py': "extensions = ['myst_parser']\n",
      'index.md': '```{toctree}\n:glob:\n\nz\napi/*\nmore\n```\n',
      'more.rst': 'More\n====\n\n.. toctree::\n   :maxdepth: 1\n\n   last\n   Named <first>\n',
      ...emptyFiles('z.md', 'api/b.md', 'api/a.md', 'first.md', 'last.md', 'lost.md'),
    }
    expect(await order(files)).toEqual([
      '/index.html',
      '/z.html',
      '/api/a.html',
      '/api/b.html',
      '/more.html',
      '/last.html',
      '/first.html',
    ])
    expect((await siteOf(files)).unread).toEqual([])
  })
})
