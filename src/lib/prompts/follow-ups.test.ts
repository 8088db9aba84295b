import { expect, test } from 'vitest'
import { hasOwnSubject } from './follow-ups.ts'

test.each([
  ['And how do I use my own model?', true],
  ['and can I add a team?', true],
  ['And how do I change the port?', false],
  ['and a team?', false],
  ['How do I use my own model?', false],
])('%s goes on with a subject of its own: %s', (question, is) => {
  expect(hasOwnSubject(question)).toBe(is)
})
