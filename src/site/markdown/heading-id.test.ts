import { expect, it } from 'vitest'
import { type OwnIds, readHeadingId } from './heading-id.ts'

it.each<[OwnIds, string, string, string | undefined]>([
  ['any', 'One {#one}', 'One', 'one'],
  ['none', 'One {#one}', 'One {#one}', undefined],
  ['braces', 'One {#one}', 'One', 'one'],
  ['braces', 'One {/* #one */}', 'One', 'one'],
  ['braces', 'One {.cls #one}', 'One {.cls #one}', undefined],
  ['list', 'One {.cls #one}', 'One', 'one'],
  ['list', 'One {id="one" data-x=1}', 'One', 'one'],
  ['list', 'One {word}', 'One {word}', undefined],
  ['loose-list', 'One { data-search-exclude }', 'One', undefined],
  ['loose-list', 'One {{ value }}', 'One {{ value }}', undefined],
  ['kramdown', 'One {#one}', 'One', 'one'],
  ['kramdown', 'One { #one }', 'One { #one }', undefined],
])('reads ids in the form %s: %s', (form, heading, text, id) => {
  expect(readHeadingId(heading, form)).toEqual({ text, id })
})
