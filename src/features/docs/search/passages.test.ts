import { expect, test } from 'vitest'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { passagesOf } from './passages.ts'

test('a section stays whole up to about 1,800 characters and is cut between paragraphs beyond', () => {
  const paragraph = `${'Word '.repeat(120).trim()}.`
  const text = Array.from({ length: 6 }, () => paragraph).join('\n\n')
  const passages = passagesOf(pageOf('a.md', 'A', `Lead.\n## Long\n${text}`))
  expect(passages.map((passage) => passage.opens)).toEqual([true, true, false, false])
  for (const { text: piece } of passages) expect(piece.length).toBeLessThanOrEqual(1800)
  expect(
    passages
      .slice(1)
      .map((passage) => passage.text)
      .join(''),
  ).toBe(text)
  expect(passages.at(-1)?.headings).toEqual(['Long'])
})

test('nothing is lost of a text without any break, and no character is split', () => {
  const text = '👋'.repeat(3000)
  const passages = passagesOf(pageOf('a.md', 'A', `x${text}`))
  expect(passages.map((passage) => passage.text).join('')).toBe(`x${text}`)
  for (const { text: piece } of passages) expect(piece.isWellFormed()).toBe(true)
})

test('the description comes first, once', () => {
  const page = pageOf('a.md', 'A', 'Body.\n## B\nMore.')
  expect(passagesOf({ ...page, description: 'What it is.' })[0]?.text).toBe('What it is.\n\nBody.')
  expect(passagesOf({ ...page, description: 'Body.' })[0]?.text).toBe('Body.')
})

test('an empty page has one empty passage', () => {
  expect(passagesOf(pageOf('a.md', 'A', ''))).toHaveLength(1)
})
