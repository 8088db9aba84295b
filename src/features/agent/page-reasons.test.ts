import { expect, it } from 'vitest'
import { joinReasons } from './page-reasons.ts'

it('keeps the reasons and sources of earlier turns when a later one touches a page again', () => {
  const joined = joinReasons([
    { path: 'a.md', reason: 'It was wrong', sources: ['x.ts:3'], links: { 'x.ts:3': 'https://x' } },
    { path: 'b.md', reason: 'New', sources: [] },
    { path: 'a.md', reason: 'Shorter', sources: ['the prompt', 'x.ts:3'] },
    { path: 'a.md', reason: '', sources: [] },
    { path: 'b.md', reason: 'follows the move of a.md', sources: [], follows: true },
  ])
  expect(joined).toEqual([
    {
      path: 'a.md',
      reason: 'It was wrong. Shorter',
      sources: ['x.ts:3', 'the prompt'],
      links: { 'x.ts:3': 'https://x' },
    },
    { path: 'b.md', reason: 'New', sources: [] },
  ])
})
