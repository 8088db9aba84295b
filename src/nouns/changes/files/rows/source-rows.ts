import { parseDiff, type DiffLine } from '../../../../api/frame/html/parse-diff.ts'
import type { ColouredPart } from '../../../../api/render/code/colour-lines.ts'
import type { LineRow, SourceRow, SourceTask, SourceTexts, SourceWindow, Window } from '../review-data.ts'
import { visible } from '../../../../api/frame/html/visible.ts'
import { printLine, type Mark } from './print-line.ts'
import { compareWords, wordsOf } from './compare-words.ts'

const mostLines = 200_000

export interface Colours {
  before: ColouredPart[][] | undefined
  after: ColouredPart[][] | undefined
}

export type RawRow = DiffLine | { kind: 'fold'; lines: number; place: string }

/** The rows of a file's diff in a window of them. */
export function sourceRows(
  rows: readonly RawRow[],
  colours: Colours,
  { from, count }: Pick<Window, 'from' | 'count'>,
): SourceWindow {
  const to = Math.min(rows.length, from + count)
  const windowRows: SourceRow[] = []
  // Words are compared within a whole group of changed lines, also where the window begins within it.
  for (let at = startOfGroup(rows, from); at < to;) {
    const row = rows[at]
    if (!row) break
    if (row.kind === 'fold') windowRows.push({ ...row, place: visible(row.place).slice(0, 200) })
    else if (row.kind === 'note') windowRows.push({ kind: 'note', text: row.text })
    else if (row.kind === 'same') windowRows.push(printRow(row, colours, [], false))
    else {
      const group = groupAt(rows, at)
      const marks = marksOf(group)
      const first = at
      for (const [index, line] of group.entries()) {
        if (first + index < from || first + index >= to) continue
        windowRows.push(
          line.kind === 'note'
            ? { kind: 'note', text: line.text }
            : printRow(line, colours, marks.get(line) ?? [], index === 0),
        )
      }
      at += group.length
      continue
    }
    at++
  }
  return { rows: windowRows, total: rows.length }
}

/** All rows of a file's diff, as they are before they are printed. */
export function rawRows(
  { path, oldPath }: Pick<SourceTask, 'path' | 'oldPath'>,
  { diff, after, before }: SourceTexts,
  whole: boolean,
): RawRow[] {
  // A folder in the place of the file comes along with it.
  const files = parseDiff(diff, mostLines).files.filter((file) => file.path === path || file.path === oldPath)
  const rows: RawRow[] = []
  // Line numbers from which on nothing has been shown yet.
  let next = { before: 1, after: 1 }
  for (const { header, lines } of files.flatMap(({ hunks }) => hunks)) {
    const first = lines.find(({ kind }) => kind !== 'note')
    const skipped =
      first?.before !== undefined
        ? first.before - next.before
        : first?.after !== undefined
          ? first.after - next.after
          : 0
    if (skipped > 0) rows.push({ kind: 'fold', lines: skipped, place: placeOf(header) })
    for (const line of lines) {
      rows.push(line)
      if (line.before !== undefined) next = { ...next, before: line.before + 1 }
      if (line.after !== undefined) next = { ...next, after: line.after + 1 }
    }
  }
  const rest = rows.length === 0 || whole ? 0 : linesAfter(after ?? before, after ? next.after : next.before)
  if (rest > 0) rows.push({ kind: 'fold', lines: rest, place: '' })
  return rows
}

function placeOf(header: string): string {
  return header.replace(/^@@[^@]*@@ ?/, '')
}

function linesAfter(file: { text: string } | undefined, next: number): number {
  if (!file) return 0
  let lines = file.text === '' || file.text.endsWith('\n') ? 0 : 1
  for (let at = file.text.indexOf('\n'); at !== -1; at = file.text.indexOf('\n', at + 1)) lines++
  return lines - next + 1
}

/** Notes (`No newline at end of file`) stand within a group. */
function inGroup(row: RawRow | undefined): boolean {
  return row !== undefined && row.kind !== 'fold' && row.kind !== 'same'
}

function startOfGroup(rows: readonly RawRow[], from: number): number {
  let at = from
  while (at > 0 && at > from - 2000 && inGroup(rows[at]) && inGroup(rows[at - 1])) at--
  return at
}

const longestGroup = 4000

function groupAt(rows: readonly RawRow[], start: number): DiffLine[] {
  const group: DiffLine[] = []
  for (let at = start; at < rows.length && group.length < longestGroup; at++) {
    const row = rows[at]
    if (!row || row.kind === 'fold' || row.kind === 'same') break
    group.push(row)
  }
  return group
}

const longestComparison = 20_000

/** The changed words of the lines of a group: as one text before and one after, because paragraphs are wrapped anew. */
function marksOf(group: readonly DiffLine[]): Map<DiffLine, Mark[]> {
  const gone = group.filter(({ kind }) => kind === 'removed')
  const come = group.filter(({ kind }) => kind === 'added')
  const [before, after] = [textOf(gone), textOf(come)]
  if (gone.length === 0 || come.length === 0 || before.length + after.length > longestComparison)
    return new Map()
  const [words, others] = [wordsOf(before), wordsOf(after)]
  const marked = compareWords(words, others)
  if (!marked) return new Map()
  return new Map([...spread(gone, words, marked.before), ...spread(come, others, marked.after)])
}

function textOf(lines: readonly DiffLine[]): string {
  return lines.map(({ text }) => text).join('\n')
}

/** The marks of a text on its lines. */
function spread(
  lines: readonly DiffLine[],
  words: readonly string[],
  marks: readonly boolean[],
): [DiffLine, Mark[]][] {
  const byLine: [DiffLine, [number, number][]][] = lines.map((line) => [line, []])
  let [line, column] = [0, 0]
  for (const [index, word] of words.entries()) {
    for (const piece of word.split(/(\n)/)) {
      if (piece === '\n') {
        line++
        column = 0
        continue
      }
      const own = byLine[line]?.[1]
      const last = own?.at(-1)
      if (marks[index] && piece !== '') {
        if (last && last[1] === column) last[1] += piece.length
        else own?.push([column, column + piece.length])
      }
      column += piece.length
    }
  }
  return byLine
}

function printRow(
  { kind, before, after, text }: DiffLine,
  colours: Colours,
  marks: readonly Mark[],
  starts: boolean,
): LineRow {
  const parts = kind === 'removed' ? colours.before?.[(before ?? 0) - 1] : colours.after?.[(after ?? 0) - 1]
  const html = printLine(text, parts, marks, kind === 'removed' ? 'del' : 'ins')
  return { kind: kind === 'note' ? 'same' : kind, before, after, html, starts }
}
