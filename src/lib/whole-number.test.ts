import { expect, it } from 'vitest'
import { readWholeNumber, typedWholeNumber, wholeNumber } from './whole-number.ts'

it('reads digits alone, and no second way of writing a number', () => {
  expect(['0', '7', '999999999'].map((text) => readWholeNumber(text))).toEqual([0, 7, 999_999_999])
  for (const text of [
    '',
    ' 1',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    '007',
    '١',
    '1000000000',
    '9'.repeat(400),
    null,
    undefined,
  ])
    expect(readWholeNumber(text)).toBe(undefined)
  expect(readWholeNumber('8', 7)).toBe(undefined)
})

it('says the range, whatever breaks it', () => {
  const rule = 'must be a whole number from 1 to 10,000'
  const messageOf = (value: unknown, schema = wholeNumber(1, 10_000)) =>
    schema.safeParse(value).error?.issues[0]?.message
  for (const value of [0, 10_001, 1.5, '1', null, Number.NaN]) expect(messageOf(value)).toBe(rule)
  expect(messageOf(10_000)).toBe(undefined)
  expect(typedWholeNumber(1, 10_000).parse('20')).toBe(20)
  for (const text of ['0', 'many', '1.5'])
    expect(typedWholeNumber(1, 10_000).safeParse(text).error?.issues[0]?.message).toBe(rule)
})
