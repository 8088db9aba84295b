import { expect, it } from 'vitest'
import { faultsOf } from './faults.ts'
import { restructuredSettings } from './settings.ts'
import { usesIn } from './uses.ts'

const messages = (text: string, python = '') =>
  faultsOf(text, restructuredSettings(python)).map(({ line, message }) => `${line} ${message}`)

it('finds what a build warns of, and nothing in a page that is right', () => {
  expect(
    messages('Title\n=====\n\nA **b** ``c`` d_ |e|.\n\n.. _d: https://example.com\n.. |e| replace:: f\n'),
  ).toEqual([])
  expect(messages('A long title\n=======\n')).toEqual(['2 The underline of the title is 5 signs too short'])
  expect(messages('Text **bold\n')).toEqual(['1 “**bold” opens markup that nothing closes'])
  expect(messages('See gone_ and |no|.\n')).toEqual([
    '1 The page has no target “gone” for the reference',
    '1 Nothing defines |no|',
  ])
  expect(messages('.. note: Text\n')).toEqual(['1 “.. note:” is a comment: a directive needs two colons'])
  expect(messages('.. wraning:: Text\n')).toEqual([
    '1 No directive is called wraning: the nearest is warning',
  ])
  for (const text of ['.. note:: a\nb\n', '  a\nb\n', '- a\nb\n', '.. comment\nb\n'])
    expect(messages(text)).toEqual(['2 The block above ends without an empty line below it'])
  expect(messages('a\nb\n  c\n')).toEqual(['3 The line is indented without an empty line above it'])
  expect(
    messages(
      '.. a\n.. _b:\n\n__ c\n\n`x`__\n\n- a\n\n  b\n- c\n\nterm\n  d\n\n.. glossary::\n\n   one\n   two\n     both\n',
    ),
  ).toEqual([])
  expect(messages('Code::\n\nnot indented\n')).toEqual([
    '1 No code follows the two colons: it has to be indented',
  ])
})

it('takes definitions in columns, and those that a configuration may make by code', () => {
  expect(messages('.. |a|                 replace:: b\n\nSay |a|.\n')).toEqual([])
  for (const python of [
    'from theme.conf import *\n',
    'rst_epilog = open("x").read()\n',
    'rst_prolog = ""\nrst_prolog += x\n',
  ])
    expect(messages('Say |a|.\n', python), python).toEqual([])
  expect(messages('Say |a|.\n', 'rst_epilog = ".. |b| replace:: c"\n')).toEqual(['1 Nothing defines |a|'])
})

it('ends an item of a list before what is indented less than its text', () => {
  const text = '- For example::\n\n    code\n\n - one way::\n\n    more\n\n - another::\n\n    most\n'
  expect(messages(text)).toEqual([])
})

it('knows the roles and directives of a page wherever they stand', () => {
  const uses = usesIn('* :evil:`x`\n\n  .. note::\n\n     .. autofunction:: os.system\n\n``:shown:`y```\n')
  expect(uses.roles.map(({ name }) => name)).toEqual(['evil'])
  expect(uses.directives.map(({ name, argument }) => [name, argument])).toEqual([
    ['note', ''],
    ['autofunction', 'os.system'],
  ])
})
