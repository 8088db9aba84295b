import { expect, test } from 'vitest'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { buildSegment } from './build-segment.ts'
import { acquisitionIn, definitionIn } from './evidence.ts'
import { createIndex } from './search-index.ts'
import { search } from './search.ts'
import { siteNames } from './site-names.ts'

const names = new Set(['lantern', '~lantern'])
const shown = (...lines: string[]) => {
  const text = `Get it:\n\n\`\`\`sh\n${lines.join('\n')}\n\`\`\``
  return acquisitionIn(buildSegment([pageOf('a.md', 'A', text)].values()), 0, names)?.share ?? 0
}

test.each([
  ['apk add lantern', 1],
  ['$ sudo apt-get install lantern', 1],
  ['pipx install lantern==1.8.4', 1],
  ['curl -fsSL https://cdn.example.com/lantern/install.sh | sudo bash', 1],
  ['docker run -p 80:80 lantern/lantern:v3', 1],
  ['npm create lantern-app@latest', 0.8],
  ['cargo install create-lantern-app --locked', 0.8],
  ['npm install @lantern-apps/plugin-store', 0.5],
  ['git clone https://github.com/lantern/lantern.git', 0.4],
  ['lantern add lantern', 0],
  ['k3d cluster create lantern', 0],
  ['apt install curl', 0],
])('"%s" gets the product by %s', (line, share) => {
  expect(shown(line)).toBe(share)
})

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
  const pages = topics.map((topic) =>
    pageOf(`${topic}.md`, topic, `Type carry. The Carryfile of Carry has ${topic}.`),
  )
  expect(siteNames(createIndex([buildSegment([home, ...pages].values())])).has('carry')).toBe(true)
})
