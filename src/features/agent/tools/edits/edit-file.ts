import { z } from 'zod'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { encodeEdited } from '../../../../site/text/encoding.ts'
import { type Edit, applyEdits } from '../../../../site/text/text-file.ts'
import { type Workspace } from '../../workspace/workspace.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { openText, type PathGuard } from '../calls/guarded-files.ts'
import type { ReadRecord } from '../calls/read-record.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import { closestLines } from '../../../../site/text/closest-lines.ts'
import { editThroughView, viewText } from '../../../../site/text/text-view.ts'
import { nearMatch, withoutTypography } from './near-match.ts'
import type { Paths } from '../calls/paths.ts'
import { numberLines } from '../read-file.ts'
import { changedLines } from './text-difference.ts'

const maxLength = 4 * 1024 * 1024

const replacement = z.object({
  search: z.string().min(1).describe('The exact text of the file, including line breaks'),
  replace: z.string().describe('The text that replaces it; empty to delete it'),
  line: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('The line where `search` starts, as read_file numbered it before this call'),
  all: z.boolean().optional().describe('Replace every occurrence'),
})

export function editFileTool(
  workspace: Workspace,
  { reads, guard, paths }: { reads: ReadRecord; guard: PathGuard; paths: Paths },
): AgentTool {
  return defineTool({
    name: 'edit_file',
    changesFiles: true,
    description:
      'Replaces exact texts in a file that was read with read_file. `search` is the text as it stands in the file, without ' +
      'line numbers, and may span lines. It must occur once, unless `line` (where it starts) or `all` is given. ' +
      'The edits of one call are made one after the other, all or none, and text that one of them inserted does not make a later `search` ambiguous. ' +
      'The changed lines come back; the file need not be read again. ' +
      'Line ends stay in the form that the file has, unless `search` or `replace` holds `\\r\\n`: then both are taken as they are.',
    input: z.object({ path: z.string(), edits: z.array(replacement).min(1).max(200) }),
    run: async ({ path: given, edits }) => {
      const path = await paths.file(given)
      const before = await openText(workspace, path)
      const { text, content } = before
      await guard.requireWritable(path)
      requireRead(reads, path, contentHash(content))
      let current = text
      let replacements = 0
      let written: Range[] = []
      const shifts: { line: number; by: number }[] = []
      const lineNow = (line: number) =>
        shifts.reduce((now, shift) => (now > shift.line ? now + shift.by : now), line)
      const notes: string[] = []
      for (const [index, wanted] of edits.entries()) {
        const name = edits.length === 1 ? 'The text' : `The text of edit ${index + 1}`
        const { places, difference } = inEdit(edits, index, () =>
          findPlaces(current, { path, lineNow, written }, wanted),
        )
        if (difference !== undefined)
          notes.push(
            `${name} stands at line ${places[0]?.line} with other ${difference}: it was changed there`,
          )
        const by = linesOf(wanted.replace) - linesOf(wanted.search)
        // From last to first, so that earlier lines keep their numbers.
        for (const { line } of places.toReversed()) if (by !== 0) shifts.push({ line, by })
        const changes = places.flatMap((place) => place.edits)
        current = applyEdits(current, changes)
        written = writtenAfter(written, changes)
        if (current.length > maxLength) throw new ToolError('too_large', 'The file would become too large')
        replacements += places.length
      }
      const changed = encodeEdited(current, before)
      if (current !== text) workspace.write(path, changed)
      const diff = changedLines(text, current)
      return {
        path,
        hash: contentHash(changed),
        replacements,
        ...(notes.length > 0 ? { notes } : {}),
        ...(diff === undefined ? { unchanged: true } : { diff }),
      }
    },
  })
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

export function requireRead(reads: ReadRecord, path: string, hash: string): void {
  const state = reads.state(path)
  if (state === undefined) {
    throw new ToolError('not_read', `Read ${quote(path)} with read_file before changing it`)
  }
  if (state === 'stale' || state.hash !== hash) {
    throw new ToolError('stale', `${quote(path)} has changed since it was read: read it again`)
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

const maxOccurrences = 10_000
const maxCompared = 50_000

/** One replacement as the model asks for it. */
interface Replacement {
  search: string
  replace: string
  line?: number | undefined
  all?: boolean | undefined
}

/** A range of the file. */
interface Range {
  start: number
  end: number
}

/** The position of the text in the file, the edits to be made there, and the line of the view that it starts on. */
interface Place extends Range {
  edits: Edit[]
  line: number
}

/**
 * Finds the places of a replacement, in file order. `lineNow` maps a line that the model names to its current line.
 * `written` are the texts that earlier edits of the same call inserted: a text that was there before takes
 * precedence.
 * @throws ToolError `not_found` with the closest region, `ambiguous` with the lines
 */
function findPlaces(
  file: string,
  input: { path: string; lineNow: (line: number) => number; written: readonly Range[] },
  wanted: Replacement,
): { places: Place[]; difference?: string } {
  const { path, written } = input
  if (!wanted.replace.isWellFormed() || wanted.replace.includes('\0')) {
    throw new ToolError(
      'invalid_input',
      'The replacement contains a character that text files cannot contain',
    )
  }
  // Carriage returns and byte order marks are never shown, so a model that writes them means them literally.
  const places = (isExact(wanted) ? exactPlaces(file, wanted) : undefined) ?? viewPlaces(file, wanted)
  if (places.length === 0) {
    const near = isExact(wanted) ? undefined : nearPlace(file, wanted)
    if (near === undefined) throw notFound(file, path, wanted.search)
    return near
  }
  if (wanted.all === true || places.length === 1) return { places }
  const lines = [...new Set(places.map((place) => place.line))].slice(0, 50)
  const { line } = wanted
  if (line === undefined) {
    const present = places.filter((place) => !written.some((range) => overlap(range, place)))
    if (present.length === 1) return { places: present }
    throw new ToolError(
      'ambiguous',
      `The text occurs ${places.length} times: give more of it, its line, or all`,
      { lines },
    )
  }
  const now = input.lineNow(line)
  const chosen = [now, line]
    .map((number) => places.filter((place) => place.line === number))
    .find((some) => some.length > 0)
  if (chosen === undefined) {
    throw new ToolError('not_found', `The text is not on line ${line} of ${quote(path)}`, { lines })
  }
  if (chosen.length > 1) {
    throw new ToolError(
      'ambiguous',
      `The text occurs ${chosen.length} times on that line: give more of it, or all`,
      { lines },
    )
  }
  return { places: chosen }
}

function nearPlace(
  file: string,
  { search, replace }: Replacement,
): { places: Place[]; difference: string } | undefined {
  const view = viewText(file)
  const near = nearMatch(view.text, normalised(search), normalised(replace))
  if (near === undefined) return undefined
  const { start, end, line, difference } = near
  const edits = near.edits.flatMap((edit) => editThroughView(file, view, edit, edit.text) ?? [])
  return { places: [{ start: view.toFile(start), end: view.toFile(end), line, edits }], difference }
}

function isExact({ search, replace }: Replacement): boolean {
  return /[\r\uFEFF]/.test(search) || /[\r\uFEFF]/.test(replace)
}

/** Searches the exact bytes. Undefined when the file does not contain them. */
function exactPlaces(file: string, { search, replace }: Replacement): Place[] | undefined {
  const exact = occurrences(file, search)
  if (exact.length > 0) {
    return exact.map(({ at, line }) => {
      const range = { start: at, end: at + search.length }
      return { ...range, edits: [{ ...range, text: replace }], line }
    })
  }
  const view = viewText(file)
  const plain = normalised(search)
  const inView = plain === '' ? [] : occurrences(view.text, plain)
  if (inView.length === 0) return undefined
  return inView.map(({ at, line }) => {
    const range = { start: view.toFile(at), end: view.toFile(at + plain.length) }
    return { ...range, edits: [{ ...range, text: replace }], line }
  })
}

/** Searches the text as it is shown: line ends are matched and written in the file's own form. */
function viewPlaces(file: string, { search, replace }: Replacement): Place[] {
  const view = viewText(file)
  const plain = normalised(search)
  if (plain === '') return []
  return occurrences(view.text, plain).map(({ at, line }) => {
    const edit = editThroughView(file, view, { start: at, end: at + plain.length }, replace)
    return {
      start: view.toFile(at),
      end: view.toFile(at + plain.length),
      edits: edit === undefined ? [] : [edit],
      line,
    }
  })
}

function overlap(one: Range, other: Range): boolean {
  return one.start < other.end && other.start < one.end
}

function occurrences(text: string, search: string): { at: number; line: number }[] {
  const places: { at: number; line: number }[] = []
  let line = 1
  let counted = 0
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) {
    for (let newline = text.indexOf('\n', counted); newline !== -1 && newline < at;) {
      line++
      counted = newline + 1
      newline = text.indexOf('\n', counted)
    }
    places.push({ at, line })
    if (places.length > maxOccurrences) throw new ToolError('too_large', 'The text occurs too often')
  }
  return places
}

function notFound(file: string, path: string, search: string): ToolError {
  const lines = viewText(file).text.split('\n')
  const plain = withoutNumbers(search)
  if (plain !== undefined && viewText(file).text.includes(plain)) {
    return new ToolError(
      'not_found',
      '`search` holds the line numbers that read_file puts before each line: leave them and the tab out',
    )
  }
  const message = `${quote(path)} does not hold this text exactly`
  // Searching for similar regions takes long in very long files.
  if (lines.length > maxCompared) return new ToolError('not_found', message)
  for (const [difference, plainer] of differences) {
    const line = lineOf(lines, normalised(search), plainer)
    if (line !== undefined) {
      return new ToolError('not_found', `${message}: it differs in ${difference} only; the place is shown`, {
        closest: region(lines, line, search),
      })
    }
  }
  const closest = closestLines(lines, normalised(search))
  if (closest === undefined) return new ToolError('not_found', message)
  return new ToolError('not_found', `${message}; the closest place is shown`, {
    closest: region(lines, closest.line, search),
  })
}

const differences: [name: string, plainer: (text: string) => string][] = [
  ['white space (indentation, tabs, line breaks or spaces at line ends)', (text) => text],
  ['quotation marks, dashes or kinds of spaces', plainTypography],
  ['upper and lower case', (text) => plainTypography(text).toLowerCase()],
]

function plainTypography(text: string): string {
  return Array.from(text, withoutTypography).join('')
}

/** The 0-based line of a text, ignoring white space. */
function lineOf(
  lines: readonly string[],
  search: string,
  plainer: (text: string) => string,
): number | undefined {
  const words = (text: string) =>
    plainer(text)
      .split(/\s+/)
      .filter((word) => word !== '')
      .join(' ')
  const wanted = words(search)
  if (wanted === '') return undefined
  const starts: number[] = []
  const parts: string[] = []
  let length = 0
  for (const line of lines) {
    starts.push(length)
    const text = words(line)
    if (text === '') continue
    parts.push(text)
    length += text.length + 1
  }
  const at = parts.join(' ').indexOf(wanted)
  return at === -1 ? undefined : starts.findLastIndex((start) => start <= at)
}

function region(
  lines: readonly string[],
  line: number,
  search: string,
): { startLine: number; content: string } {
  const from = Math.max(0, line - 1)
  const count = Math.min(search.split('\n').length + 2, 60)
  return { startLine: from + 1, content: numberLines(lines.slice(from, from + count), from + 1) }
}

function withoutNumbers(search: string): string | undefined {
  const lines = normalised(search).split('\n')
  const numbers = /^ *\d+(?:\t|→)/
  if (!lines.some((line) => numbers.test(line))) return undefined
  return lines.map((line) => line.replace(numbers, '')).join('\n')
}

function normalised(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '')
}
