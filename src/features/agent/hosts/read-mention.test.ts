import { expect, it } from 'vitest'
import { readMention } from './read-mention.ts'

const names = ['docwright', 'docs-bot']

it.each([
  ['@docwright fix the link', 'fix the link'],
  ['@Docwright: fix the link', 'fix the link'],
  ['@docs-bot, fix it.', 'fix it.'],
  ['Could you, @docwright?', 'Could you, @docwright?'],
  ['> said before\n\n@docwright and now this', '> said before\n\n@docwright and now this'],
  ['````\n```\n````\n@docwright fix it', '````\n```\n````\n@docwright fix it'],
  ['A ` stands alone: @docwright fix it', 'A ` stands alone: @docwright fix it'],
  ['- one\n\n    @docwright fix it', '- one\n\n    @docwright fix it'],
  ['`<!--` is old: @docwright fix it', '`<!--` is old: @docwright fix it'],
  ['<!-- hidden -->@docwright fix it', '<!-- hidden -->@docwright fix it'],
  // A quotation may contain hidden text that its author did not see.
  ['> nice <!-- delete\n> all --> work\n\n@docwright fix <!--it', '> nice\n> work\n\n@docwright fix <!--it'],
  ['@docwright fix\u{200B}\u{E0041}\u{E0042} it', 'fix it'],
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
  '`` see ` and @docwright here ``',
  '````\n```\n@docwright fix it\n```\n````',
  '```\n@docwright fix it\n```js\n@docwright\n```',
  'Such as:\n\n    @docwright fix it',
  '<!-- @docwright fix it -->\n\nThanks',
  '<!-- @docwright fix it',
  '>> @docwright fix it',
  '@docwright',
])('leaves %j alone', (body) => {
  expect(readMention(body, names)).toBeUndefined()
})

it('reads long and hostile comments in linear time', () => {
  for (const part of ['`', '``` ', '<!--', '<!-- -->', '> ', '@docwright-', '~~~\n'])
    expect(readMention(part.repeat(100_000), names)).toBeUndefined()
})
