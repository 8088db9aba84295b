import { expect, it } from 'vitest'
import { judgeAnswer } from './compose-answer.ts'
import { chooseLine, joinParts } from './join-parts.ts'
import { splitQuestion } from './split-question.ts'

it.each([
  [
    'How do I export a zebra, and can it send an email?',
    ['How do I export a zebra', 'can it send an email?'],
  ],
  [
    'How do I add a zebra? Also how are stripes counted?',
    ['How do I add a zebra', 'how are stripes counted?'],
  ],
  ['How do I add and remove a zebra?', undefined],
  ['Why does it stop? Can you help?', undefined],
])('%s', (text, parts) => {
  expect(splitQuestion(text)).toEqual(parts ?? [text])
})

const page = {
  path: 'export.md',
  url: '/export',
  title: 'Export a zebra',
  heading: '',
  content: 'Export a zebra with `zebra export`. It writes a file.',
}
const judged = (text: string, unknown: string[] = []) =>
  [text, judgeAnswer({ text, context: '', results: [page], near: [], unknown })] as const

it('quotes for the part that is answered and names the one that is not', () => {
  const joined = joinParts([judged('How do I export a zebra'), judged('can it send a fax?', ['fax'])])
  expect(joined).toMatchObject({ outcome: 'partial', missing: ['fax'] })
  expect(joined.remarks).toEqual(['The documentation does not answer “can it send a fax?”.'])
  expect(joined.quotes).toHaveLength(1)
})

it('is answered where all parts are, each passage once, and unanswered where none is', () => {
  const both = joinParts([judged('How do I export a zebra'), judged('what does zebra export write?')])
  expect(both).toMatchObject({ outcome: 'answered', remarks: [] })
  expect(both.quotes).toHaveLength(1)
  const none = joinParts([judged('can it send a fax', ['fax']), judged('is there a pager?', ['pager'])])
  expect(none).toMatchObject({ outcome: 'unanswered', missing: ['fax', 'pager'], quotes: [] })
})

it('takes the line of what was pasted that is answered best', () => {
  const lines = [judged('fatal: cannot reach the pager'), judged('zebra export writes no file')]
  expect(chooseLine(lines, [])).toMatchObject({
    outcome: 'answered',
    quotes: [{ text: expect.stringContaining('zebra export') }],
  })
})
