import { describe, expect, it } from 'vitest'
import { emptyFiles, type Files, siteOf } from '../../../../tests/worlds/site.ts'

describe('Mintlify', () => {
  const files: Files = {
    'docs.json': JSON.stringify({
      navigation: {
        languages: [
          {
            language: 'en',
            tabs: [
              {
                tab: 'A',
                groups: [
                  { group: 'G', root: 'index', pages: ['start', { group: 'N', pages: ['deep/page'] }] },
                ],
              },
            ],
          },
          { $ref: './fr.json' },
        ],
        versions: [
          {
            version: 'v2',
            dropdowns: [{ dropdown: 'D', menu: [{ item: 'x', pages: ['v2/a', 'GET /users'] }] }],
          },
        ],
        products: [{ product: 'P', hidden: true, pages: ['secret'] }],
      },
      redirects: [
        { source: '/old', destination: '/start' },
        { source: '/was/:slug*', destination: '/deep/:slug*' },
      ],
    }),
    'fr.json': '{"language": "fr", "pages": ["fr/start"]}',
    '.mintignore': '# drafts\ndrafts/\n*.tmp.mdx\n!keep.tmp.mdx\n',
    ...emptyFiles(
      'start.mdx',
      'index.mdx',
      'deep/page.mdx',
      'fr/start.mdx',
      'fr/other.mdx',
      'v2/a.md',
      'secret.mdx',
      'orphan.mdx',
      'snippets/s.mdx',
      'README.md',
      'drafts/d.mdx',
      'a.tmp.mdx',
      'keep.tmp.mdx',
    ),
  }

  it('reads the navigation in every shape, in order', async () => {
    const site = await siteOf(files)
    expect(site.framework).toBe('mintlify')
    expect(site.pages).toEqual([
      'index.mdx',
      'start.mdx',
      'deep/page.mdx',
      'fr/start.mdx',
      'v2/a.md',
      'secret.mdx',
      'fr/other.mdx',
      'keep.tmp.mdx',
      'orphan.mdx',
    ])
    expect(site.pageFor('index.mdx')).toMatchObject({
      url: '/',
      language: 'en',
      inNavigation: true,
      hidden: false,
    })
    expect(site.pageFor('fr/other.mdx')).toMatchObject({
      url: '/fr/other',
      language: 'fr',
      inNavigation: false,
      hidden: true,
    })
    expect(site.pageFor('v2/a.md')).toMatchObject({ url: '/v2/a', version: 'v2' })
    expect(site.pageFor('secret.mdx')?.hidden).toBe(true)
    expect(site.pageFor('start.mdx', { hidden: true })?.hidden).toBe(true)
    expect(site.configPaths).toEqual(['docs.json', 'fr.json', '.mintignore'])
  })

  it('resolves links, redirects among them', async () => {
    const site = await siteOf(files)
    expect(site.resolveLink('start.mdx', '/deep/page#x')).toEqual({
      kind: 'page',
      path: 'deep/page.mdx',
      anchor: 'x',
      redirected: false,
    })
    expect(site.resolveLink('start.mdx', '/index')).toMatchObject({ path: 'index.mdx' })
    expect(site.resolveLink('start.mdx', '/old')).toMatchObject({ path: 'start.mdx', redirected: true })
    expect(site.resolveLink('start.mdx', '/was/page')).toMatchObject({
      path: 'deep/page.mdx',
      redirected: true,
    })
  })

  it('reads the older mint.json, and no docs.json of something else', async () => {
    const old = await siteOf({
      'mint.json': '{"navigation": [{"group": "G", "version": "1", "pages": ["a"]}]}',
      'a.mdx': '',
    })
    expect([old.framework, old.pageFor('a.mdx')?.version]).toEqual(['mintlify', '1'])
    expect((await siteOf({ 'docs.json': '{"other": 1}', 'a.md': '' })).framework).toBe('markdown')
    expect((await siteOf({ 'docs.json': '['.repeat(100_000), 'a.md': '' })).framework).toBe('markdown')
    const circular = await siteOf({ 'docs.json': '{"navigation": {"$ref": "docs.json"}}', 'a.mdx': '' })
    expect(circular.pageFor('a.mdx')).toMatchObject({ inNavigation: false, hidden: false })
  })

  it('takes addresses for generated only where an API puts its pages', async () => {
    const site = await siteOf({
      'docs.json': `{"navigation": {"groups": [{"group": "A", "pages": ["guide/a"]}, {"group": "API", "openapi": {"source": "o.yaml", "directory": "rest/v1"}}]}}`,
      ...emptyFiles('guide/a.mdx', 'rest/b.mdx'),
    })
    const kind = (href: string) => site.resolveLink('guide/a.mdx', href).kind
    expect(
      ['./gone', '/rest/gone', '/rest/v1/made', '/elsewhere/made', '/img/gone.png', './a.md'].map(kind),
    ).toEqual(['broken', 'broken', 'external', 'external', 'broken', 'page'])
  })
})
