import { expect, it } from 'vitest'
import { onceEach } from './once-each.ts'

it('counts what is asked in the same words, and keeps apart what is not kept', () => {
  const asked = ['SAML support?', null, 'saml  support', 'Slack', null, '…']
  expect(onceEach(asked, (one) => one).map(({ entry, times }) => [entry, times])).toEqual([
    ['SAML support?', 2],
    [null, 1],
    ['Slack', 1],
    [null, 1],
    ['…', 1],
  ])
})
