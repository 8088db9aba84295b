import { expect, test } from 'vitest'
import type { Page } from '../../../site/pages/page.ts'
import { buildSegment } from './build-segment.ts'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { createIndex, type SearchIndex } from './search-index.ts'
import { search, type SearchRequest } from './search.ts'

const filler = 'Some words about the weather that stand on many pages of the site. '.repeat(3)

function indexed(pages: Page[]): SearchIndex {
  return createIndex([buildSegment(pages)])
}

function paths(index: SearchIndex, query: string, rest: Partial<SearchRequest> = {}): string[] {
  return search(index, { query, limit: 10, ...rest }).hits.map((hit) => hit.path)
}

test('a word in the title beats the same word in the body', () => {
  const index = indexed([
    pageOf('a.md', 'Weather', `${filler} caching`),
    pageOf('b.md', 'Caching', `${filler} weather`),
    pageOf('c.md', 'Other', filler),
  ])
  expect(paths(index, 'caching')).toEqual(['b.md', 'a.md'])
})

test('the exact word beats another word of the same stem, which is found too', () => {
  const index = indexed([
    pageOf('installing.md', 'One', `${filler} installing`),
    pageOf('installed.md', 'Two', `${filler} installed`),
    pageOf('none.md', 'Three', filler),
  ])
  expect(paths(index, 'installed')).toEqual(['installed.md', 'installing.md'])
})

test('the best section comes first, with its headings, anchor and text', () => {
  const index = indexed([
    pageOf(
      'a.md',
      'Guide',
      `${filler}\n## Proxy setup\nSet the proxy port here.\n## Colours\nThe proxy of red is blue.`,
    ),
  ])
  const [hit, next] = search(index, { query: 'proxy port', limit: 2 }).hits
  expect(hit).toMatchObject({
    path: 'a.md',
    heading: 'Proxy setup',
    anchor: 'proxy-setup',
    content: 'Set the proxy port here.',
  })
  expect(next?.heading).toBe('Colours')
})

test('identifiers are found whole and by their parts', () => {
  const index = indexed([
    pageOf('a.md', 'Options', 'Use optimizeDeps.include to add a package.'),
    pageOf('b.md', 'Other', 'The deps of a project. Include them.'),
    pageOf('c.md', 'Plain', filler),
  ])
  expect(paths(index, 'optimizeDeps.include')[0]).toBe('a.md')
  expect(paths(index, 'OPTIMIZEDEPS')).toEqual(['a.md'])
  expect(paths(index, 'optimize')).toEqual(['a.md'])
})

test('Chinese and Japanese text is found without spaces', () => {
  const index = indexed([
    pageOf('zh.md', '安装指南', '如何在项目中使用组件。'),
    pageOf('ja.md', '設定', 'コンポーネントを使う方法。'),
  ])
  expect(paths(index, '使用组件')).toEqual(['zh.md'])
  expect(paths(index, 'コンポーネント')).toEqual(['ja.md'])
})

test('accents, case and typographic apostrophes do not matter', () => {
  const index = indexed([pageOf('a.md', 'Café', 'The reader’s résumé.'), pageOf('b.md', 'Other', filler)])
  expect(paths(index, 'CAFE')).toEqual(['a.md'])
  expect(paths(index, "reader's resume")).toEqual(['a.md'])
})

test('a misspelled word finds what is spelled like it, a known word is left alone', () => {
  const index = indexed([
    pageOf('a.md', 'Middleware', 'How middleware runs.'),
    pageOf('b.md', 'Deploy', 'Put it on a server.'),
    pageOf('c.md', 'Derive', 'Put it on a serve.'),
  ])
  expect(paths(index, 'midleware')).toEqual(['a.md'])
  expect(paths(index, 'mdidlewaer')).toEqual(['a.md'])
  expect(paths(index, 'serve')).not.toContain('b.md')
})

test('only stop words still find something, an empty query and an empty index nothing', () => {
  const index = indexed([
    pageOf('a.md', 'What is this', 'This is what it is.'),
    pageOf('b.md', 'Else', 'Words.'),
  ])
  expect(paths(index, 'what is this')).toEqual(['a.md'])
  expect(paths(index, '')).toEqual([])
  expect(paths(index, ' ?! ')).toEqual([])
  expect(search(createIndex([]), { query: 'anything', limit: 5 })).toEqual({
    hits: [],
    unknown: ['anything'],
    confidence: 0,
    rarities: new Map([['anything', 1]]),
    leads: false,
  })
  expect(paths(indexed([pageOf('empty.md', '', '')]), 'anything')).toEqual([])
})

test('a huge query is shortened', () => {
  const index = indexed([pageOf('a.md', 'Needle', 'In the hay.'), pageOf('b.md', 'Other', filler)])
  expect(paths(index, `needle ${'zzz'.repeat(350_000)}`)).toEqual(['a.md'])
  expect(paths(index, `needle ${'qwertyish zxcvbnish '.repeat(50_000)}`)).toEqual(['a.md'])
  expect(paths(index, `needle ${'-./'.repeat(300_000)}`)).toEqual(['a.md'])
})

