import { expect, it } from 'vitest'
import { splitText } from './split-text.ts'

it('keeps a code block together that shows another one', () => {
  const code = '````md\n```{include} a.md\n```\n````'
  expect(splitText(`Include it:\n\n${code}\n\nDone.`)).toMatchObject([
    { kind: 'sentence' },
    { kind: 'code', text: code, lines: 2 },
    { kind: 'sentence', text: 'Done.' },
  ])
})
