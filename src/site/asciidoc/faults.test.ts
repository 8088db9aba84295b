import { expect, it } from 'vitest'
import { asciidocFaults } from './faults.ts'

const messages = (text: string) => asciidocFaults(text).map(({ line, message }) => `${line} ${message}`)

it('finds what nothing ends, levels that are skipped, and macros without brackets', () => {
  expect(messages('= T\n\n[source,sh]\n----\na\n')).toEqual(['4 Nothing ends the block that “----” begins'])
  expect(messages('= T\n\n====\n----\na\n====\n')).toEqual(['4 Nothing ends the block that “----” begins'])
  expect(messages('= T\n\n|===\n|a |b\n')).toEqual(['3 Nothing ends the block that “|===” begins'])
  expect(messages('= T\n\nifdef::x[]\na\n')).toEqual(['3 No “endif” ends this condition'])
  expect(messages('= T\n\nendif::[]\n')).toEqual(['3 No condition is open that this “endif” could end'])
  expect(messages('= T\n\n== A\n\n==== B\n')).toEqual([
    '5 The title skips a level of the page: it has 4 signs after 2',
  ])
  expect(messages('include::a.adoc\n')).toEqual([
    '1 “include::” needs brackets at its end, or it is shown as text',
  ])
})

it('finds nothing in a page that is right', () => {
  expect(
    messages(
      '= T\n:a: b\n\n== One\n\nifdef::a[]\n----\n==== x\nendif::x\n----\nendif::[]\n\n[discrete]\n==== Free\n\n=== Two\n\nTitle\n-----\n\n|===\n|a\n|===\n\n--\nb\n--\n\n```js\nx\n```\n\ninclude::c.adoc[]\n\n==== Four\n',
    ),
  ).toEqual([])
})
