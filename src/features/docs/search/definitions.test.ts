import { expect, test } from 'vitest'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { buildSegment } from './build-segment.ts'
import { definitionIn } from './definitions.ts'
import { createIndex } from './search-index.ts'
import { search } from './search.ts'
import { siteNames } from './site-names.ts'

const names = new Set(['lantern', '~lantern'])

test('a sentence of which the product is the subject says what it is', () => {
  const defines = (title: string, text: string) =>
    definitionIn(buildSegment([pageOf('a.md', title, text)].values()), 0, names)?.share ?? 0
  expect(defines('What is Lantern?', 'Lantern is a lamp for servers.')).toBe(1)
  expect(defines('Upgrade', 'Lantern is a lamp for servers.')).toBe(0.6)
  expect(defines('FAQ', 'Ask us.\n## What is Lantern?\nLantern is a lamp.')).toBe(1)
  expect(defines('What is Lantern?', 'A lamp is a thing for Lantern.')).toBe(0)
  expect(defines('What is Lantern?', 'Lantern 2 is a new code base.')).toBe(0)
})

const topics = ['Lanes', 'Workers', 'Schedules', 'Retries', 'Metrics', 'Hooks', 'Keys', 'Plugins']
const others = topics.map((topic) =>
  pageOf(
    `guide/${topic.toLowerCase()}.md`,
    topic,
    `Install ${topic} with Lantern. Lantern and \`lantern\` know it.`,
  ),
)
const first = (pages: ReturnType<typeof pageOf>[], query: string) =>
  search(createIndex([buildSegment([...pages, ...others].values())]), { query, limit: 3 }).hits[0]

test('who asks what the product is finds the section that says so, and not one that speaks of it', () => {
  const home = pageOf('index.md', 'Welcome', 'Start with the guide of Lantern, and go on to its questions.')
  const faq = pageOf(
    'guide/faq.md',
    'FAQ',
    'Often asked.\n## What is Lantern?\nLantern is a lamp for servers.',
  )
  expect(first([home, faq], 'What is Lantern?')).toMatchObject({
    path: 'guide/faq.md',
    heading: 'What is Lantern?',
  })
})

test('without a navigation, the home page says what the name of the product is', () => {
  const home = pageOf('index.md', 'Welcome', 'Carry is a server. Carry and the Carryfile belong together.')
  const pages = topics.map((topic, at) =>
    pageOf(
      `${topic}.md`,
      topic,
      at < 5 ? `Type carry. The file of Carry has ${topic}.` : 'A page of its own.',
    ),
  )
  const namesWith = (first: typeof home) => siteNames(createIndex([buildSegment([first, ...pages].values())]))
  expect(namesWith({ ...home, url: '/' }).has('carry')).toBe(true)
  // Another page only happens to have the first address.
  expect(namesWith({ ...home, url: '/about-carry' }).has('carry')).toBe(false)
})
