import { expect, test } from 'vitest'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { buildSegment } from './build-segment.ts'
import { roleOf } from './roles.ts'
import { createIndex } from './search-index.ts'
import { search } from './search.ts'

const names = new Set(['tidepool', '~tidepool'])

test.each([
  ['About Tidepool', 'introduction'],
  ['Tidepool', undefined],
  ['Tidepool overview', 'introduction'],
  ['How do I get started?', 'start'],
  ['Quick start', 'start'],
  ['2. First steps', 'start'],
  ['Setting up Tidepool', 'installation'],
  ['How do I install it?', 'installation'],
  ['Install the Tidepool plugin', undefined],
  ['How do I set a timeout?', undefined],
  ['What is a step?', undefined],
])('of %s the role is %s', (text, role) => {
  expect(roleOf(text, names)).toBe(role)
})

const about = (title: string): string => `With Tidepool you can do ${title.toLowerCase()}. Tidepool knows it.`
const topics = ['Lanes', 'Workers', 'Schedules', 'Retries', 'Metrics', 'Hooks', 'Keys', 'Plugins']
const others = topics.map((topic) => pageOf(`guide/${topic.toLowerCase()}.md`, topic, about(topic)))
const plugin = pageOf(
  'guide/install-the-plugin.md',
  'Install a plugin',
  'To get started, install the plugin. Install it again where Tidepool was installed before.\n## Getting started with plugins\nStart.',
)
const first = (pages: ReturnType<typeof pageOf>[], query: string) => {
  const { hits, leads } = search(createIndex([buildSegment([...pages, ...others, plugin])]), {
    query,
    limit: 5,
  })
  return { path: hits[0]?.path, heading: hits[0]?.heading, leads }
}

const introduction = pageOf(
  'learn/basics/introduction.md',
  'Introduction',
  'Tidepool is a queue for background work.\n## Installation\nUnpack the archive.',
)

test('how to install is a section of the introduction where no page is called so', () => {
  expect(first([introduction], 'How do I install Tidepool?')).toEqual({
    path: 'learn/basics/introduction.md',
    heading: 'Installation',
    leads: true,
  })
  const setup = pageOf('ops/setup.md', 'Setup', 'Tidepool comes as an archive.')
  expect(first([introduction, setup], 'How do I install Tidepool?')).toMatchObject({ path: 'ops/setup.md' })
})

test('the page to start with is found by another name, and is the introduction where there is none', () => {
  const quick = pageOf('learn/quick.md', 'Quick start', 'Make a lane, then a worker.')
  expect(first([introduction, quick], 'Getting started')).toMatchObject({
    path: 'learn/quick.md',
    leads: true,
  })
  expect(first([introduction], 'How do I get started?')).toMatchObject({
    path: 'learn/basics/introduction.md',
    leads: true,
  })
})

test('a page leads only where the question asks for nothing else', () => {
  expect(first([introduction], 'How do I install a plugin?')).toMatchObject({
    path: 'guide/install-the-plugin.md',
    leads: false,
  })
})
