import { expect, it } from 'vitest'
import { storableJson } from '../../lib/text/storable-json.ts'
import { titleOf } from './title.ts'

it('removes what Postgres refuses, in keys too, and keeps the rest', () => {
  expect(storableJson({ 'a\0': ['b\uD800', 1, null, { c: 'ü' }], d: undefined })).toEqual({
    'a\uFFFD': ['b\uFFFD', 1, null, { c: 'ü' }],
  })
  expect(storableJson(undefined)).toBeNull()
})

it('makes a title of the first line that is not empty', () => {
  expect(titleOf('\r\n\n  Fix   the\tlinks \nand more')).toBe('Fix the links')
  expect(titleOf(' \n ')).toBe('Update the documentation')
  const long = titleOf(`${'a'.repeat(98)}\u{1F600}${'b'.repeat(50)}`)
  expect(long).toBe(`${'a'.repeat(98)}…`)
})
