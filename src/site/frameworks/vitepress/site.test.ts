import { describe, expect, it } from 'vitest'
import { parsePage } from '../../pages/parse-page.ts'
import { emptyFiles, type Files, siteOf } from '../../../../tests/worlds/site.ts'

async function urls(files: Files, root = '') {
  const site = await siteOf(files, root)
  return Object.fromEntries(site.pages.map((path) => [path, site.pageFor(path)?.url]))
}

describe('VitePress', () => {
  const files = (config: string) => ({
    'docs/.vitepress/config.ts': config,
    ...emptyFiles(
      'docs/index.md',
      'docs/guide/index.md',
      'docs/guide/a.md',
      'docs/[id].md',
      'docs/public/x.png',
    ),
  })

  it('leaves links to pages of a dynamic route alone', async () => {
    const site = await siteOf({
      ...files('export default {}'),
      'docs/pkg/[name].md': '# {{ $params.name }}\n',
    })
    const kinds = ['/pkg/foo', '/pkg/foo.html', '/pkg/foo/bar', '/other/foo'].map(
      (href) => site.resolveLink('docs/guide/a.md', href).kind,
    )
    expect(kinds).toEqual(['external', 'external', 'broken', 'broken'])
  })

  it('reads how the configuration makes ids', async () => {
    const heading = '## Why use it?\n\n## 枚举 %{#enumerations}%\n\n## Kept {#id}\n'
    const idsWith = async (config: Files) => {
      const site = await siteOf({ ...files('export default {}'), ...config, 'docs/guide/a.md': heading })
      return parsePage(site, 'docs/guide/a.md', heading)?.sections.map(({ anchor }) => anchor)
    }
    const steps = "str.normalize('NFKD').replace(rCombining, '').replace(rSpecial, '-')"
    const shared = (text: string) => ({ 'docs/.vitepress/config/shared.ts': text })
    expect(await idsWith({})).toEqual(['why-use-it', '枚举-enumerations', 'id'])
    expect(await idsWith(shared(`export const slugify = (str) => ${steps}\n`))).toMatchObject({
      0: 'Why-use-it-',
    })
    expect(
      await idsWith(
        shared(`function slugify(str) {\n  return ${steps}.replace(/^-+|-+$/g, '').toLowerCase()\n}\n`),
      ),
    ).toMatchObject({ 0: 'why-use-it' })
    expect(
      await idsWith(
        shared("export default { markdown: { attrs: { leftDelimiter: '%{', rightDelimiter: '}%' } } }"),
      ),
    ).toEqual(['why-use-it', 'enumerations', 'kept-id'])
  })

  it('uses clean addresses only when the configuration says that they are on', async () => {
    expect(await urls(files('export default { cleanUrls: true }'))).toEqual({
      'docs/index.md': '/',
      'docs/guide/index.md': '/guide/',
      'docs/guide/a.md': '/guide/a',
    })
    expect((await urls(files('// cleanUrls: true\nexport default {}')))['docs/guide/a.md']).toBe(
      '/guide/a.html',
    )
  })

  it('resolves links with and without extension', async () => {
    const site = await siteOf(files('export default { base: "/base/" }'))
    for (const href of ['./a', 'a.md', '/guide/a', '/guide/a.html']) {
      expect(site.resolveLink('docs/guide/index.md', href)).toMatchObject({ path: 'docs/guide/a.md' })
    }
    // VitePress would write the base path before it once more.
    expect(site.resolveLink('docs/guide/index.md', '/base/guide/a').kind).toBe('broken')
    expect(site.resolveLink('docs/guide/a.md', '../')).toMatchObject({ path: 'docs/index.md' })
    expect(site.resolveLink('docs/guide/a.md', '/x.png')).toMatchObject({ kind: 'asset' })
  })

  it('serves files where its rewrites say, and names them so in its sidebars', async () => {
    const site = await siteOf({
      '.vitepress/config/index.ts':
        "import { en } from './en'\nexport default { rewrites: { 'en/:rest*': ':rest*', 'pkg/:name/docs/:page.md': ':name/:page.md' }, cleanUrls: true, locales: { root: { ...en } } }",
      '.vitepress/config/en.ts':
        "export const en = { themeConfig: { sidebar: { '/': [{ text: 'B', link: 'guide/b' }, { text: 'P', link: '/p/use' }] } } }",
      ...emptyFiles('en/guide/a.md', 'en/guide/b.md', 'pkg/p/docs/use.md', 'other/x.md'),
    })
    const place = (path: string) => {
      const page = site.pageFor(path)
      return page && [page.url, page.navTitle, page.inNavigation]
    }
    expect(place('en/guide/b.md')).toEqual(['/guide/b', 'B', true])
    expect(place('en/guide/a.md')).toEqual(['/guide/a', undefined, false])
    expect(place('pkg/p/docs/use.md')).toEqual(['/p/use', 'P', true])
    expect(place('other/x.md')).toEqual(['/other/x', undefined, false])
    expect(site.pages.slice(0, 2)).toEqual(['en/guide/b.md', 'pkg/p/docs/use.md'])
  })

  it('keeps the order of one sidebar that several addresses share, and of files about the repository', async () => {
    const site = await siteOf({
      '.vitepress/config.ts': `const all = [{ text: 'G', items: [{ text: 'A', link: '/g/a' }] }, { text: 'T', items: [{ text: 'B', link: '/t/b' }] },
        { text: 'R', items: [{ text: 'Show', link: '/show' }] }]
export default { themeConfig: { sidebar: { '/g/': all, '/t/': all, '/': all } } }`,
      ...emptyFiles('show.md', 't/b.md', 'g/a.md', 'README.md'),
    })
    expect(site.pages).toEqual(['g/a.md', 't/b.md', 'show.md', 'README.md'])
    // It is built, and who searches the site does not look for it.
    expect(site.pageFor('README.md')).toMatchObject({ url: '/README.html', hidden: true })
    expect(site.resolveLink('show.md', './README.md').kind).toBe('page')
  })
})
