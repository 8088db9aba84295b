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
  const [hit] = search(index, { query: 'proxy port', limit: 1 }).hits
  expect(hit?.sections[0]).toMatchObject({
    headings: ['Proxy setup'],
    anchor: 'proxy-setup',
    text: 'Set the proxy port here.',
  })
  expect(hit?.sections[1]?.headings).toEqual(['Colours'])
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
  expect(search(createIndex([]), { query: 'anything', limit: 5 })).toEqual({ hits: [], confidence: 0 })
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
  expect(paths(index, 'cache', { boost: { path: '/two/c' } })).toEqual(['two/c.md', 'two/b.md', 'one/a.md'])
  expect(paths(index, 'cache', { boost: { path: 'two/c.md' } })[0]).toBe('two/c.md')
  expect(paths(index, 'cache', { boost: { path: '/two/c/?x=1#top' } })[0]).toBe('two/c.md')
})

test('the reader stays in the language and version of the page they are on', () => {
  const index = indexed([
    pageOf('v1/a.md', 'Cache', 'cache', { version: 'v1' }),
    pageOf('v2/a.md', 'Cache', 'cache', { version: 'v2' }),
    pageOf('v2/home.md', 'Home', filler, { version: 'v2' }),
  ])
  expect(paths(index, 'cache', { boost: { path: '/v2/home' } })).toEqual(['v2/a.md', 'v1/a.md'])
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
