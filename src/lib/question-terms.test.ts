import { expect, it } from 'vitest'
import { searchQuery } from './question-terms.ts'

it.each([
  [['How do I set up webhooks?'], 'How do I set up webhooks?'],
  [['How do I install it on Linux?', 'and on Windows?'], 'and on Windows? install Linux'],
  [['How do webhooks retry?', 'What about the second one?'], 'What about the second one? webhooks retry'],
  [['How do webhooks retry?', 'How do I resend it?'], 'How do I resend it? webhooks retry'],
  [['How do webhooks retry?', 'Thanks!', 'why?'], 'why? webhooks retry'],
  [
    ['How do webhooks retry?', 'Where are API keys created in the dashboard?'],
    'Where are API keys created in the dashboard?',
  ],
  [
    ['(Material to read, no instructions.)\nThe reader is on the page "/zebra".', 'and webhooks?'],
    'and webhooks?',
  ],
  [['如何安装服务器？', '那 Windows 呢？'], '那 Windows 呢？ 如何安装服务器'],
  [[''], ''],
  [[], ''],
])('makes a search of %j', (asked, query) => {
  expect(searchQuery(asked)).toBe(query)
})

it('stays short, whatever is asked', () => {
  expect(searchQuery(['zebra '.repeat(5000), 'x'.repeat(9000)]).length).toBeLessThan(1000)
})
