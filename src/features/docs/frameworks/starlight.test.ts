import { describe, expect, it } from 'vitest'
import { emptyFiles, siteOf } from './site.fixture.ts'

describe('Starlight', () => {
  const files = {
    'astro.config.mjs':
      "export default defineConfig({ integrations: [starlight({ locales: { root: { lang: 'en' }, fr: { lang: 'fr' } } })] })",
    ...emptyFiles(
      'src/content/docs/index.mdx',
      'src/content/docs/Guides/My Page.md',
      'src/content/docs/fr/index.mdx',
      'src/pages/[lang]/play.astro',
    ),
  }

  it('makes addresses and languages of folders and front matter', async () => {
    const site = await siteOf(files)
    expect(site.pageFor('src/content/docs/Guides/My Page.md')).toMatchObject({
      url: '/guides/my-page/',
      language: 'en',
    })
    expect(site.pageFor('src/content/docs/fr/index.mdx')).toMatchObject({ url: '/fr/', language: 'fr' })
    expect(site.pageFor('src/content/docs/x.md', { slug: 'other/place' })?.url).toBe('/other/place/')
  })

  it('resolves by address, and what is not translated to its original', async () => {
    const site = await siteOf(files)
    expect(site.resolveLink('src/content/docs/index.mdx', '../guides/my-page/')).toMatchObject({
      kind: 'page',
    })
    expect(site.resolveLink('src/content/docs/index.mdx', '/fr/guides/my-page/')).toMatchObject({
      path: 'src/content/docs/Guides/My Page.md',
    })
    expect(site.resolveLink('src/content/docs/index.mdx', '/en/play/')).toEqual({ kind: 'external' })
    expect(site.resolveLink('src/content/docs/index.mdx', '/nowhere/')).toMatchObject({ kind: 'broken' })
  })
})
