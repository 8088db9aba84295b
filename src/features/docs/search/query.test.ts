import { expect, test } from 'vitest'
import { editDistance } from './query.ts'

test('counts insertions, deletions, substitutions and swaps', () => {
  expect(editDistance('cache', 'cache', 2)).toBe(0)
  expect(editDistance('cache', 'caches', 2)).toBe(1)
  expect(editDistance('cache', 'cahce', 2)).toBe(1)
  expect(editDistance('cache', 'cashe', 2)).toBe(1)
  expect(editDistance('middleware', 'midlewaer', 2)).toBe(2)
})

test('stops at the limit', () => {
  expect(editDistance('cache', 'proxy', 1)).toBe(2)
  expect(editDistance('a', 'abcdef', 2)).toBe(3)
})
