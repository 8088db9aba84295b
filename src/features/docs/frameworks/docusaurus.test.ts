import { describe, expect, it } from 'vitest'
import { emptyFiles, siteOf } from './site.fixture.ts'

describe('Docusaurus', () => {
  const files = {
    'site/docusaurus.config.ts':
      "export default { i18n: { defaultLocale: 'en' }, presets: [['classic', { docs: { routeBasePath: 'learn' /* x */ }, blog: { path: 'blog' } }]] }",
    'site/versions.json': '["2.0", "1.0"]',
    ...emptyFiles(
      'site/docs/01-intro.md',
      'site/docs/02-guides/index.md',
      'site/docs/02-guides/2024-01-notes.md',
      'site/docs/02-guides/_part.mdx',
      'site/versioned_docs/version-2.0/01-intro.md',
      'site/versioned_docs/version-1.0/01-intro.md',
      'site/versioned_docs/version-0.9/01-intro.md',
      'site/i18n/fr/docusaurus-plugin-content-docs/current/01-intro.md',
      'site/static/img/a.png',
    ),
  }

  it('makes addresses of folders, numbers, versions, languages and front matter', async () => {
    const site = await siteOf(files)
    const place = (path: string, data = {}) => {
      const page = site.pageFor(`site/${path}`, data)
      return page && [page.url, page.language, page.version]
    }
    expect(place('docs/01-intro.md')).toEqual(['/learn/next/intro', 'en', 'next'])
    expect(place('docs/02-guides/index.md')).toEqual(['/learn/next/guides/', 'en', 'next'])
    expect(place('docs/02-guides/2024-01-notes.md')).toEqual([
      '/learn/next/guides/2024-01-notes',
      'en',
      'next',
    ])
    expect(place('docs/01-intro.md', { slug: '/' })).toEqual(['/learn/next', 'en', 'next'])
    expect(place('docs/02-guides/x.md', { slug: '../y' })).toEqual(['/learn/next/y', 'en', 'next'])
    expect(place('docs/02-guides/x.md', { id: 'z' })).toEqual(['/learn/next/guides/z', 'en', 'next'])
    expect(place('versioned_docs/version-2.0/01-intro.md')).toEqual(['/learn/intro', 'en', '2.0'])
    expect(place('versioned_docs/version-1.0/01-intro.md')).toEqual(['/learn/1.0/intro', 'en', '1.0'])
    expect(place('versioned_docs/version-0.9/01-intro.md')).toBeUndefined()
    expect(place('i18n/fr/docusaurus-plugin-content-docs/current/01-intro.md')).toEqual([
      '/fr/learn/next/intro',
      'fr',
      'next',
    ])
    expect(place('docs/02-guides/_part.mdx')).toBeUndefined()
  })

  it('resolves links to files, addresses and originals of what is not translated', async () => {
    const site = await siteOf(files)
    const from = 'site/docs/02-guides/index.md'
    expect(site.resolveLink(from, '../01-intro.md')).toMatchObject({ path: 'site/docs/01-intro.md' })
    expect(site.resolveLink(from, '/01-intro.md')).toMatchObject({ path: 'site/docs/01-intro.md' })
    expect(site.resolveLink(from, '/learn/intro')).toMatchObject({
      path: 'site/versioned_docs/version-2.0/01-intro.md',
    })
    expect(site.resolveLink(from, '/img/a.png')).toEqual({ kind: 'asset', path: 'site/static/img/a.png' })
    expect(site.resolveLink(from, '/blog/post')).toEqual({ kind: 'external' })
    expect(
      site.resolveLink(
        'site/i18n/fr/docusaurus-plugin-content-docs/current/01-intro.md',
        './02-guides/index.md',
      ),
    ).toMatchObject({ path: from })
  })
})
