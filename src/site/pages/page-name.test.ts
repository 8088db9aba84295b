import { describe, expect, it } from 'vitest'
import { createSite } from '../frameworks/create-site.ts'
import { homeSlug, readPageName, slugOf } from './page-name.ts'
import { parsePage } from './parse-page.ts'

/** The address of a page on the site that these files make. */
async function urlOn(files: Record<string, string>, path: string): Promise<string> {
  const paths = Object.keys(files)
  const site = await createSite(async (name) => files[name], { paths, root: '' })
  const page = parsePage(site, path, files[path] ?? '')
  if (!page) throw new Error(`no page ${path}`)
  return page.url
}

const mintlify = { 'docs.json': '{"navigation": {"pages": ["index", "guides/keys"]}}' }
const vitepress = { '.vitepress/config.ts': 'export default { base: "/docs/" }' }
const clean = { '.vitepress/config.ts': 'export default { cleanUrls: true }' }
const docusaurus = { 'docusaurus.config.js': 'module.exports = { baseUrl: "/help/" }' }
const mkdocs = { 'mkdocs.yml': 'site_name: Test' }
const files = { 'mkdocs.yml': 'site_name: Test\nuse_directory_urls: false' }
const starlight = {
  'astro.config.mjs':
    "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ title: 'T' })] }",
}

describe('the slug of a page', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['Mintlify', mintlify, 'guides/keys.mdx', 'guides/keys'],
    ['Mintlify, a folder', mintlify, 'guides/index.mdx', 'guides'],
    ['Mintlify, the home page', mintlify, 'index.mdx', 'index'],
    ['VitePress', vitepress, 'guides/keys.md', 'guides/keys.html'],
    ['VitePress with clean addresses', clean, 'guides/keys.md', 'guides/keys'],
    ['VitePress, a folder', clean, 'guides/index.md', 'guides'],
    ['Docusaurus, below a base', docusaurus, 'docs/guides/keys.md', 'docs/guides/keys'],
    ['Docusaurus, numbered', docusaurus, 'docs/01-guides/02-keys.md', 'docs/guides/keys'],
    ['MkDocs', mkdocs, 'docs/guides/keys.md', 'guides/keys'],
    ['MkDocs, a folder', mkdocs, 'docs/guides/index.md', 'guides'],
    ['MkDocs with files', files, 'docs/guides/keys.md', 'guides/keys.html'],
    ['MkDocs with files, the home page', files, 'docs/index.md', 'index.html'],
    ['Starlight', starlight, 'src/content/docs/guides/keys.mdx', 'guides/keys'],
    ['no framework', {}, 'guides/keys.md', 'guides/keys'],
  ])('is what follows the address of the site: %s', async (_, config, path, slug) => {
    expect(slugOf(await urlOn({ ...config, [path]: '# Keys' }, path), homeSlug)).toBe(slug)
  })

  it('is what its front matter sets', async () => {
    const page = 'docs/guides/keys.md'
    const url = await urlOn({ ...docusaurus, [page]: '---\nslug: /api-keys\n---\n# Keys' }, page)
    expect(slugOf(url, homeSlug)).toBe('docs/api-keys')
  })

  it('is nothing for the home page of a site that does not open it under its name', () => {
    expect(slugOf('/', '')).toBe('')
    expect(slugOf('/', homeSlug)).toBe('index')
  })

  it.each(['/~api/shop.yaml/get-orders', '/a b#c?d', '/100%', '/安装/指南', '/c\\d', '/tab\there'])(
    'opens %s below the address of the site, and names it',
    (url) => {
      const slug = slugOf(url, homeSlug)
      const { pathname, search, hash } = new URL(`https://docs.example.com/help/${slug}`)
      expect([decodeURIComponent(pathname), search, hash]).toEqual([`/help${url}`, '', ''])
      expect(readPageName(slug, [])).toContainEqual({ url })
    },
  )
})

describe('a name of a page', () => {
  const sites = ['https://docs.example.com/help', 'http://localhost:4000/docs/handbook']
  const first = (name: string): unknown =>
    readPageName(name, sites).filter((one) => 'url' in one && /^\/(?:guides\/)?keys$/.test(one.url))[0]

  it.each([
    'guides/keys',
    '/guides/keys',
    'guides/keys/',
    'guides/keys.md',
    '/guides/keys.mdx#create',
    'guides/keys.html?a=b#c',
    'guides/keys/index.md',
    'guides%2Fkeys',
    'https://docs.example.com/help/guides/keys',
    'HTTPS://Docs.Example.com/help/guides/keys/?a#b',
    'http://docs.example.com/help/guides/keys.md',
    '//docs.example.com/help/guides/keys',
    '/help/guides/keys',
    'help/guides/keys#create',
    'http://localhost:4000/docs/handbook/guides/keys.md',
    '/docs/handbook/guides/keys',
  ])('%s is that of its address', (name) => {
    expect(first(name)).toEqual({ url: '/guides/keys' })
  })

  it.each([
    '',
    '#create',
    '?page=guides/keys',
    'https://evil.example/guides/keys',
    '//evil.example/guides/keys',
  ])('%j is none', (name) => {
    expect(readPageName(name, sites)).toEqual([])
  })

  it.each([
    'https://docs.example.com/guides/keys',
    'https://docs.example.com/helper/keys',
    'https://docs.example.com@evil.example/help/keys',
    'https://docs.example.com.evil.example/help/keys',
    'ftp://docs.example.com/help/keys',
    'guides/../keys',
    'x/%2e%2e/keys',
    '..\\keys',
    'keys\0',
    'keys%00',
    '\ud800keys',
  ])('%j leads nowhere', (name) => {
    expect(first(name)).toBeUndefined()
  })

  it('means a page as it is spelled before one below the path of a site', () => {
    const names = readPageName('/help/guides/keys', sites)
    const [own, below] = ['/help/guides/keys', '/guides/keys'].map((url) =>
      names.findIndex((one) => 'url' in one && one.url === url),
    )
    expect(own).toBe(0)
    expect(below).toBeGreaterThan(0)
  })

  it.each(['', '/', 'index', 'index.mdx', 'https://docs.example.com/help', '/help/', '/docs/handbook'])(
    '%j is that of the home page, unless it is empty',
    (name) => {
      expect(readPageName(name, sites).some((one) => 'url' in one && one.url === '/')).toBe(name !== '')
    },
  )

  it('may be a file with signs that addresses give a meaning', () => {
    expect(readPageName('api.yaml#GET /users/{id}', sites)).toContainEqual({
      path: 'api.yaml#GET /users/{id}',
    })
    expect(readPageName('docs/why?.md', sites)).toContainEqual({ path: 'docs/why?.md' })
    expect(readPageName('docs/100%.md', sites)).toContainEqual({ path: 'docs/100%.md' })
  })
})
