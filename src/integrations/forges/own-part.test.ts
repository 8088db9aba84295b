import { expect, it } from 'vitest'
import { commentMarks, newText, replaceOwnText } from './own-part.ts'

const former = 'Explains retries.\n\nNames the limit.'

function edited(change: (text: string) => string): string {
  return replaceOwnText(commentMarks, change(newText(commentMarks, former, undefined)), {
    body: 'New',
    former,
  })
}

it('keeps the lines that people put into its part, below it', () => {
  expect(edited((text) => text.replace('Names', 'Mind the image.\n\nNames'))).toMatch(
    /^<!-- \S+ -->\n\nNew\n\n<!-- \S+ -->\n\nMind the image\.$/,
  )
})

it('keeps them where people also changed or removed a line of its own', () => {
  const changed = edited((text) =>
    text.replace('Names the limit.', 'Names the new limit.\n\nMind the image.'),
  )
  expect(changed).toMatch(/New\n\n<!-- \S+ -->\n\nNames the new limit\.\nMind the image\.$/)
  const removed = edited((text) => text.replace('Names the limit.', 'Mind the image.'))
  expect(removed).toMatch(/New\n\n<!-- \S+ -->\n\nMind the image\.$/)
  expect(replaceOwnText(commentMarks, removed, { body: 'New', former })).toBe(removed)
})

it('keeps them in a part that was too long for the host', () => {
  const long = Array.from({ length: 4000 }, (_, n) => `Line ${n} of a long description.`).join('\n')
  const present = newText(commentMarks, long, undefined).replace('Line 5 of', 'Mind the image.\nLine 5 of')
  const now = replaceOwnText(commentMarks, present, { body: 'New', former: long })
  expect(now).toMatch(/New\n\n<!-- \S+ -->\n\nMind the image\.$/)
})
