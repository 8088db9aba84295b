import { expect, test } from 'vitest'
import { verbatimShare } from './verbatim.ts'

const page =
  'Restoring it ends with:\n\n```\nFatal: unable to load index de30f323: invalid data returned\n```'

test('a message is known again by the words that follow each other, whatever its numbers', () => {
  expect(verbatimShare('Fatal: unable to load index 77ab01: invalid data returned', page)).toBe(1)
  expect(verbatimShare('unable to load index', page)).toBe(1)
  expect(verbatimShare('load the data of an unable index', page)).toBe(0)
})

test('a few words of a long message may stand there by chance', () => {
  expect(
    verbatimShare('we were unable to load index after nine other things had gone wrong before', page),
  ).toBe(0)
})

test('a long message and a long page take no time', () => {
  const start = performance.now()
  verbatimShare('a b '.repeat(5000), 'a b '.repeat(50_000))
  expect(performance.now() - start).toBeLessThan(500)
})
