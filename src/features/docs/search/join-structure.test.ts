import { expect, test } from 'vitest'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import type { Page } from '../../../site/pages/page.ts'
import { buildSegment } from './build-segment.ts'
import { createIndex } from './search-index.ts'
import { search, type SearchRequest } from './search.ts'
import { siteNames } from './site-names.ts'

const about = (title: string): string =>
  `With Tidepool you can do ${title.toLowerCase()}. Every part of Tidepool knows about it.\n## Why in Tidepool\nTidepool, Tidepool and Tidepool.`
const topics = ['Lanes', 'Workers', 'Schedules', 'Retries', 'Metrics', 'Hooks', 'Keys', 'Plugins']
const pages: Page[] = [
  pageOf(
    'welcome.md',
    'Welcome',
    'Tidepool is a queue for background work that runs on one server and needs nothing else.',
  ),
  pageOf(
    'guide/install.md',
    'Installing Tidepool',
    `Download it.\n## Linux\nUnpack the archive.\n## Windows\nRun the installer.`,
  ),
  pageOf(
    'reference/changelog.md',
    'Changelog',
    '## 2.1\nTidepool: install on Windows is fixed. Install again, install twice.',
  ),
  ...topics.map((topic) => pageOf(`guide/${topic.toLowerCase()}.md`, topic, about(topic))),
]
const index = createIndex([buildSegment(pages)], ['welcome.md', 'guide/install.md'])
const first = (query: string, rest: Partial<SearchRequest> = {}) =>
  search(index, { query, limit: 5, ...rest }).hits[0]

test('the name of the product is learned from how the pages write it', () => {
  expect([...siteNames(index)]).toEqual(['tidepool', '~tidepool'])
  expect([...siteNames(createIndex([buildSegment(pages.slice(0, 3))]))]).toEqual([])
})

test('who asks what the product is finds where the site begins', () => {
  for (const query of ['What is Tidepool?', 'tidepool', 'What does Tidepool do?'])
    expect(first(query)).toMatchObject({ path: 'welcome.md', heading: undefined })
})

test('a page whose title is the question comes first, with its beginning', () => {
  for (const query of ['How do I install Tidepool?', 'How do I install it?', 'installation'])
    expect(first(query)).toMatchObject({ path: 'guide/install.md', heading: undefined })
})

test('a page whose address is pasted comes first, with the section that it names', () => {
  const sites = ['https://docs.example.com/help']
  const worker = pages[4]
  const url = worker?.url ?? ''
  const anchor = worker?.sections[1]?.anchor ?? ''
  expect(first(`https://docs.example.com/help${url}`, { sites })?.url).toBe(url)
  expect(
    first(`What does https://docs.example.com/help${url}#${anchor} say about retries?`, { sites }),
  ).toMatchObject({ url, anchor })
})

test('a name in camel case is known as a whole, or where the pages write its parts one after the other', () => {
  const cars = createIndex([
    buildSegment([
      pageOf('car.md', 'Cars', 'Take the car.'),
      pageOf('play.md', 'Play', 'Press play. Then read the front matter.'),
    ]),
  ])
  expect(search(cars, { query: 'Does it work with CarPlay?', limit: 3 }).unknown).toContain('CarPlay')
  expect(search(cars, { query: 'Does it have FrontMatter?', limit: 3 }).unknown).toEqual([])
})

test('words are found however they are joined and spelled', () => {
  const spelled = createIndex([
    buildSegment([
      pageOf('a.md', 'Backup', 'Make a backup. The colour is grey.'),
      pageOf('b.md', 'Other', 'Nothing of that. Use the front-matter.'),
    ]),
  ])
  const found = (query: string) => search(spelled, { query, limit: 3 }).hits.map(({ path }) => path)
  expect(found('how to back up')).toEqual(['a.md'])
  expect(found('gray color')).toEqual(['a.md'])
  expect(found('frontmatter')).toEqual(['b.md'])
})
