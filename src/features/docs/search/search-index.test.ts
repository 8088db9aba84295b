import { expect, test } from 'vitest'
import type { Page } from '../../../site/pages/page.ts'
import { buildSegment } from './build-segment.ts'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import {
  compact,
  createIndex,
  needsCompaction,
  withChanges,
  pathsOf,
  withSegment,
  withoutPages,
  type SearchIndex,
} from './search-index.ts'
import { search } from './search.ts'

const words = [
  'proxy',
  'cache',
  'router',
  'plugin',
  'server',
  'client',
  'theme',
  'deploy',
  'module',
  'worker',
]

function pagesOf(count: number): Page[] {
  return Array.from({ length: count }, (_, i) => {
    const word = words[i % words.length] ?? ''
    const next = words[(i * 7 + 3) % words.length] ?? ''
    return pageOf(
      `p${i}.md`,
      `${word} ${i}`,
      `About ${next}.\n## ${next} and ${word}\nMore on ${word} number${i}.`,
      {
        version: i % 2 === 0 ? 'v1' : 'v2',
        groups: i % 3 === 0 ? ['third'] : [],
      },
    )
  })
}

function found(index: SearchIndex, query: string): string[] {
  return search(index, { query, limit: 50 }).hits.map((hit) => hit.path)
}

test('a removed page is gone and the value before the change still has it', () => {
  const before = createIndex([buildSegment(pagesOf(5))])
  const after = withChanges(before, { upserts: [], removals: ['p1.md', 'unknown.md'] })
  expect(found(after, 'number1')).toEqual([])
  expect(found(before, 'number1')).toEqual(['p1.md'])
  expect(after.pages).toBe(4)
})

test('a changed page is found by its new words only, and can come back', () => {
  let index = createIndex([buildSegment(pagesOf(5))])
  index = withChanges(index, { upserts: [pageOf('p1.md', 'Fresh', 'brandnew words')], removals: [] })
  expect(found(index, 'brandnew')).toEqual(['p1.md'])
  expect(found(index, 'number1')).toEqual([])
  expect(index.pages).toBe(5)
  index = withChanges(index, { upserts: [], removals: ['p1.md'] })
  expect(found(index, 'brandnew')).toEqual([])
  index = withChanges(index, { upserts: pagesOf(5).slice(1, 2), removals: [] })
  expect(found(index, 'number1')).toEqual(['p1.md'])
  expect(index.pages).toBe(5)
})

test('a page that is removed and upserted in one change is there, once', () => {
  const page = pageOf('p1.md', 'Twice', 'twice over')
  const index = withChanges(createIndex([]), { upserts: [page, page], removals: ['p1.md'] })
  expect(found(index, 'twice')).toEqual(['p1.md'])
  expect(index.pages).toBe(1)
})

test('a segment built elsewhere replaces the pages with the same paths', async () => {
  const before = createIndex([buildSegment(pagesOf(5))])
  const after = await withSegment(before, buildSegment([pageOf('p1.md', 'Fresh', 'brandnew')]), ['p2.md'])
  expect(found(after, 'brandnew')).toEqual(['p1.md'])
  expect([...found(after, 'number1'), ...found(after, 'number2')]).toEqual([])
  expect(after.pages).toBe(4)
})

test('an index can be emptied and filled again', () => {
  const empty = withChanges(createIndex([buildSegment(pagesOf(3))]), {
    upserts: [],
    removals: ['p0.md', 'p1.md', 'p2.md'],
  })
  expect(empty.parts).toEqual([])
  expect(found(empty, 'proxy')).toEqual([])
  expect(found(withChanges(empty, { upserts: pagesOf(1), removals: [] }), 'proxy')).toEqual(['p0.md'])
})

test('pages added one by one rank exactly as if built at once, in few segments', () => {
  const pages = pagesOf(60)
  let index = createIndex([])
  for (const page of pages) index = withChanges(index, { upserts: [page], removals: [] })
  expect(index.parts.length).toBeLessThan(16)
  const whole = createIndex([buildSegment(pages)])
  // Vectors were made by what was usual on the site at their time.
  for (const query of [...words, 'proxy cache', 'more on worker number19', 'clietn']) {
    const request = { query, limit: 60, without: ['vectors'] }
    expect(search(index, request)).toEqual(search(whole, request))
  }
})

test('compaction drops the deleted pages and changes nothing else', () => {
  const pages = pagesOf(60)
  const index = withChanges(createIndex([buildSegment(pages)]), {
    upserts: [pageOf('new.md', 'New proxy', 'Entirely new', { language: 'de', groups: ['third'] })],
    removals: pages.slice(0, 20).map((page) => page.path),
  })
  const compacted = compact(index)
  const rebuilt = buildSegment([
    ...pages.slice(20),
    pageOf('new.md', 'New proxy', 'Entirely new', { language: 'de', groups: ['third'] }),
  ])
  for (const query of words) {
    for (const filter of [{}, { version: 'v1' }, { groups: ['third'] }, { language: 'de' }]) {
      const request = { query, limit: 60, filter, without: ['vectors'] }
      expect(search(createIndex([compacted]), request)).toEqual(search(createIndex([rebuilt]), request))
    }
  }
})

test('compaction is asked for once enough of a large index has changed', () => {
  const pages = pagesOf(400)
  let index = createIndex([buildSegment(pages)])
  expect(needsCompaction(index)).toBe(false)
  index = withChanges(index, { upserts: pages.slice(0, 10), removals: [] })
  expect(needsCompaction(index)).toBe(false)
  index = withChanges(index, { upserts: pages.slice(0, 50), removals: [] })
  expect(needsCompaction(index)).toBe(true)
  expect(needsCompaction(createIndex([compact(index)]))).toBe(false)
})

test('large segments are not merged while a change is applied, and many of them are built into one later', () => {
  const long = (n: number) => pageOf(`long${n}.md`, 'Long', '## heading\n'.repeat(8000))
  let index = createIndex([])
  for (let n = 0; n < 9; n++) index = withChanges(index, { upserts: [long(n)], removals: [] })
  expect(index.parts.length).toBe(9)
  expect(needsCompaction(index)).toBe(false)
  const [one] = index.parts
  expect(
    needsCompaction({
      ...index,
      parts: Array.from({ length: 49 }, () => one).filter((part) => part !== undefined),
    }),
  ).toBe(true)
})

test('pages are taken out, and the others are named, in turns', async () => {
  const index = createIndex([buildSegment(pagesOf(2500))])
  const gone = Array.from({ length: 2400 }, (_, n) => `p${n}.md`)
  const left = await withoutPages(index, [...gone, 'unknown.md'])
  expect(left.pages).toBe(100)
  const named: string[] = []
  for await (const path of pathsOf(left)) named.push(path)
  expect(named.length).toBe(100)
  expect(await withoutPages(left, [])).toBe(left)
})
