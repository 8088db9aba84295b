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
  ['1Installation', 'installation'],
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
  const setup = pageOf('ops/setup.md', 'Setup', 'Tidepool comes as an archive to download.')
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

test('a page on setting up something else is none on installing, whatever its title', () => {
  const setup = pageOf(
    'learn/setup.md',
    'Setup',
    'Where Tidepool is installed, make a lane for each machine.',
  )
  expect(first([introduction, setup], 'How do I install Tidepool?')).toMatchObject({
    path: 'learn/basics/introduction.md',
  })
})

test('a page that stands in for one on installing leads only where it says how', () => {
  const quick = (text: string) => pageOf('learn/quick.md', 'Quick start', text)
  const asked = 'How do I install Tidepool?'
  expect(first([quick('Install Tidepool with one command.')], asked)).toMatchObject({ leads: true })
  expect(first([quick('Once Tidepool is installed, make a lane.')], asked)).toMatchObject({ leads: false })
})

test('a folder whose name is the role is found by its first page, unless one of its pages has the role', () => {
  const docker = pageOf('installation/01-docker.md', 'Docker', 'Run the image of Tidepool.')
  const linux = pageOf('installation/02-linux.md', 'Linux', 'Unpack the archive of Tidepool.')
  const parts = pageOf('develop/parts/setup.md', 'Setup', 'Install what you need to build Tidepool.')
  const asked = 'How do I install Tidepool?'
  expect(first([parts, linux, docker], asked)).toMatchObject({
    path: 'installation/01-docker.md',
    leads: true,
  })
  const all = pageOf('installation/03-all.md', 'Installing Tidepool', 'Install it.')
  expect(first([parts, linux, docker, all], asked)).toMatchObject({ path: 'installation/03-all.md' })
})

test('of two pages of a name, the one in a folder with which the site begins is meant', () => {
  const community = pageOf(
    'community/welcome.md',
    'Getting started',
    'Write to us before you change Tidepool.',
  )
  const begin = pageOf('get-started/basics.md', 'Getting started', 'Make a lane with Tidepool.')
  expect(first([community, begin], 'How do I get started with Tidepool?')).toMatchObject({
    path: 'get-started/basics.md',
  })
})

test('a page whose address is of another subject hardly plays the role of its title', () => {
  const login = pageOf('login.md', 'Tutorials', 'Sign in to Tidepool with other providers.')
  expect(first([introduction, login], 'How do I get started with Tidepool?')).toMatchObject({
    path: 'learn/basics/introduction.md',
  })
})

test('a page on a command of the product is none to start with', () => {
  const start = pageOf('cli/start.md', 'tidepool start', 'Starts a lane of Tidepool. Start it again.')
  const install = pageOf('installation.md', 'Installation', 'Download Tidepool.')
  expect(first([start, install], 'How do I get started with Tidepool?')).toMatchObject({
    path: 'installation.md',
    leads: true,
  })
})

test('a name in small letters that stands on most pages is known from the question', () => {
  const pages = topics.map((topic) =>
    pageOf(
      `guide/${topic.toLowerCase()}.md`,
      topic,
      `In fish, ${topic.toLowerCase()} are easy. Type in fish.`,
    ),
  )
  const tutorial = pageOf('tutorial.md', 'Tutorial', 'This shell is for people. Type `fish`.')
  const { hits, leads } = search(createIndex([buildSegment([...pages, tutorial])]), {
    query: 'How do I get started with fish?',
    limit: 5,
  })
  expect({ path: hits[0]?.path, leads }).toEqual({ path: 'tutorial.md', leads: true })
})
