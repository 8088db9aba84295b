import { expect, it } from 'vitest'
import { csvLine } from './csv.ts'

it('writes cells as RFC 4180 has them', () => {
  expect(csvLine(['a', 1, null, '', 'b,c', 'say "hi"', 'two\nlines'])).toBe(
    'a,1,,,"b,c","say ""hi""","two\nlines"\r\n',
  )
})

it('keeps spreadsheets from calculating what strangers wrote', () => {
  for (const text of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '\n=1',
    '＝1+1',
    ' ＋1',
    '－1',
    '＠SUM(A1)',
  ])
    expect(csvLine([text])).toMatch(/^"?'/)
  expect(csvLine(['a=b', '1-1', -5])).toBe('a=b,1-1,-5\r\n')
})