test('equal pages keep one order and results repeat', () => {
  const pages = Array.from({ length: 20 }, (_, i) => pageOf(`p${i}.md`, 'Same title', 'Same text.'))
  const index = indexed(pages)
  const first = paths(index, 'same text')
  expect(paths(index, 'same text')).toEqual(first)
  expect(first).toHaveLength(10)
})

test('excluded pages are not found', () => {
  const index = indexed([pageOf('a.md', 'Cache', 'cache'), pageOf('b.md', 'Cache', 'cache')])
  expect(paths(index, 'cache', { exclude: ['a.md', 'unknown.md'] })).toEqual(['b.md'])
})

test('the page the reader is on wins among equals, then its folder', () => {
  const index = indexed([
    pageOf('one/a.md', 'Cache', 'cache'),
    pageOf('two/b.md', 'Cache', 'cache'),
    pageOf('two/c.md', 'Cache', 'cache'),
  ])
  expect(paths(index, 'cache', { currentPath: '/two/c' })).toEqual(['two/c.md', 'two/b.md', 'one/a.md'])
  expect(paths(index, 'cache', { currentPath: 'two/c.md' })[0]).toBe('two/c.md')
  expect(paths(index, 'cache', { currentPath: '/two/c/?x=1#top' })[0]).toBe('two/c.md')
})

test('the reader stays in the language and version of the page they are on', () => {
  const index = indexed([
    pageOf('v1/a.md', 'Cache', 'cache', { version: 'v1' }),
    pageOf('v2/a.md', 'Cache', 'cache', { version: 'v2' }),
    pageOf('v2/home.md', 'Home', filler, { version: 'v2' }),
  ])
  expect(paths(index, 'cache', { currentPath: '/v2/home' })).toEqual(['v2/a.md', 'v1/a.md'])
})

test('selected text tips the balance but does not outweigh the question', () => {
  const index = indexed([
    pageOf('vue.md', 'State', 'State in vue components.'),
    pageOf('react.md', 'State', 'State in react components.'),
    pageOf('hooks.md', 'Hooks', 'useEffect useMemo useState react hooks'),
  ])
  expect(paths(index, 'state', { context: 'import { createRoot } from "react"' })[0]).toBe('react.md')
  expect(paths(index, 'vue state', { context: 'useEffect useMemo useState react hooks' })[0]).toBe('vue.md')
})

test('confidence tells a question of the site from one that only shares small words with it', () => {
  const index = indexed([
    pageOf('proxy.md', 'Proxy', 'Set the proxy port for the server.'),
    pageOf('other.md', 'Colours', `${filler} how to make a colour`),
  ])
  const on = search(index, { query: 'how do I set the proxy port?', limit: 3 })
  const off = search(index, { query: 'how do I make sourdough bread with rye flour?', limit: 3 })
  expect(on.confidence).toBe(1)
  expect(off.confidence).toBeLessThan(0.3)
})

test('confidence holds for text without spaces: one shared pair of characters is not an answer', () => {
  const index = indexed([
    pageOf('a.md', '安装指南', '如何在项目中使用组件。'),
    pageOf('b.md', '其他', '别的内容。'),
  ])
  expect(search(index, { query: '使用组件', limit: 1 }).confidence).toBe(1)
  expect(search(index, { query: '如何烤面包和蛋糕', limit: 1 }).confidence).toBeLessThan(0.4)
})

test('a section is one result with its whole text, however long, with its fences and tables', () => {
  const table = Array.from(
    { length: 80 },
    (_, i) => `| option${i} | What the option number ${i} does |`,
  ).join('\n')
  const code = Array.from({ length: 80 }, (_, i) => `const value${i} = readSetting(${i})`).join('\n')
  const text = `Lead words.\n\n| Name | Use |\n| --- | --- |\n${table}\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThe end is the needle.`
  const index = indexed([
    pageOf('a.md', 'Options', `Intro.\n## All options\n${text}\n## Else\nNo needle in the hay.`),
    pageOf('b.md', 'Other', filler),
  ])
  const { hits } = search(index, { query: 'option47 needle readSetting', limit: 10 })
  expect(hits.map(({ anchor }) => anchor)).toEqual(['all-options', 'else'])
  expect(hits[0]?.content).toBe(text)
  const [cut] = search(index, { query: 'needle end', limit: 1, longest: 2000 }).hits
  expect(cut?.content.length).toBeLessThanOrEqual(2000)
  expect(cut?.content.endsWith('The end is the needle.')).toBe(true)
})

test('equal headings one after the other stay two sections', () => {
  const index = indexed([pageOf('a.md', 'A', 'Intro.\n## Example\nThe cache.\n## Example\nThe cache too.')])
  const contents = search(index, { query: 'cache', limit: 5 }).hits.map(({ content }) => content)
  expect(contents.toSorted()).toEqual(['The cache too.', 'The cache.'])
})

