import { expect, it } from 'vitest'
import { colourFile } from '../../../../api/render/code/colour-lines.ts'
import type { SourceRow } from '../review-data.ts'
import { rawRows, sourceRows } from './source-rows.ts'
import { compareWords, wordsOf } from './compare-words.ts'

const paths = { path: 'x.md', oldPath: 'x.md' }
const plain = { before: undefined, after: undefined }

function rowsOf(lines: readonly string[], from = 0, count = 100): SourceRow[] {
  const gone = lines.filter((line) => !line.startsWith('+')).length
  const come = lines.filter((line) => !line.startsWith('-')).length
  const diff = `diff --git a/x.md b/x.md\n--- a/x.md\n+++ b/x.md\n@@ -5,${gone} +5,${come} @@ Title\n${lines.join('\n')}\n`
  const file = { id: '1', text: 'line\n'.repeat(20) }
  const rows = rawRows(paths, { diff, before: file, after: file }, false)
  return sourceRows(rows, plain, { from, count }).rows
}

const shownIn = (rows: readonly SourceRow[]): string[] =>
  rows.map((row) => (row.kind === 'fold' ? `fold ${row.lines}` : 'html' in row ? row.html : row.text))

it('marks words in lines that were wrapped anew, and folds what is not shown', () => {
  const rows = rowsOf([
    ' same',
    '-The old server starts',
    '-quickly & well',
    '+The new server',
    '+starts quickly & well',
  ])
  expect(shownIn(rows)).toEqual([
    'fold 4',
    'same',
    'The <del>old</del> server starts',
    'quickly &#38; well',
    'The <ins>new</ins> server',
    'starts quickly &#38; well',
    'fold 13',
  ])
  expect(rows.flatMap((row) => ('starts' in row && row.starts ? row.kind : []))).toEqual(['removed'])
})

it('gives a part of the rows, with the marks of the whole group', () => {
  const rows = rowsOf(['-one two', '-three four', '+one 2', '+three 4'], 2, 2)
  expect(shownIn(rows)).toEqual(['three <del>four</del>', 'one <ins>2</ins>'])
})

it('shows what cannot be seen, and cuts very long lines', () => {
  const [, zero, end, long] = shownIn(rowsOf(['+a\u200Bb\u202E', '-x\r', `+${'y'.repeat(5000)}`]))
  expect(zero).toBe('a⟨U+200B⟩b⟨U+202E⟩')
  expect(end).toBe('x')
  expect(long).toMatch(/^y{2000} … \(line cut\)$/)
  expect(shownIn(rowsOf(['-one two', '+one two\r']))[2]).toBe('one two<ins>␍</ins>')
})

it('shows joiners and selectors where they spell something, and not within an emoji', () => {
  const emoji = '\u2764\uFE0F\u200D\u{1F525} \u845B\u{E0100} \u06A9\u200C'
  const [, kept, spelt, bytes] = shownIn(
    rowsOf([`+${emoji}`, `+a${'\u200C\u200D'.repeat(2)}`, '+b\u{E0141} c\u034F\u2028']),
  )
  expect(kept).toBe(emoji)
  expect(spelt).toBe('a\u200C\u200D⟨U+200C⟩⟨U+200D⟩')
  expect(bytes).toBe('b⟨U+E0141⟩ c⟨U+034F⟩⟨U+2028⟩')
})

it('keeps the colours of a line under the marks of its words', async () => {
  const text = '## Head & more\n'
  const colours = await colourFile('id', 'x.md', text)
  const diff =
    'diff --git a/x.md b/x.md\n--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n-## Head & less\n+## Head & more\n'
  const all = rawRows(paths, { diff, before: undefined, after: { id: 'id', text } }, false)
  const { rows } = sourceRows(all, { before: undefined, after: colours }, { from: 0, count: 10 })
  expect(shownIn(rows)).toEqual([
    '## Head &#38; <del>less</del>',
    '<span class="s-p">##</span><span class="s-h"> Head &#38; </span><ins><span class="s-h">more</span></ins>',
  ])
})

it('compares words of every script, and not those of texts that have nothing in common', () => {
  const marks = compareWords(wordsOf('文档说明很好'), wordsOf('文档说明不好'))
  expect(marks?.after.map((isMarked, at) => (isMarked ? wordsOf('文档说明不好')[at] : ''))).toContain('不')
  expect(compareWords(wordsOf('one two three'), wordsOf('four five six'))).toBeUndefined()
})
