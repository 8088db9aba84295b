import { expect, it } from 'vitest'
import { asksForWork } from './handle.ts'

it('takes a message that begins as a request for work, and a question for a question', () => {
  for (const text of [
    'Change the limit to 50',
    'please fix the dead links',
    'Document what was decided here.',
  ])
    expect([text, asksForWork(text)]).toEqual([text, true])
  for (const text of ['Update Docwright: how?', 'Add-ons: which are there? ', 'How do I change the limit?'])
    expect([text, asksForWork(text)]).toEqual([text, false])
})
