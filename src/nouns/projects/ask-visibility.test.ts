import { PassThrough, Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { askVisibility } from './ask-visibility.ts'

it.each([
  ['public\n', 'public'],
  ['  key \n', 'key'],
  ['\n', 'signed-in'],
  ['everybody\nsigned-in\n', 'signed-in'],
  ['everybody\npublic\n', 'public'],
  // Ending the input without an answer opens nothing to strangers.
  ['', 'signed-in'],
])('takes %j as %s', async (typed, chosen) => {
  const output = new PassThrough()
  expect(await askVisibility('handbook', { input: Readable.from([typed]), output })).toBe(chosen)
  const shown = String(output.read())
  expect(shown).toContain('/docs/handbook/')
  expect(shown.includes('Say one of')).toBe(typed.startsWith('everybody'))
})
