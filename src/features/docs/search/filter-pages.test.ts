import { expect, test } from 'vitest'
import { buildSegment } from './build-segment.ts'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import type { SearchFilter } from './filter-pages.ts'
import { createIndex, withChanges } from './search-index.ts'
import { search } from './search.ts'

const site = createIndex([
  buildSegment([
    pageOf('a.md', 'Cache', 'cache'),
    pageOf('fr/a.md', 'Cache', 'cache', { language: 'fr', version: 'V2', tags: ['setup', 'cli'] }),
    pageOf('pt/a.md', 'Cache', 'cache', {
      language: 'pt-BR',
      version: '1.0',
      groups: ['Admin'],
      tags: ['Setup'],
    }),
  ]),
])

function found(filter: SearchFilter, index = site): string[] {
  return search(index, { query: 'cache', limit: 10, filter })
    .hits.map((hit) => hit.path)
    .sort()
}

test('a language narrows to its pages, regions included, whatever the case', () => {
  expect(found({ language: 'FR' })).toEqual(['fr/a.md'])
  expect(found({ language: 'pt' })).toEqual(['pt/a.md'])
  expect(found({ language: 'pt_br' })).toEqual(['pt/a.md'])
})

test('a version matches with or without its leading v', () => {
  expect(found({ version: '2' })).toEqual(['fr/a.md'])
  expect(found({ version: 'v1.0' })).toEqual(['pt/a.md'])
})

test('pages without the property match a value that no page has', () => {
  expect(found({ language: 'en' })).toEqual(['a.md'])
  expect(found({ version: 'v9' })).toEqual(['a.md'])
})

test('groups add their pages to those that name none', () => {
  expect(found({ groups: ['admin', 'other'] })).toEqual(['a.md', 'fr/a.md', 'pt/a.md'])
  expect(found({ groups: ['other'] })).toEqual(['a.md', 'fr/a.md'])
  expect(found({ groups: ['setup'] })).toEqual(['a.md', 'fr/a.md'])
  expect(found({ groups: [] })).toEqual(['a.md', 'fr/a.md'])
  expect(found({})).toEqual(['a.md', 'fr/a.md', 'pt/a.md'])
})

test('a tag narrows to the pages that have it, of those that the reader sees', () => {
  expect(found({ tag: 'Setup' })).toEqual(['fr/a.md', 'pt/a.md'])
  expect(found({ tag: 'setup', groups: [] })).toEqual(['fr/a.md'])
  expect(found({ tag: 'admin' })).toEqual([])
  expect(found({ tag: '' })).toHaveLength(3)
})

test('filters combine, and removed pages no longer carry anything', () => {
  expect(found({ language: 'fr', version: '1.0' })).toEqual([])
  const without = withChanges(site, { upserts: [], removals: ['fr/a.md'] })
  expect(found({ language: 'fr' }, without)).toEqual(['a.md'])
})

test('a filter takes effect before ranking, not after the best pages are cut', () => {
  const many = Array.from({ length: 300 }, (_, i) =>
    pageOf(`en/${i}.md`, 'Cache', 'cache cache', { language: 'en' }),
  )
  const index = createIndex([
    buildSegment([
      ...many,
      pageOf('de/a.md', 'Other', `${'Long text. '.repeat(50)} cache`, { language: 'de' }),
    ]),
  ])
  expect(found({ language: 'de' }, index)).toEqual(['de/a.md'])
})
