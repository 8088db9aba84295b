import { quote } from '../../../../lib/text/quote.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import { splitLines } from '../../../../site/text/text-file.ts'
import { editThroughView, viewText } from '../../../../site/text/text-view.ts'
import type { ReadRecord } from '../calls/read-record.ts'
import { numberLines } from '../read-file.ts'
import type { Place } from './find-places.ts'

/** Lines of a file as they are numbered now, both counted. */
export interface LineRange {
  first: number
  last: number
}

const around = 2
const mostShown = 60

/**
 * Where lines are now that a model names as it saw them before its answer.
 * @throws ToolError `stale` or `not_read` with the lines that are there
 */
export function seenLines(
  reads: ReadRecord,
  { path, text }: { path: string; text: string },
  wanted: LineRange,
): LineRange {
  const lines = viewText(text).text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (wanted.last < wanted.first) throw new ToolError('invalid_input', 'endLine has to be startLine or more')
  const first = reads.lineNow(path, wanted.first)
  const last = reads.lineNow(path, wanted.last)
  if (first !== undefined && last !== undefined && last > lines.length)
    throw new ToolError('out_of_range', `${quote(path)} has ${lines.length} lines`, {
      totalLines: lines.length,
    })
  const isSame = first !== undefined && last !== undefined && last - first === wanted.last - wanted.first
  if (isSame && reads.hasSeen(path, first, last)) return { first, last }
  const from = Math.max(1, (isSame ? first : wanted.first) - around)
  const some = lines.slice(
    from - 1,
    from - 1 + Math.min(mostShown, wanted.last - wanted.first + 1 + 2 * around),
  )
  const region = {
    closest: { startLine: from, content: numberLines(some, from) },
    shown: [{ path, first: from, last: from + some.length - 1 }],
  }
  if (isSame)
    throw new ToolError('not_read', `These lines of ${quote(path)} were not shown yet: here they are`, region)
  const message = `A call before this one in the same answer has changed ${quote(path)}: the lines as they are numbered now are shown`
  throw new ToolError('stale', message, region)
}

/** The edit that puts a text in the place of whole lines; an empty text takes them out. */
export function replaceLines(file: string, { first, last }: LineRange, given: string): Place {
  const view = viewText(file)
  const lines = splitLines(view.text)
  const [from, to] = [lines[first - 1], lines[last - 1]]
  if (from === undefined || to === undefined)
    throw new ToolError('out_of_range', `The file has ${lines.length} lines`, { totalLines: lines.length })
  const text = withoutFinalBreak(given)
  const isGone = given === ''
  const isEnd = isGone && to.ending === ''
  const start = isEnd ? (lines[first - 2]?.end ?? from.start) : from.start
  const end = isGone ? to.end + to.ending.length : to.end
  const edit = editThroughView(file, view, { start, end }, text)
  return {
    start: view.toFile(start),
    end: view.toFile(end),
    edits: edit === undefined ? [] : [edit],
    line: first,
  }
}

/** The edit that puts whole lines before a line, or at the end where there is no such line. */
export function insertLines(file: string, before: number | undefined, given: string): Place {
  const view = viewText(file)
  const lines = splitLines(view.text)
  const text = withoutFinalBreak(given)
  const line = before === undefined ? undefined : lines[before - 1]
  const at = line?.start ?? view.text.length
  const isOpen = line === undefined && view.text !== '' && !view.text.endsWith('\n')
  const written = isOpen ? `\n${text}` : `${text}\n`
  const edit = editThroughView(file, view, { start: at, end: at }, written)
  return {
    start: view.toFile(at),
    end: view.toFile(at),
    edits: edit === undefined ? [] : [edit],
    line: line === undefined ? lines.length + 1 : (before ?? 1),
  }
}

export function withoutFinalBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}
