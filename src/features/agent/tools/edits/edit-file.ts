import { z } from 'zod'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { encodeEdited } from '../../../../site/text/encoding.ts'
import { fitTitles } from '../../../../site/restructured/fit-titles.ts'
import { type Edit, applyEdits } from '../../../../site/text/text-file.ts'
import { type Workspace } from '../../workspace/workspace.ts'
import { openText, type PathGuard } from '../calls/guarded-files.ts'
import { lineChanges, shiftedLine } from '../calls/line-changes.ts'
import type { Paths } from '../calls/paths.ts'
import { notShown } from '../calls/shown-schema.ts'
import type { ReadRecord } from '../calls/read-record.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import { type Place, type Range, findPlaces } from './find-places.ts'
import { type LineRange, insertLines, replaceLines, seenLines, withoutFinalBreak } from './line-edits.ts'
import { changedLines, echoed } from './text-difference.ts'

const maxLength = 4 * 1024 * 1024

const replacement = z.object({
  search: z.string().min(1).optional(),
  replace: z.string(),
  line: z.number().int().min(1).optional().meta(notShown),
  all: z.boolean().optional(),
  startLine: z.number().int().min(1).optional(),
  endLine: z.number().int().min(1).optional(),
  append: z.boolean().optional(),
})

type Wanted = z.infer<typeof replacement>

export function editFileTool(
  workspace: Workspace,
  { reads, guard, paths }: { reads: ReadRecord; guard: PathGuard; paths: Paths },
): AgentTool {
  return defineTool({
    name: 'edit_file',
    changesFiles: true,
    description:
      'Replaces `search` (there once, else give startLine or all), or lines startLine to endLine as last shown, or appends. All edits or none.',
    input: z.object({ path: z.string(), edits: z.array(replacement).min(1).max(200) }),
    run: async ({ path: given, edits }) => {
      const path = await paths.file(given)
      const before = await openText(workspace, path)
      const { text } = before
      await guard.requireWritable(path)
      let current = text
      let replacements = 0
      let written: Range[] = []
      const shifts: ((line: number) => number | undefined)[] = []
      const shifted = (line: number | undefined) =>
        shifts.reduce((now, shift) => (now === undefined ? undefined : shift(now)), line)
      const lineNow = (line: number) => shifted(reads.lineNow(path, line)) ?? shifted(line) ?? line
      const notes: string[] = []
      for (const [index, wanted] of edits.entries()) {
        const name = edits.length === 1 ? 'The text' : `The text of edit ${index + 1}`
        const { places, difference, shift } = inEdit(edits, index, () => {
          requireWritable(wanted.replace)
          const { search, replace, all, line = wanted.startLine } = wanted
          if (search !== undefined) {
            const located = findPlaces(current, { path, lineNow, written }, { search, replace, line, all })
            return { ...located, shift: shiftOf(located.places, linesOf(replace) - linesOf(search)) }
          }
          return placeOfLines(current, wanted, (lines) => {
            const { first, last } = seenLines(reads, { path, text }, lines)
            return { first: shifted(first), last: shifted(last) }
          })
        })
        if (difference !== undefined)
          notes.push(
            `${name} stands at line ${places[0]?.line} with other ${difference}: it was changed there`,
          )
        shifts.push(shift)
        const changes = places.flatMap((place) => place.edits)
        current = applyEdits(current, changes)
        written = writtenAfter(written, changes)
        if (current.length > maxLength) throw new ToolError('too_large', 'The file would become too large')
        replacements += places.length
      }
      if (path.endsWith('.rst')) current = fitTitles(text, current)
      const content = encodeEdited(current, before)
      if (current !== text) workspace.write(path, content)
      const diff = changedLines(text, current, echoed)
      return {
        path,
        hash: contentHash(content),
        replacements,
        edited: { [path]: lineChanges(text, current) ?? null },
        ...(notes.length > 0 ? { notes } : {}),
        ...(diff === undefined ? { unchanged: true } : { diff }),
      }
    },
  })
}

type Shift = (line: number) => number | undefined

function shiftOf(places: readonly Place[], by: number): Shift {
  return (line) => line + by * places.filter((place) => place.line < line).length
}

/** The place of an edit by lines, or at the end. */
function placeOfLines(
  text: string,
  { replace, append, line, startLine = line, endLine = startLine }: Wanted,
  find: (lines: LineRange) => { first: number | undefined; last: number | undefined },
): { places: Place[]; difference?: undefined; shift: Shift } {
  const isBehind = startLine === linesOf(text.replace(/\n$/, '')) + 1 && text !== ''
  if (append === true || isBehind)
    return { places: [insertLines(text, undefined, replace)], shift: (line) => line }
  if (startLine === undefined || endLine === undefined)
    throw new ToolError('invalid_input', 'Give search, or startLine and endLine, or append')
  const { first, last } = find({ first: startLine, last: endLine })
  if (first === undefined || last === undefined || last - first !== endLine - startLine)
    throw new ToolError(
      'invalid_input',
      'An edit before it in this call has changed these lines: make one edit of them',
    )
  const added = replace === '' ? 0 : linesOf(withoutFinalBreak(replace))
  const change = { line: first, removed: last - first + 1, added }
  return {
    places: [replaceLines(text, { first, last }, replace)],
    shift: (line) => shiftedLine([change], line),
  }
}

function requireWritable(text: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return
  throw new ToolError('invalid_input', 'The replacement contains a character that text files cannot contain')
}

/** Says of which edit an error tells, and that none was made. */
function inEdit<Result>(edits: readonly unknown[], index: number, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ToolError) || edits.length === 1) throw error
    const message = `Edit ${index + 1} of ${edits.length}: ${error.message}. None of the edits was made`
    throw new ToolError(error.code, message, error.hints)
  }
}

/**
 * Where the text of earlier edits and of `edits`, which are in file order, is now. Very many edits are not tracked.
 */
function writtenAfter(earlier: readonly Range[], edits: readonly Edit[]): Range[] {
  if (earlier.length > 1000 || edits.length > 100) return []
  const added: Range[] = []
  let shift = 0
  const moved = earlier.map((range) => ({ ...range }))
  for (const { start, end, text } of edits) {
    const by = text.length - (end - start)
    for (const [index, range] of earlier.entries()) {
      const now = moved[index]
      if (now === undefined || range.end <= start) continue
      now.end += by
      if (range.start >= end) now.start += by
    }
    added.push({ start: start + shift, end: start + shift + text.length })
    shift += by
  }
  return [...moved.filter((range) => range.start < range.end), ...added]
}

function linesOf(text: string): number {
  return text.split('\n').length
}
