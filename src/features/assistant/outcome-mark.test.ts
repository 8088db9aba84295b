import { expect, it } from 'vitest'
import { createMarkReader } from './outcome-mark.ts'

function read(text: string, cuts: number[] = []): { shown: string; mark: string | undefined } {
  const reader = createMarkReader()
  let shown = ''
  let from = 0
  for (const to of [...cuts, text.length]) {
    shown += reader.write(text.slice(from, to))
    from = to
  }
  shown += reader.end()
  return { shown, mark: reader.mark() }
}

it.each([
  ['a mark at the end', 'So.\n\n<reply-outcome>answered</reply-outcome>\n', 'So.', 'answered'],
  ['a mark with spaces and capitals', 'So.\n<reply-outcome> Partial </reply-outcome>', 'So.', 'partial'],
  ['a mark in the middle', 'A\n<reply-outcome>answered</reply-outcome>\n\nB', 'A\n\nB', 'answered'],
  [
    'two marks, of which the last one counts',
    '<reply-outcome>greeting</reply-outcome>Hi\n<reply-outcome>partial</reply-outcome>',
    'Hi',
    'partial',
  ],
  ['nonsense', 'So.\n<reply-outcome>very good!</reply-outcome>', 'So.', undefined],
  ['a mark that never ends', 'So.\n<reply-outcome>answ', 'So.', undefined],
  ['a tag with text behind it', `<reply-outcome>${'x'.repeat(320)}`, 'x'.repeat(320), undefined],
  ['other tags and line breaks', 'a < b\n\n<reply>\n', 'a < b\n\n<reply>\n', undefined],
  ['a mark between sentences', 'So. <reply-outcome>answered</reply-outcome>Then.', 'So. Then.', 'answered'],
  ['no mark', 'Run it. ', 'Run it. ', undefined],
])('takes out %s, however the text is cut', (_, text, shown, mark) => {
  expect(read(text)).toEqual({ shown, mark })
  expect(read(text, Array.from(text, (_char, at) => at).slice(1))).toEqual({ shown, mark })
})

it('reads what a mark names as missing', () => {
  const read = (text: string) => {
    const reader = createMarkReader()
    return { shown: reader.write(text) + reader.end(), mark: reader.mark(), missing: reader.missing() }
  }
  expect(read('So.\n<reply-outcome>partial: Redis, Valkey 8</reply-outcome>')).toEqual({
    shown: 'So.',
    mark: 'partial',
    missing: [' Redis', ' Valkey 8'],
  })
  expect(read('<reply-outcome>answered</reply-outcome>').missing).toEqual([])
})

it('holds back nothing but what may belong to a mark', () => {
  const reader = createMarkReader()
  expect(reader.write('Run it.')).toBe('Run it.')
  expect(reader.write(' Then <')).toBe(' Then ')
  expect(reader.write('b>')).toBe('<b>')
})
