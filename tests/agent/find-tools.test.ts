import { describe, expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

describe('list_files, list_pages and grep', () => {
  it('narrow by folder, glob and words, and search what this turn has changed', async () => {
    const { call } = await openTree({
      'docs.json': '{"navigation": {"groups": [{"group": "Guides", "pages": ["guides/install", "index"]}]}}',
      'guides/install.mdx': '---\ntitle: Install it\n---\nneedle\n',
      'guides/hidden.mdx': 'x\n',
      'index.mdx': '# Home\n',
    })
    expect(await call('list_files', { path: 'guides/' })).toEqual({
      files: ['guides/hidden.mdx', 'guides/install.mdx'],
      truncated: false,
    })
    expect(await call('list_files', { glob: '*.{mdx,json}' })).toMatchObject({ files: { length: 4 } })
    expect(await call('list_files', { path: 'guides', glob: 'i*.mdx' })).toMatchObject({
      files: ['guides/install.mdx'],
    })
    expect(await call('list_files', { path: 'nope' })).toMatchObject({ error: { code: 'not_found' } })
    expect(await call('list_pages', { query: 'INSTALL' })).toEqual({
      pages: [
        {
          path: 'guides/install.mdx',
          url: '/guides/install',
          title: 'Install it',
          group: 'Guides',
          inNavigation: true,
          lines: 4,
        },
      ],
      truncated: false,
    })
    expect(await call('list_pages', {})).toMatchObject({
      pages: [{ path: 'guides/install.mdx' }, { title: 'Home' }, { group: null, inNavigation: false }],
    })
    await call('write_file', { path: 'guides/new.mdx', content: 'a needle\n' })
    expect(await call('grep', { pattern: 'needle', paths: ['guides/*.mdx'], limit: 1 })).toEqual({
      matches: [{ path: 'guides/install.mdx', line: 4, text: 'needle' }],
      shown: [{ path: 'guides/install.mdx', first: 4, last: 4 }],
      total: 2,
      truncated: true,
    })
    expect(await call('grep', { pattern: 'needle', exclude: ['guides/new.mdx'], context: 1 })).toMatchObject({
      matches: [{ path: 'guides/install.mdx', line: 4, text: '3----\n4:needle' }],
      total: 1,
    })
    expect(await call('grep', { pattern: 'needle', exclude: ['**/*.mdx'] })).toMatchObject({ total: 0 })
    expect(await call('grep', { pattern: 'needle', paths: ['index.mdx'] })).toMatchObject({ total: 0 })
    expect(await call('grep', { pattern: 'x', paths: ['nope.mdx'] })).toMatchObject({
      error: { code: 'not_found' },
    })
  })
})
