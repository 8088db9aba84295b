import { describe, expect, it } from 'vitest'
import { emptyFiles, type Files, siteOf } from '../../../tests/worlds/site.ts'

describe('folders of versions', () => {
  const labels = async (files: Files, root = '') => {
    const site = await siteOf(files, root)
    return Object.fromEntries(
      site.pages.map((path) => [
        path,
        [site.pageFor(path)?.language, site.pageFor(path)?.version].join(' ').trim(),
      ]),
    )
  }

  it('are recognised by their names and by pages that several of them have', async () => {
    expect(await labels(emptyFiles('v1/a.md', 'v2/a.md', 'v2/new.md', 'other/a.md'))).toEqual({
      'v1/a.md': 'v1',
      'v2/a.md': 'v2',
      'v2/new.md': 'v2',
      'other/a.md': '',
    })
    expect(
      await labels(emptyFiles('docs/1.x/a.md', 'docs/2.x/a.md', 'docs/latest/a.md', 'docs/latest/b/a.md')),
    ).toEqual({
      'docs/1.x/a.md': '1.x',
      'docs/2.x/a.md': '2.x',
      'docs/latest/a.md': 'latest',
      'docs/latest/b/a.md': 'latest',
    })
    expect(await labels(emptyFiles('guide/a.md', 'guide/version-1.0/a.md'))).toEqual({
      'guide/a.md': '',
      'guide/version-1.0/a.md': '1.0',
    })
  })

  it('stand within languages', async () => {
    const files = emptyFiles('en/latest/a.md', 'en/v1/a.md', 'de/latest/a.md', 'de/v1/a.md')
    expect(await labels(files)).toEqual({
      'en/latest/a.md': 'en latest',
      'en/v1/a.md': 'en v1',
      'de/latest/a.md': 'de latest',
      'de/v1/a.md': 'de v1',
    })
  })

  it('are no chapters, years or topics', async () => {
    const files = emptyFiles(
      '1/index.md',
      '2/index.md',
      'blog/2023/a.md',
      'blog/2024/b.md',
      'main/a.md',
      'next/b.md',
      'v8/c.md',
    )
    expect(new Set(Object.values(await labels(files)))).toEqual(new Set(['']))
  })
})
