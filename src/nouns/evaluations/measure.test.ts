import { expect, it } from 'vitest'
import { agreementOf, readChangedLines } from './measure.ts'

const diffOf = (path: string, ...lines: string[]): string =>
  [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, ...lines, ''].join('\n')

it('reads which lines of the file before were changed, with and without lines around', () => {
  const without = diffOf(
    'a.md',
    '@@ -3 +3,2 @@',
    '-old three',
    '+new three',
    '+and more',
    '@@ -9,0 +11 @@',
    '+ten',
  )
  const around = diffOf(
    'a.md',
    '@@ -2,3 +2,4 @@',
    ' two',
    '-old three',
    '+new three',
    '+and more',
    ' four',
    '@@ -9,2 +11,3 @@',
    ' nine',
    '+ten',
    ' eleven',
  )
  const expected = {
    places: [
      { from: 3, to: 3, lines: 3 },
      { from: 9, to: 9, lines: 1 },
    ],
    added: ['new three', 'and more', 'ten'],
  }
  expect(readChangedLines(without).get('a.md')).toEqual(expected)
  expect(readChangedLines(around).get('a.md')).toEqual(expected)
})

it('takes no line of a page for a line of the diff', () => {
  const diff = diffOf(
    'a.md',
    '@@ -1,2 +1,2 @@',
    '--- a/other.md',
    '-@@ -1 +1 @@',
    '+++ b/other.md',
    '+diff --git x',
  )
  const lines = readChangedLines(`${diff}${diffOf('b.md', '@@ -1 +0,0 @@', '-gone')}`)
  expect([...lines.keys()]).toEqual(['a.md', 'b.md'])
  expect(lines.get('a.md')?.added).toEqual(['++ b/other.md', 'diff --git x'])
})

it('knows new, moved and removed pages', () => {
  const diff = [
    'diff --git a/new.md b/new.md',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/new.md',
    '@@ -0,0 +1 @@',
    '+Hello',
    'diff --git a/old.md b/moved.md',
    'similarity index 90%',
    '--- a/old.md',
    '+++ b/moved.md',
    '@@ -4 +4 @@',
    '-four',
    '+five',
  ].join('\n')
  const lines = readChangedLines(diff)
  expect([...lines.keys()]).toEqual(['new.md', 'old.md'])
  expect(lines.get('new.md')?.places).toEqual([{ from: 0, to: 0, lines: 1 }])
})

it('says how many pages, lines and words agree, and nothing of what cannot be said', () => {
  const people = {
    pages: ['a.md', 'b.md'],
    lines: readChangedLines(
      diffOf('a.md', '@@ -3 +3 @@', '-Retries: three', '+Retries: four', '@@ -40 +40 @@', '-x', '+y') +
        diffOf('b.md', '@@ -7 +7 @@', '-one', '+two'),
    ),
  }
  const agent = {
    pages: ['a.md', 'c.md'],
    lines: readChangedLines(
      diffOf('a.md', '@@ -4,0 +5,2 @@', '+Retries: four', '+') + diffOf('c.md', '@@ -1 +1 @@', '-z', '+w'),
    ),
  }
  expect(agreementOf(people, agent)).toEqual({ precision: 0.5, recall: 0.5, lines: 2 / 6, wording: 4 / 5 })
  expect(agreementOf(people, { pages: [], lines: new Map() })).toEqual({ recall: 0, lines: 0, wording: 0 })
  const removed = { pages: ['a.md'], lines: readChangedLines(diffOf('a.md', '@@ -3 +2,0 @@', '-gone')) }
  expect(agreementOf(removed, removed)).toEqual({ precision: 1, recall: 1, lines: 1 })
})
