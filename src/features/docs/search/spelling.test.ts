import { expect, test } from 'vitest'
import { oneSpelling } from './spelling.ts'

test('words that British and American writers spell differently are one', () => {
  const pairs =
    `colour color colours colors behaviour behavior organise organize organisation organization customised customized
    analyse analyze catalogue catalog licence license centre center cancelled canceled grey gray neighbouring neighboring`.split(
      /\s+/,
    )
  for (let at = 0; at < pairs.length; at += 2) expect(oneSpelling(pairs[at] ?? '')).toBe(pairs[at + 1])
})

test('words that only look so stay what they are', () => {
  for (const word of [
    'four',
    'your',
    'hour',
    'tour',
    'source',
    'course',
    'filled',
    'called',
    'wise',
    'rise',
    'core',
    'greyhound',
    'vogue',
  ])
    expect(oneSpelling(word)).toBe(word)
})
