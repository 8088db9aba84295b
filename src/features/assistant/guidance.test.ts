import { expect, it } from 'vitest'
import { contactAfter, contactText, refusalText, refusedTopic } from './guidance.ts'

const topics = [
  'Pricing',
  'legal advice',
  'competitors (Acme, Globex)',
  'questions about security vulnerabilities',
  'Preise und Rabatte',
  '价格',
]

it.each([
  ['What is the price of the team plan?', 'Pricing'],
  ['Can you explain your pricing?', 'Pricing'],
  ['Is it legal to do that?', 'legal advice'],
  ['How does it compare to globex?', 'competitors (Acme, Globex)'],
  ['Which security vulnerability was found?', 'questions about security vulnerabilities'],
  ['Welche Rabatte gibt es?', 'Preise und Rabatte'],
  ['这个产品的价格是多少', '价格'],
  ['How do I set up security headers?', undefined],
  ['Which advice do you have for deployments?', undefined],
  ['How do I install it?', undefined],
  ['', undefined],
])('takes %j for a question about %j', (question, topic) => {
  expect(refusedTopic(question, topics)).toBe(topic)
})

it('refuses nothing for topics without words', () => {
  expect(refusedTopic('What about the thing?', ['the', ',', '…'])).toBeUndefined()
})

it('names the topic without markup', () => {
  expect(refusalText('[prices](https://x)')).toBe(
    'This assistant does not answer questions about “prices (https://x)”.',
  )
})

it.each([
  ['refused', 'How?', true],
  ['unanswered', 'How?', true],
  ['uncited', 'How?', true],
  ['answered', 'How?', false],
  ['failed', 'Can I talk to a human?', false],
  ['answered', 'Can I talk to a human?', true],
  ['greeting', 'I want to speak with someone from support, please', true],
  ['answered', 'How do I contact your support team?', true],
  ['answered', 'Ich möchte mit einem Menschen sprechen', true],
  ['answered', '转人工', true],
  ['answered', 'How do I call the API with support for retries?', false],
  ['answered', 'Does it support a human review step?', false],
] as const)('after an outcome of %s for %j it shows the contact: %s', (outcome, question, shown) => {
  expect(contactAfter(outcome, question, 'help@example.com') !== undefined).toBe(shown)
  expect(contactAfter(outcome, question, undefined)).toBeUndefined()
})

it('writes a contact as one link, whatever its name and address hold', () => {
  const text = contactText(
    { name: 'Us](https://evil.example) [x', url: "https://example.com/a(b)'?c=<d>" },
    true,
  )
  expect(text).toBe(
    'For more help, contact [Us (https://evil.example) x](https://example.com/a%28b%29%27?c=%3Cd%3E).',
  )
  expect(contactText({ name: '[]', url: 'mailto:a_b@example.com' }, false)).toBe(
    '✉ [Contact](mailto:a_b@example.com)',
  )
})
