import { expect, it } from 'vitest'
import { readGuidanceFile } from './guidance-file.ts'
import { guidance, readContact, readStarter } from './guidance.ts'

it('reads instructions, and what the front matter asks for', () => {
  const text = `---
starters:
  - How do I install it?
  - /guides How do I deploy?
refuse: prices
contact: Support <3 https://example.com/help
---

Call readers by "you".\u{202E}
`
  expect(readGuidanceFile(text)).toEqual({
    guidance: {
      instructions: 'Call readers by "you".',
      starters: ['How do I install it?', '/guides How do I deploy?'],
      refuse: ['prices'],
      contact: 'Support <3 https://example.com/help',
    },
    problems: [],
  })
})

it.each([
  ['instructions that are too long', 'x'.repeat(4001), /4,001 characters, so it is not used/],
  ['a file that is far too long', 'x'.repeat(200_000), /too long/],
  [
    'a contact at another kind of address',
    '---\ncontact: javascript:alert(1)\n---\n',
    /"contact" must be an email/,
  ],
  ['a list of something else', '---\nrefuse: [1, {a: b}]\n---\n', /"refuse" must be a list/],
  [
    'too many starters',
    `---\nstarters: [${'a,'.repeat(60)}]\n---\n`,
    /"starters" must be a list of at most 50/,
  ],
  ['a path without a question', '---\nstarters: /guides\n---\n', /"starters" must be/],
  ['an unknown field', '---\nmodel: x\n---\n', /unknown field "model"/],
  ['instructions as a field', '---\ninstructions: x\n---\n', /unknown field "instructions"/],
  ['broken front matter', '---\nrefuse: "\n  - [\n---\n', /front matter is not valid/],
  ['hostile front matter', `---\nrefuse: ${'['.repeat(5000)}\n---\n`, /front matter is not valid/],
])('leaves %s out, and says so', (_, text, problem) => {
  const { guidance: found, problems } = readGuidanceFile(text)
  expect(found).toEqual({})
  expect(problems.join('\n')).toMatch(problem)
})

it('keeps what is valid beside what is not', () => {
  const { guidance: found, problems } = readGuidanceFile(
    '---\nrefuse: prices\ncontact: nobody\n---\nBe brief.\0',
  )
  expect(found).toEqual({ refuse: ['prices'], instructions: 'Be brief.' })
  expect(problems).toHaveLength(1)
})

it.each([
  ['help@example.com', { name: 'help@example.com', url: 'mailto:help@example.com' }],
  [
    'mailto:help@example.com?subject=Docs',
    { name: 'help@example.com', url: 'mailto:help@example.com?subject=Docs' },
  ],
  ['https://example.com/help', { name: 'example.com/help', url: 'https://example.com/help' }],
  [
    'The support team https://example.com/help',
    { name: 'The support team', url: 'https://example.com/help' },
  ],
  ['http://example.com', undefined],
  ['https:example.com', undefined],
  ['https://user:secret@example.com', undefined],
  ['javascript:alert(1)', undefined],
  ['mailto:', undefined],
  ['Support', undefined],
  ['', undefined],
])('reads the contact %j', (text, contact) => {
  expect(readContact(text)).toEqual(contact)
  expect(guidance.safeParse({ contact: text }).success).toBe(contact !== undefined)
})

it('reads the path before a question', () => {
  expect(readStarter(' /guides/  How do I deploy? ')).toEqual({
    path: '/guides',
    question: 'How do I deploy?',
  })
  expect(readStarter('What does / mean?')).toEqual({ path: undefined, question: 'What does / mean?' })
})