test('a page has three results at most, and half of the first ones are of different pages', () => {
  const part = (i: number): string => `## Cache ${i}\nHow the cache number ${i} is filled.\n`
  const index = indexed([
    pageOf('all.md', 'Cache', Array.from({ length: 9 }, (_, i) => part(i)).join('')),
    ...Array.from({ length: 6 }, (_, i) => pageOf(`p${i}.md`, `Page ${i}`, `${filler} The cache is named.`)),
  ])
  const found = paths(index, 'cache', { limit: 20 })
  expect(found[0]).toBe('all.md')
  expect(found.filter((path) => path === 'all.md')).toHaveLength(3)
  for (let count = 1; count <= 8; count++) {
    expect(new Set(found.slice(0, count)).size).toBeGreaterThanOrEqual(Math.ceil(count / 2))
  }
  const { hits } = search(index, { query: 'cache', limit: 20 })
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
  expect(paths(index, 'cache', { within: '/all' })).toEqual(Array.from({ length: 9 }, () => 'all.md'))
  expect(paths(index, 'cache', { within: 'nowhere.md' })).toEqual([])
})

const words = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ')

test('pages that say nearly the same are one result, of the newest version or of the reader', () => {
  const versions = ['v9', 'v10', 'v8'].map((version) =>
    pageOf(`${version}/cache.md`, 'Cache', `${words} The cache of ${version}.`, { version }),
  )
  const index = indexed([
    ...versions,
    pageOf('v9/home.md', 'Home', filler, { version: 'v9' }),
    pageOf('other.md', 'Cache', `${filler} Another text about the cache.`),
  ])
  const [first] = search(index, { query: 'cache word3', limit: 9 }).hits
  expect(first).toMatchObject({ path: 'v10/cache.md', version: 'v10' })
  expect(first?.alsoIn?.map(({ url }) => url).toSorted()).toEqual(['/v8/cache', '/v9/cache'])
  expect(paths(index, 'cache word3')).toEqual(['v10/cache.md', 'other.md'])
  expect(paths(index, 'cache word3', { currentPath: '/v9/home' })[0]).toBe('v9/cache.md')
  expect(paths(index, 'cache word3', { filter: { version: '8' } })).toEqual(['v8/cache.md'])
})

test('names the words that no page holds, but no misspelled ones', () => {
  const index = indexed([pageOf('cache.md', 'Caching', 'The cache of the demo keeps answers for an hour.')])
  const unknown = (query: string) => search(index, { query, limit: 1 }).unknown
  expect(unknown('How would I fill the cache with Redis?')).toEqual(['fill', 'Redis'])
  expect(unknown('cachng anwers')).toEqual([])
  expect(unknown('caching in Deno')).toEqual(['Deno'])
})

test('among the sections of a page, what the whole page is about counts less than what few sections have', () => {
  const about = 'The cache keeps the cache entries of a cache. The cache is a cache.'
  const index = indexed([
    pageOf(
      'a.md',
      'Cache',
      `${about}\n## First\n${about}\n## Second\n${about}\n## Third\nThe cache can be purged.`,
    ),
    ...Array.from({ length: 5 }, (_, i) =>
      pageOf(`p${i}.md`, `Page ${i}`, i < 3 ? 'The cache is purged.' : filler),
    ),
  ])
  expect(search(index, { query: 'cache purged', limit: 1 }).hits[0]?.anchor).toBe('third')
})

test('a heading without words leaves no trace in the heading of a result', () => {
  const index = indexed([pageOf('a.md', 'A', 'Intro.\n## \nThe cache.')])
  expect(search(index, { query: 'cache', limit: 1 }).hits[0]?.heading).toBeUndefined()
})

test('scores are on one scale: what a query names is at 1, what only shares a word with it is low', () => {
  const index = indexed([
    pageOf('keys.md', 'Rotate an access key', `${filler} Rotate an access key once a year.`),
    pageOf('locks.md', 'Locks', `${filler} A key opens a lock.`),
    pageOf('rain.md', 'Weather', filler),
  ])
  const scores = (query: string) => search(index, { query, limit: 10 }).hits.map(({ score }) => score)
  const [exact = 0, weak = 0] = scores('rotate an access key')
  expect(exact).toBe(1)
  expect(weak).toBeLessThan(0.3)
  const off = search(index, { query: 'who forgot the zebra lock of the parachute', limit: 10 })
  expect(off.hits[0]?.score).toBe(off.confidence)
  expect(off.confidence).toBeLessThan(0.5)
})

test('names of the reader’s page may be addresses of the site', () => {
  const index = indexed([
    pageOf('v1/a.md', 'Cache', 'caching', { version: 'v1' }),
    pageOf('v2/a.md', 'Cache', 'caching', { version: 'v2' }),
  ])
  const sites = ['https://docs.example.com/help']
  for (const currentPath of ['v2/a', '/help/v2/a/#x', 'https://docs.example.com/help/v2/a', 'v2/a.md'])
    expect(paths(index, 'caching', { currentPath, sites })[0], currentPath).toBe('v2/a.md')
})
