import { expect, it } from 'vitest'
import { readMention } from './read-mention.ts'

const names = ['docwright', 'docs-bot']

it.each([
  ['@docwright fix the link', 'fix the link'],
  ['@Docwright: fix the link', 'fix the link'],
  ['@docs-bot, fix it.', 'fix it.'],
  ['Could you, @docwright?', 'Could you, @docwright?'],
  ['> said before\n\n@docwright and now this', '> said before\n\n@docwright and now this'],
])('takes %j as a task', (body, prompt) => {
  expect(readMention(body, names)).toBe(prompt)
})

it.each([
  'docwright, fix it',
  'Mail me@docwright.example',
  '@docwright-fan look',
  '@docwright/maintainers look',
  '@docwright.io is a site',
  '> @docwright fix it\n\nI do not think so',
  '```\n@docwright fix it\n```',
  '~~~\n```\n@docwright\n```\n~~~ no',
  '`@docwright` is its name',
  '@docwright',
])('leaves %j alone', (body) => {
  expect(readMention(body, names)).toBeUndefined()
})
