import { expect, it } from 'vitest'
import type { Page } from '../../../site/pages/page.ts'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { buildSegment } from './build-segment.ts'
import { mergeSegments } from './merge-segments.ts'
import { nearPages } from './near-pages.ts'
import { createIndex, withChanges, type SearchIndex } from './search-index.ts'
import { search } from './search.ts'
import { openSegment } from './segment.ts'
import { pathAt } from './segment-strings.ts'

const english = [
  pageOf('limits.md', 'Quotas', 'How many requests a customer may send each minute before they are refused.'),
  pageOf('delete.md', 'Remove an account', 'Everything that belongs to the user is erased for good.'),
  pageOf('start.md', 'Quickstart', 'Install the package, then run the program for the first time.'),
  pageOf('colours.md', 'Themes', 'Choose fonts and the colours of buttons in the settings of the page.'),
  pageOf('backup.md', 'Backups', 'A copy of the database is written to a disk every night.'),
]
const german = pageOf(
  'de.md',
  'Sicherungen',
  'Jede Nacht wird eine Kopie der Datenbank auf eine Platte geschrieben.',
)

function pathsNear(index: SearchIndex, query: string, kind: 'text' | 'headings'): string[] {
  const near = nearPages(index, query, () => true)
  return (near?.[kind].pages ?? []).map(({ part, page }) => {
    const segment = index.parts[part]?.segment
    return segment === undefined ? '' : pathAt(segment, page)
  })
}

function indexOf(pages: readonly Page[]): SearchIndex {
  return createIndex([buildSegment(pages)])
}

it('finds pages that say the same in other words, by text and by headings', () => {
  const index = indexOf(english)
  expect(pathsNear(index, 'How do I get rid of my profile?', 'headings')[0]).toBe('delete.md')
  expect(pathsNear(index, 'getting started with setup', 'headings')[0]).toBe('start.md')
  expect(pathsNear(index, 'restore data that was lost', 'text')[0]).toBe('backup.md')
})

it('leaves pages and questions in other languages to words', () => {
  const index = indexOf([...english, german, pageOf('declared.md', 'Backups', 'A copy.', { language: 'de' })])
  expect(pathsNear(index, 'a copy of the database', 'text')).toHaveLength(english.length)
  expect(nearPages(index, 'Wie schreibe ich eine Kopie der Datenbank?', () => true)).toBeUndefined()
  expect(nearPages(indexOf([german]), 'copy of the database', () => true)).toBeUndefined()
  expect(nearPages(createIndex([]), 'copy of the database', () => true)).toBeUndefined()
})

it('only lets allowed pages through, and no deleted ones', () => {
  const index = withChanges(indexOf(english), { upserts: [], removals: ['delete.md'] })
  const near = nearPages(index, 'remove an account', (part, page) => index.parts[part]?.deleted[page] !== 1)
  expect(near?.headings.pages.map(({ page }) => page)).not.toContain(1)
  expect(near?.headings.pages).toHaveLength(4)
})

it('finds the same in a file, after changes and after a merge', () => {
  const whole = buildSegment(english)
  const reopened = createIndex([openSegment(whole.buffer.slice(0))])
  let grown = createIndex([buildSegment(english.slice(0, 3))])
  for (const page of english.slice(3)) grown = withChanges(grown, { upserts: [page], removals: [] })
  const merged = createIndex([mergeSegments(grown.parts)])
  for (const index of [reopened, grown, merged]) {
    expect(pathsNear(index, 'How do I get rid of my profile?', 'headings')[0]).toBe('delete.md')
    expect(pathsNear(index, 'restore data that was lost', 'text')[0]).toBe('backup.md')
  }
})

it('raises the page that means the question among those that share a word with it', () => {
  const shared = 'The account is shown on this page as well.'
  const pages = english.map((page) => ({
    ...page,
    sections: page.sections.map((one) => ({ ...one, text: `${one.text} ${shared}` })),
  }))
  const query = 'getting rid of it: account'
  const first = (without: string[]): string | undefined =>
    search(indexOf(pages), { query, limit: 5, without }).hits[0]?.path
  expect(first([])).toBe('delete.md')
})
