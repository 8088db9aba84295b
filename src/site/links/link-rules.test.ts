import { describe, expect, it } from 'vitest'
import { emptyFiles, siteOf } from '../../../tests/worlds/site.ts'
import { createSite } from '../frameworks/create-site.ts'

describe('links as a generator takes them', () => {
  it('reads whole names of files in MkDocs, and none in HTML', async () => {
    const site = await siteOf({
      'mkdocs.yml': '',
      ...emptyFiles('docs/a.md', 'docs/g/b.md', 'docs/g/index.md'),
    })
    const kindOf = (href: string, isRaw = false) => site.resolveLink('docs/a.md', href, isRaw).kind
    expect(['g/b.md', 'g/b.md/#x', '../g/b/', 'g/index.md'].map((href) => kindOf(href))).toEqual(
      Array.from({ length: 4 }, () => 'page'),
    )
    for (const href of ['g/b', 'g/', '/g/b.md', 'g/README.md']) expect(kindOf(href), href).toBe('broken')
    expect(kindOf('g/b.md', true)).toBe('broken')
    expect(kindOf('../g/b/', true)).toBe('page')
  })

  it('needs the base path where authors write it', async () => {
    const site = await siteOf({
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default { base: '/kit', redirects: { '/old': '/kit/g/b/' }, integrations: [starlight({})] }",
      ...emptyFiles('src/content/docs/a.md', 'src/content/docs/g/b.md'),
    })
    const from = 'src/content/docs/a.md'
    expect(site.resolveLink(from, '/kit/g/b/').kind).toBe('page')
    expect(site.resolveLink(from, '/kit/old/')).toMatchObject({ kind: 'page', redirected: true })
    expect(site.resolveLink(from, '/g/b/')).toMatchObject({ kind: 'broken', near: 'src/content/docs/g/b.md' })
    expect(site.resolveLink(from, 'g/b.md').kind).toBe('broken')
    expect(site.linkTo(from, 'src/content/docs/g/b.md', '/g/x/')).toBe('/kit/g/b/')
  })

  it('has the base path added by VitePress, but for HTML', async () => {
    const site = await siteOf({
      '.vitepress/config.ts': "export default { base: '/kit/' }",
      ...emptyFiles('a.md', 'g/b.md', 'g/README.md'),
    })
    expect(site.resolveLink('a.md', '/g/b').kind).toBe('page')
    expect(site.resolveLink('a.md', '/kit/g/b').kind).toBe('broken')
    expect(site.resolveLink('a.md', '/kit/g/b.html', true).kind).toBe('page')
    expect(site.resolveLink('a.md', '/g/b.html', true).kind).toBe('broken')
    // A README is no page of its folder there.
    expect(site.resolveLink('a.md', 'g/').kind).toBe('broken')
  })

  it('finds pages of Hugo by names of folders with a slash, and pages in HTML', async () => {
    const site = await siteOf({
      'hugo.toml': '',
      'content/docs/yaml/_index.html': '',
      ...emptyFiles('content/docs/a/_index.md', 'content/docs/b/_index.md', 'content/docs/draft.md'),
    })
    const kindOf = (name: string) =>
      site.resolveLink('content/docs/a/_index.md', `{{< relref "${name}" >}}`).kind
    expect(['../b/#part', '/docs/yaml', '/docs/yaml/#x', '/docs/none/', '../yml'].map(kindOf)).toEqual([
      'page',
      'external',
      'external',
      'broken',
      'broken',
    ])
  })

  it('takes the page of its own language where Hugo has several, but for addresses that name one', async () => {
    const site = await siteOf({
      'hugo.yaml': 'languages: {en: {}, fr: {}, ja: {}}',
      ...emptyFiles(
        'content/g/a.md',
        'content/g/a.fr.md',
        'content/g/b.md',
        'content/g/b.fr.md',
        'content/g/b.ja.md',
      ),
    })
    const toB = (href: string, from = 'content/g/a.fr.md') => {
      const target = site.resolveLink(from, href)
      return target.kind === 'page' ? target.path : target.kind
    }
    const own = ['{{< ref "g/b.md#x" >}}', '{{% relRef "b" %}}', '/g/b/#x']
    expect(own.map((href) => toB(href))).toEqual(own.map(() => 'content/g/b.fr.md'))
    expect(own.map((href) => toB(href, 'content/g/a.md'))).toEqual(own.map(() => 'content/g/b.md'))
    expect(toB('{{< ref path="g/b.md" lang="en" >}}')).toBe('content/g/b.md')
    expect(toB('/ja/g/b/')).toBe('content/g/b.ja.md')
    const written = (like: string) => site.linkTo('content/g/a.fr.md', 'content/g/b.fr.md', like)
    expect(written('{{% relref "x" %}}')).toBe('{{% relref "/g/b" %}}')
    expect(written('{{< ref "./x.md" >}}')).toBe('{{< ref "./b.md" >}}')
  })

  it('calls links to what is not built dead, but for those of what is not built either', async () => {
    const files: Record<string, string> = {
      'docusaurus.config.js': 'export default { presets: [["classic", { docs: {} }]] }',
      ...emptyFiles('docs/a.md', 'docs/draft.md', 'docs/other.md'),
    }
    const draft = { data: { draft: true }, labels: [] }
    const site = await createSite(async (path) => files[path], {
      paths: Object.keys(files),
      root: '',
      names: new Map([
        ['docs/draft.md', draft],
        ['docs/other.md', draft],
      ]),
    })
    expect(site.resolveLink('docs/a.md', 'draft.md')).toMatchObject({ kind: 'broken', near: undefined })
    expect(site.resolveLink('docs/a.md', '/docs/draft').kind).toBe('broken')
    expect(site.resolveLink('docs/other.md', 'draft.md').kind).toBe('page')
  })

  it('has the former addresses of a translation below its language in Hugo', async () => {
    const files: Record<string, string> = {
      'hugo.yaml': 'languages: {en: {}, fr: {}}',
      ...emptyFiles('content/a.md', 'content/a.fr.md'),
    }
    const site = await createSite(async (path) => files[path], {
      paths: Object.keys(files),
      root: '',
      names: new Map([['content/a.fr.md', { data: { aliases: ['/old/'] }, labels: [] }]]),
    })
    expect(site.resolveLink('content/a.md', '/fr/old/')).toMatchObject({ path: 'content/a.fr.md' })
    expect(site.aliasOf({ path: 'content/a.fr.md', url: '/fr/b/' }, '')).toBe('/b/')
    expect(site.aliasOf({ path: 'content/a.md', url: '/b/' }, '')).toBe('/b/')
  })

  it('takes addresses beside the path of the site for those of another one', async () => {
    const site = await siteOf({
      'mkdocs.yml': 'site_url: https://a.test/kit/',
      ...emptyFiles('docs/a.md', 'docs/g/b.md'),
    })
    const kindOf = (href: string) => site.resolveLink('docs/a.md', href).kind
    expect(kindOf('https://a.test/kit/g/b/')).toBe('page')
    expect(kindOf('https://a.test/g/b/')).toBe('external')
    expect(kindOf('https://a.test/kit/g/none/')).toBe('broken')
  })

  it('finds nothing above the top of a site whose links are relative to files', async () => {
    const site = await siteOf({
      'docs/.vitepress/config.ts': 'export default {}',
      ...emptyFiles('docs/forms.md', 'docs/api/index.md', 'docs/guide/e/forms.md'),
    })
    expect(site.resolveLink('docs/guide/e/forms.md', '../../api/#x').kind).toBe('page')
    expect(site.resolveLink('docs/forms.md', '../../api/#x').kind).toBe('broken')
    expect(site.resolveLink('docs/forms.md', './api/').kind).toBe('page')
  })

  it('knows the pages that a build makes', async () => {
    const site = await siteOf({
      'docusaurus.config.js': 'export default { presets: [["classic", { docs: {} }]] }',
      'docs/g/_category_.json': '{"label": "More & more", "link": {"type": "generated-index"}}',
      ...emptyFiles('docs/a.md', 'docs/g/b.md', 'docs/_part.md', 'src/pages/about.md'),
    })
    const kindOf = (href: string) => site.resolveLink('docs/a.md', href).kind
    expect(['/docs/category/more--more', '/about', '/blog/x'].map(kindOf)).toEqual(
      Array.from({ length: 3 }, () => 'external'),
    )
    expect(['/docs/category/other', '/none', '_part.md'].map(kindOf)).toEqual(
      Array.from({ length: 3 }, () => 'broken'),
    )
  })

  it('follows absolute addresses of the site itself', async () => {
    const site = await siteOf({
      'mkdocs.yml': 'site_url: https://x.test/kit/',
      ...emptyFiles('docs/a.md', 'docs/g/b.md'),
    })
    const kindOf = (href: string) => site.resolveLink('docs/a.md', href).kind
    expect(kindOf('https://x.test/kit/g/b/')).toBe('page')
    expect(kindOf('https://x.test/kit/g/c/')).toBe('broken')
    // Something else may be there.
    expect(kindOf('https://x.test/kit/shop/')).toBe('external')
    expect(kindOf('https://y.test/kit/g/c/')).toBe('external')
    expect(site.linkTo('docs/a.md', 'docs/g/b.md', 'https://x.test/kit/g/c/#x')).toBe(
      'https://x.test/kit/g/b/#x',
    )
  })

  it('looks for nothing that git ignores, in any folder', async () => {
    const site = await siteOf({
      'mkdocs.yml': '',
      '.gitignore': 'docs/made/\n',
      'docs/api/.gitignore': '*\n!.gitignore\n',
      ...emptyFiles('docs/a.md', 'docs/api/b.md'),
    })
    const kindOf = (href: string) => site.resolveLink('docs/a.md', href).kind
    expect(['made/x.md', '../made/x/', 'api/x.md', '/api/x/'].map(kindOf)).toEqual(
      Array.from({ length: 4 }, () => 'external'),
    )
    expect(kindOf('other/x.md')).toBe('broken')
  })

  it('opens folders of Mintlify that have pages', async () => {
    const site = await siteOf({
      'docs.json': '{"navigation": {"pages": ["g/b"]}}',
      ...emptyFiles('a.mdx', 'g/b.mdx'),
    })
    expect(site.resolveLink('a.mdx', '/g').kind).toBe('asset')
    expect(site.resolveLink('a.mdx', '/h').kind).toBe('broken')
  })
})
