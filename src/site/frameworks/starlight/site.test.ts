import { describe, expect, it } from 'vitest'
import { emptyFiles, siteOf } from '../../../../tests/worlds/site.ts'

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
    for (const slug of ['../../sign-in', 'a/../../b', './x', '..'])
      expect(site.pageFor('src/content/docs/x.md', { slug })?.url).toBe('/x.md')
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

  it('takes order, labels, membership and redirects from its configuration', async () => {
    const site = await siteOf({
      'astro.config.mjs': `
        import starlight from '@astrojs/starlight'
        import former from './redirects.js'
        const sidebar = [{ label: 'G', items: ['z', { slug: 'b', label: 'Bee' }, { autogenerate: { directory: 'made' } }] }]
        export default defineConfig({ redirects: { ...former, '/old': '/en/z/' }, integrations: [starlight({ sidebar, defaultLocale: 'en', locales: { en: {}, fr: {} } })] })`,
      'redirects.js': "export default { '/older': '/en/b/' }",
      ...emptyFiles(
        ...['en/a', 'en/b', 'en/z', 'en/made/x', 'fr/a', 'fr/b'].map((name) => `src/content/docs/${name}.md`),
      ),
    })
    const place = (name: string) => {
      const page = site.pageFor(`src/content/docs/${name}.md`)
      return page && [page.navTitle, page.inNavigation]
    }
    expect(place('en/a')).toEqual([undefined, false])
    expect(place('fr/a')).toEqual([undefined, false])
    expect(place('fr/b')).toEqual(['Bee', true])
    expect(place('en/made/new')).toEqual([undefined, true])
    expect(site.pages.slice(0, 2)).toEqual(['src/content/docs/en/z.md', 'src/content/docs/en/b.md'])
    expect(site.resolveLink('src/content/docs/en/a.md', '/old')).toMatchObject({
      path: 'src/content/docs/en/z.md',
    })
    expect(site.resolveLink('src/content/docs/en/a.md', '/older')).toMatchObject({
      path: 'src/content/docs/en/b.md',
    })
  })
})
