import { describe, expect, it } from 'vitest'
import { emptyFiles, type Files, siteOf } from '../../../../tests/worlds/site.ts'

async function urls(files: Files, root = '') {
  const site = await siteOf(files, root)
  return Object.fromEntries(site.pages.map((path) => [path, site.pageFor(path)?.url]))
}

describe('MkDocs', () => {
  const config = [
    'site_name: Test',
    'docs_dir: content',
    'theme: {custom: !ENV [A, b]}',
    'plugins:',
    '  - search',
    '  - redirects:',
    '      redirect_maps:',
    '        old.md: guide/a.md',
    'markdown_extensions:',
    '  - pymdownx.emoji:',
    '      emoji_index: !!python/name:material.extensions.emoji.twemoji',
    'nav:',
    '  - Home: index.md',
    '  - Guide:',
    '    - guide/a.md',
    '    - Second: guide/b.md',
    '  - Elsewhere: https://a.test',
  ].join('\n')
  const files = {
    'mkdocs.yml': config,
    ...emptyFiles(
      'content/index.md',
      'content/guide/a.md',
      'content/guide/b.md',
      'content/z.md',
      'README.md',
    ),
  }

  it('treats a configuration that would block the parser as empty', async () => {
    const hostile = `docs_dir: content\nx: ${'!a '.repeat(100_000)}`
    expect(await urls({ 'mkdocs.yml': hostile, 'content/a.md': '', 'docs/b.md': '' })).toEqual({
      'docs/b.md': '/b/',
    })
  })

  it('reads a configuration with tags of its own', async () => {
    const site = await siteOf(files)
    expect(site.pages).toEqual([
      'content/index.md',
      'content/guide/a.md',
      'content/guide/b.md',
      'content/z.md',
    ])
    expect(site.pageFor('content/guide/b.md')).toMatchObject({
      url: '/guide/b/',
      navTitle: 'Second',
      inNavigation: true,
    })
    expect(site.pageFor('content/z.md')?.inNavigation).toBe(false)
    expect(site.pageFor('README.md')).toBeUndefined()
  })

  it('resolves links by file and by address', async () => {
    const site = await siteOf(files)
    expect(site.resolveLink('content/guide/a.md', 'b.md#x')).toMatchObject({
      path: 'content/guide/b.md',
      anchor: 'x',
    })
    expect(site.resolveLink('content/guide/a.md', '../b/')).toMatchObject({ path: 'content/guide/b.md' })
    expect(site.resolveLink('content/index.md', '/old/')).toMatchObject({
      path: 'content/guide/a.md',
      redirected: true,
    })
    expect(site.resolveLink('content/index.md', 'a.md')).toMatchObject({
      kind: 'broken',
      near: 'content/guide/a.md',
    })
  })

  it('makes files of addresses when told so', async () => {
    expect(
      await urls({ 'mkdocs.yml': 'use_directory_urls: false', ...emptyFiles('docs/index.md', 'docs/a.md') }),
    ).toEqual({ 'docs/index.md': '/index.html', 'docs/a.md': '/a.html' })
  })

  it.each([
    ['suffix', ['docs/a.md', 'docs/a.fr.md']],
    ['folder', ['docs/en/a.md', 'docs/fr/a.md']],
  ])('knows languages by %s', async (structure, paths) => {
    const site = await siteOf({
      'mkdocs.yml': `plugins:\n  - i18n:\n      docs_structure: ${structure}\n      languages:\n        - {locale: en, default: true}\n        - {locale: fr}\n`,
      ...emptyFiles(...paths),
    })
    const found = paths.map((path) => site.pageFor(path))
    expect(found.map((page) => [page?.url, page?.language])).toEqual([
      ['/a/', 'en'],
      ['/fr/a/', 'fr'],
    ])
  })

  it('survives a configuration that is not YAML', async () => {
    expect((await siteOf({ 'mkdocs.yml': '[[[: {', 'docs/a.md': '' })).pages).toEqual(['docs/a.md'])
  })
})
