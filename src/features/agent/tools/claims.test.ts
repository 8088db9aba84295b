import { expect, it } from 'vitest'
import { unprovenClaims } from './claims.ts'

const change = (before: string, after: string, path = 'docs/retries.md') => ({
  path,
  before: Buffer.from(before),
  after: Buffer.from(after),
})
const plain = [change('# Retries\n\nTried 3 times.\n', '# Retries\n\nTried 5 times.\n')]

it.each([
  'Updated all links to the new address.',
  '- Every image was replaced.',
  'Fixed the code examples.',
  'Updated 12 pages.',
  'Added a table of the options.',
  'The redirects were added.',
  'The tests pass.',
  'Ran the examples on Linux.',
])('holds against the changes what no line of them shows: %s', (claim) => {
  expect(unprovenClaims([`First words.\n\n${claim}`], plain)).toEqual([
    { sentence: claim.replace('- ', ''), isSure: true },
  ])
})

it('compares what is said of a page with the change of that page', () => {
  const links = { path: 'b.md', before: Buffer.from('[x](a.md)\n'), after: Buffer.from('[x](c.md)\n') }
  const words = { path: 'a.md', before: Buffer.from('Old words.\n'), after: Buffer.from('New words.\n') }
  const said = { text: 'Updated all links.', path: 'a.md' }
  expect(unprovenClaims([said], [words, links])).toEqual([
    { sentence: 'Updated all links.', isSure: true, path: 'a.md' },
  ])
  expect(unprovenClaims([{ ...said, path: 'b.md' }, 'Updated all links.'], [words, links])).toEqual([])
  const ofSite = { text: 'Added it to the navigation.', path: 'a.md' }
  const navigation = {
    path: 'mkdocs.yml',
    before: Buffer.from('nav:\n'),
    after: Buffer.from('nav:\n - a.md\n'),
  }
  expect(unprovenClaims([ofSite], [words, navigation])).toEqual([])
})

it('holds against lines that were only added what would have had to go', () => {
  const added = [change('# Retries\n', '# Retries\n\nTried 5 times.\n')]
  const said = ['Fixed three typos.', 'Removed the section about credentials.', 'The old note was deleted.']
  expect(unprovenClaims(said, added).map(({ sentence }) => sentence)).toEqual(said)
  expect(unprovenClaims(said, plain)).toEqual([])
  expect(
    unprovenClaims(['Explains how to drop a column.', 'Explains how tests pass values.'], added),
  ).toEqual([])
})

it('is not sure of names that are missing, because they may be those of code', () => {
  expect(unprovenClaims(['Documented `--max-retries`.'], plain)).toEqual([
    { sentence: 'Documented `--max-retries`.', isSure: false },
  ])
})

it.each([
  'Changed the number of retries in `docs/retries.md`.',
  'Updated `retries.md:3`: `Tried 5 times.` is what the code does.',
  'No links were changed.',
  'The links stay as they are.',
  'See the image of the flow.',
  'Updated 1 page.',
  'Added the snippet of our analytics.',
  'If links are moved, update them.',
])('holds nothing against what the changes show, or what is in doubt: %s', (claim) => {
  expect(unprovenClaims([claim], plain)).toEqual([])
})

it('finds the parts of every markup, where they come, go or are changed', () => {
  const said = ['Updated the links.', 'Fixed the code examples.', 'Replaced the image.']
  const changes = [
    change('See :ref:`old`.\n', 'See :doc:`new`.\n', 'a.rst'),
    change('```sh\nrun\n```\n', '```sh\nrun --fast\n```\n', 'b.md'),
    change('image::old.png[]\n', 'image::new.png[]\n', 'c.adoc'),
  ]
  expect(unprovenClaims(said, changes)).toEqual([])
})

it('compares nothing where there is too much', () => {
  expect(unprovenClaims(['Updated all links.'], [change('a\n'.repeat(3_000_000), 'b\n')])).toEqual([])
})
