import { describe, expect, it } from 'vitest'
import { pageNamed } from '../../../../tests/assistant-server.ts'
import { homeSlug, slugOf } from '../../../site/pages/page-name.ts'
import { createCitations } from './citations.ts'
import type { FoundPage } from '../ports.ts'

const page: FoundPage = {
  path: 'docs/install.md',
  url: '/install',
  title: 'Install',
  content: '',
  groups: [],
  sections: [
    { anchor: undefined, headings: [] },
    { anchor: 'linux', headings: ['On Linux'] },
  ],
}

function citations(site = 'https://docs.example.com', asked: string[] = []) {
  return createCitations(
    {
      findPage: (_, name) => {
        asked.push(name)
        return Promise.resolve(pageNamed([page], name))
      },
      slugOf: (_, url) => slugOf(url, homeSlug),
      linkOf: (_, url, anchor) => `${site}${url}${anchor === undefined ? '' : `#${anchor}`}`,
    },
    { id: 'p', domain: 'd' },
  )
}

describe('a link to cite', () => {
  it.each([
    ['https://docs.example.com/install', 'https://docs.example.com/install'],
    ['/install#linux', 'https://docs.example.com/install#linux'],
    ['/install#made-up', 'https://docs.example.com/install'],
    ['/install?q=SECRET#linux', 'https://docs.example.com/install#linux'],
    ['docs/install.md', 'https://docs.example.com/install'],
    ['https://docs.example.com.evil.example/install', undefined],
    ['https://docs.example.com@evil.example/install', undefined],
    ['//evil.example/install', undefined],
    ['javascript:alert(1)', undefined],
    ['#install', undefined],
    ['', undefined],
    ['/unknown', undefined],
    [`/${'x'.repeat(5000)}`, undefined],
  ])('%s leads to %s', async (target, url) => {
    expect((await citations().resolve(target))?.url).toBe(url)
  })

  it('may be one of this server for a page that the site does not have', async () => {
    const own = { ...page, path: 'shop.yaml#GET /orders', url: '/~api/shop.yaml/get-orders' }
    const { resolve, readPage } = createCitations(
      {
        findPage: (_, name) =>
          Promise.resolve(
            pageNamed([own], name, ['https://docs.example.com', 'https://our.example.com/docs/d']),
          ),
        slugOf: (_, url) => slugOf(url, homeSlug),
        linkOf: (_, url) =>
          url.startsWith('/~api/')
            ? `https://our.example.com/docs/d${url}`
            : `https://docs.example.com${url}`,
      },
      { id: 'p', domain: 'd' },
    )
    const url = 'https://our.example.com/docs/d/~api/shop.yaml/get-orders'
    expect((await resolve(url))?.url).toBe(url)
    expect((await resolve('/~api/shop.yaml/get-orders'))?.url).toBe(url)
    expect((await readPage({ name: url, budget: 100 }))?.path).toBe('~api/shop.yaml/get-orders')
    expect((await readPage({ name: own.path, budget: 100 }))?.metadata.file).toBe(own.path)
  })

  it('reads a page by section, in pieces, with the ids of its headings', async () => {
    const long: FoundPage = {
      ...page,
      sections: [
        { anchor: undefined, headings: [], text: 'Begin.' },
        { anchor: 'Linux-1', headings: ['On Linux'], text: 'word '.repeat(1000) },
        { anchor: 'apt', headings: ['On Linux', 'Apt'], text: 'With apt.' },
        { anchor: 'limits', headings: ['Limits'], text: 'Ten.' },
      ],
    }
    const { readPage, placesOn } = createCitations(
      {
        findPage: (_, name) => Promise.resolve(pageNamed([long], name)),
        slugOf: (_, url) => slugOf(url, homeSlug),
        linkOf: (_, url, anchor) =>
          `https://docs.example.com${url}${anchor === undefined ? '' : `#${anchor}`}`,
      },
      { id: 'p', domain: 'd' },
    )
    const whole = await readPage({ name: '/install', budget: 1000 })
    expect(whole?.content).toMatch(/^Begin\.\n\n## On Linux \{#Linux-1\}\n\nword/)
    expect(placesOn(whole?.url ?? '').map(({ anchor }) => anchor)).toEqual(['Linux-1', 'apt', 'limits'])
    const rest = await readPage({ name: '/install', from: whole?.next, budget: 10_000 })
    expect(rest?.content).toMatch(/^word [^]*## Limits \{#limits\}\n\nTen\.$/)
    expect(rest?.next).toBeUndefined()
    const section = await readPage({ name: 'https://docs.example.com/install#apt', budget: 1000 })
    expect(section).toMatchObject({
      url: 'https://docs.example.com/install#apt',
      content: '### Apt {#apt}\n\nWith apt.',
    })
    expect((await readPage({ name: '/install#made-up', budget: 1000 }))?.content).toMatch(/^Begin/)
  })

  it('keeps the brackets of an address and nothing that would end a link', () => {
    const hit = { path: 'a.md', url: '/a (b)', title: 'A', content: '', score: 1, anchor: 'c)' }
    expect(citations('http://[::1]:4000/docs/d').add(hit, '').url).toBe(
      'http://[::1]:4000/docs/d/a%20%28b%29#c%29',
    )
  })

  it('is no page of a group that the reader is not in', async () => {
    const internal = { ...page, groups: ['Staff'] }
    const as = (groups?: string[]) =>
      createCitations(
        {
          findPage: (_, name) => Promise.resolve(pageNamed([internal], name)),
          linkOf: (_, url) => `https://docs.example.com${url}`,
          slugOf: (_, url) => slugOf(url, homeSlug),
        },
        { id: 'p', domain: 'd' },
        groups,
      )
    for (const groups of [undefined, ['staff', 'other']]) {
      expect((await as(groups).resolve('/install'))?.path).toBe(page.path)
      expect((await as(groups).readPage({ name: 'install', budget: 100 }))?.path).toBe('install')
    }
    for (const groups of [[], ['other']]) {
      expect(await as(groups).resolve('/install')).toBeUndefined()
      expect(await as(groups).readPage({ name: 'install', budget: 100 })).toBeUndefined()
    }
  })

  it('knows its section, unless the anchor is made up', async () => {
    const section = { heading: 'On Linux', anchor: 'linux' }
    expect(await citations().resolve('/install#linux')).toMatchObject(section)
    const page = { heading: undefined, anchor: undefined }
    expect(await citations().resolve('/install#made-up')).toMatchObject(page)
    expect(await citations().resolve('/install')).toMatchObject(page)
  })

  it('finds what was retrieved without a query, and asks for nothing endlessly', async () => {
    const asked: string[] = []
    const known = citations('https://docs.example.com', asked)
    const { url } = known.add({ ...page, heading: 'On Linux', anchor: 'linux', score: 1 }, '')
    expect(await known.resolve(url)).toEqual({
      url,
      path: page.path,
      title: 'Install › On Linux',
      heading: 'On Linux',
      anchor: 'linux',
    })
    expect(asked).toEqual([])
    for (let n = 0; n < 500; n++) await known.resolve(`/made-up/${n}`)
    expect(asked).toHaveLength(100)
  })
})
