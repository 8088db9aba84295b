import { expect, it } from 'vitest'
import { createCitations } from '../links/citations.ts'
import type { Search, SearchHit } from '../ports.ts'
import { createLookup, weakFloor } from './lookup.ts'
import { planOf } from './plan-search.ts'

const hit = (page: string, section: string, score: number, content = 'Text.'): SearchHit => ({
  path: `${page}.md`,
  url: `/${page}`,
  title: page,
  heading: section,
  anchor: section,
  content,
  score,
})

function lookupOn(found: SearchHit[], within: SearchHit[] = [], isForModel = true) {
  const search: Search = (_, request) =>
    Promise.resolve({ hits: request.within === undefined ? found : within, confidence: 0.9 })
  const citations = createCitations(
    {
      findPage: () => Promise.resolve(undefined),
      slugOf: (_, url) => url.slice(1),
      linkOf: (_, url, anchor) => `https://x.example${url}#${anchor}`,
    },
    { id: 'p', domain: 'd' },
  )
  return createLookup({ search, onError: () => undefined }, citations, {
    project: { id: 'p', domain: 'd' },
    pageSize: 5,
    isForModel,
    filter: undefined,
    currentPath: undefined,
    context: [],
  })
}

const urlsOf = (results: { url: string }[]) => results.map(({ url }) => url.replace('https://x.example/', ''))

it('shows more sections of a page that clearly leads', async () => {
  const found = [hit('a', 'one', 0.9), hit('b', 'two', 0.3), hit('c', 'three', 0.2), hit('d', 'four', 0.1)]
  const within = ['one', 'five', 'six', 'seven', 'eight', 'nine'].map((name) => hit('a', name, 0.5))
  const { results } = await lookupOn(found, within).search(planOf('q'), weakFloor)
  expect(urlsOf(results)).toEqual([
    'a#one',
    'a#five',
    'a#six',
    'a#seven',
    'a#eight',
    'b#two',
    'c#three',
    'd#four',
  ])
  const near = [hit('a', 'one', 0.9), hit('b', 'two', 0.8)]
  expect(urlsOf((await lookupOn(near, within).search(planOf('q'), weakFloor)).results)).toEqual([
    'a#one',
    'b#two',
  ])
})

it('shows a model nothing twice, and further results instead', async () => {
  const found = Array.from({ length: 12 }, (_, n) => hit(`p${n}`, 's', 0.9))
  const lookup = lookupOn(found)
  expect((await lookup.search(planOf('first'), weakFloor)).results).toHaveLength(8)
  // Clients see what was found; the model finds the first ones named.
  const { results } = await lookup.search(planOf('second'), weakFloor)
  const again = ['p0#s', 'p1#s', 'p2#s', 'p3#s', 'p4#s']
  expect(urlsOf(results)).toEqual([...again, 'p8#s', 'p9#s', 'p10#s'])
  expect(lookup.repeatsIn('second')).toHaveLength(again.length)
})

it('cuts results for a model, the further ones earlier, and says so', async () => {
  const found = Array.from({ length: 5 }, (_, n) => hit(`p${n}`, 's', 0.9, '文'.repeat(4000)))
  const { results } = await lookupOn(found).search(planOf('q'), weakFloor)
  const sizes = results.map(({ content }) => Buffer.byteLength(content))
  expect(sizes.slice(0, 3).every((size) => size > 2000 && size <= 2410)).toBe(true)
  expect(sizes.slice(3).every((size) => size <= 1210)).toBe(true)
  expect(results.every(({ content }) => content.endsWith('[…]'))).toBe(true)
})

it('leaves the results of the built-in model whole, and repeats them', async () => {
  const lookup = lookupOn([hit('a', 'one', 0.9, 'x'.repeat(4000))], [], false)
  for (const query of ['first', 'second']) {
    const { results } = await lookup.search(planOf(query), weakFloor)
    expect(results[0]?.content).toHaveLength(4000)
  }
})
