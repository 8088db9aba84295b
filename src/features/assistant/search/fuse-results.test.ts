import { expect, it } from 'vitest'
import { fuseResults } from './fuse-results.ts'

const hits = (...names: string[]) =>
  names.map((name) => {
    const [path = '', anchor] = name.split('#')
    return { path, url: `/${path}`, title: path, heading: anchor, anchor, content: name, score: 1 }
  })
const fused = (...lists: [weight: number, ...names: string[]][]) =>
  fuseResults(lists.map(([weight, ...names]) => ({ weight, hits: hits(...names) }))).map(
    ({ content }) => content,
  )

it('leaves one list as it is', () => {
  expect(fused([1, 'a#1', 'a#2', 'a#3', 'a#4', 'b'])).toEqual(['a#1', 'a#2', 'a#3', 'a#4', 'b'])
  expect(fused()).toEqual([])
})

it('puts first what several searches find, and what weighs more', () => {
  expect(fused([1, 'ubuntu', 'windows'], [0.7, 'windows', 'mac'])[0]).toBe('windows')
  expect(fused([1, 'a'], [0.5, 'b'])).toEqual(['a', 'b'])
})

it('counts a page once although searches find different sections of it', () => {
  const order = fused([1, 'other#x', 'page#1', 'page#2'], [0.9, 'page#3', 'third'])
  expect(order).toEqual(['page#3', 'page#1', 'other#x', 'third', 'page#2'])
})

it('shows three sections of a page at most, and several pages among the first', () => {
  const many = ['a#1', 'a#2', 'a#3', 'b#1', 'a#4', 'c', 'd', 'e'] as const
  const order = fused([1, ...many], [1, ...many])
  expect(order.filter((name) => name.startsWith('a'))).toEqual(['a#1', 'a#2', 'a#3'])
  expect(new Set(order.slice(0, 5).map((name) => name[0])).size).toBeGreaterThanOrEqual(4)
})
