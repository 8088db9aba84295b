import { structuredPatch } from 'diff'
import { viewText } from '../../../../site/text/text-view.ts'
import { createCount } from '../../workspace/numbered-diff.ts'

const maxLine = 400
/** Milliseconds for one comparison: two texts that have nothing in common take long, and show nothing. */
const timeout = 1000

/** What a model is told of its own edit: it knows the lines that it wrote, and those that it took out. */
export const echoed = { most: 12 }

/**
 * The lines in which two texts differ, as hunks of a numbered diff with `context` lines around, cut at `maxCharacters`. Of
 * more than `most` lines that went or came together only the number is told.
 * Undefined where they have the same lines.
 */
export function changedLines(
  before: string,
  after: string,
  {
    context = 1,
    maxCharacters = 3000,
    most = Infinity,
  }: { context?: number; maxCharacters?: number; most?: number } = {},
): string | undefined {
  const [old, now] = [viewText(before).text, viewText(after).text]
  if (old === now) return undefined
  const patch = structuredPatch('', '', old, now, '', '', { context, timeout })
  if (patch === undefined) return '(too many lines differ to be compared)'
  const lines: string[] = []
  let length = 0
  for (const { oldStart, oldLines, newStart, newLines, lines: changed } of patch.hunks) {
    const count = createCount()
    const header = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
    count(header)
    lines.push(header)
    const at = firstDifference(changed)
    const numbered = changed.map((line) =>
      withNumber(cutAround(line, line.startsWith(' ') ? 0 : at), count(line)),
    )
    for (const excerpt of fold(numbered, most)) {
      length += excerpt.length + 1
      if (length > maxCharacters) return [...lines, '… (more lines differ)'].join('\n')
      lines.push(excerpt)
    }
  }
  return lines.join('\n')
}

/** Many lines in a row that went or came as their first, their number and their last. */
function fold(lines: readonly string[], most: number): string[] {
  const folded: string[] = []
  for (let at = 0; at < lines.length;) {
    const sign = lines[at]?.charAt(0) ?? ''
    let end = at + 1
    while (end < lines.length && lines[end]?.charAt(0) === sign) end++
    const run = lines.slice(at, end)
    const isLong = run.length > most && (sign === '-' || sign === '+')
    const middle = `${sign}… (${run.length - 2} lines ${sign === '-' ? 'taken out' : 'as written'})`
    folded.push(...(isLong ? [...run.slice(0, 1), middle, ...run.slice(-1)] : run))
    at = end
  }
  return folded
}

function withNumber(line: string, number: number | undefined): string {
  return number === undefined ? line : `${line.slice(0, 1)}${number}\t${line.slice(1)}`
}

/** Where the first line of a hunk that goes begins to differ from the first that comes. */
function firstDifference(lines: readonly string[]): number {
  const old = lines.find((line) => line.startsWith('-'))
  const now = lines.find((line) => line.startsWith('+'))
  if (old === undefined || now === undefined) return 0
  let at = 1
  while (at < old.length && old[at] === now[at]) at++
  return at
}

function cutAround(line: string, at: number): string {
  if (line.length <= maxLine) return line
  const from = Math.max(1, Math.min(at - maxLine / 4, line.length - maxLine))
  const rest = line.slice(from, from + maxLine).toWellFormed()
  return `${line.slice(0, 1)}${from > 1 ? '…' : ''}${rest}${from + maxLine < line.length ? '…' : ''}`
}
