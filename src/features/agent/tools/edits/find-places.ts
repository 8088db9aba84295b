import { ToolError } from '../../../../lib/tool-error.ts'
import { quote } from '../../../../lib/text/quote.ts'
import type { Edit } from '../../../../site/text/text-file.ts'
import { editThroughView, viewText } from '../../../../site/text/text-view.ts'
import { nearMatch } from './near-match.ts'
import { normalised, notFound } from './not-found.ts'

const maxOccurrences = 10_000

/** One replacement as the model asks for it. */
export interface Replacement {
  search: string
  replace: string
  line?: number | undefined
  all?: boolean | undefined
}

/** A range of the file. */
export interface Range {
  start: number
  end: number
}

/** The position of the text in the file, the edits to be made there, and the line of the view that it starts on. */
export interface Place extends Range {
  edits: Edit[]
  line: number
}

/**
 * Finds the places of a replacement, in file order. `lineNow` maps a line that the model names to its current line.
 * `written` are the texts that earlier edits of the same call inserted: a text that was there before takes
 * precedence.
 * @throws ToolError `not_found` with the closest region, `ambiguous` with the lines
 */
export function findPlaces(
  file: string,
  input: { path: string; lineNow: (line: number) => number; written: readonly Range[] },
  wanted: Replacement,
): { places: Place[]; difference?: string } {
  const { path, written } = input
  // Carriage returns and byte order marks are never shown, so a model that writes them means them literally.
  const on = wanted.line === undefined || wanted.all === true ? [] : [input.lineNow(wanted.line), wanted.line]
  const places = (isExact(wanted) ? exactPlaces(file, wanted, on) : undefined) ?? viewPlaces(file, wanted, on)
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
function exactPlaces(
  file: string,
  { search, replace }: Replacement,
  on: readonly number[],
): Place[] | undefined {
  const exact = occurrences(file, search, on)
  if (exact.length > 0) {
    return exact.map(({ at, line }) => {
      const range = { start: at, end: at + search.length }
      return { ...range, edits: [{ ...range, text: replace }], line }
    })
  }
  const view = viewText(file)
  const plain = normalised(search)
  const inView = plain === '' ? [] : occurrences(view.text, plain, on)
  if (inView.length === 0) return undefined
  return inView.map(({ at, line }) => {
    const range = { start: view.toFile(at), end: view.toFile(at + plain.length) }
    return { ...range, edits: [{ ...range, text: replace }], line }
  })
}

/** Searches the text as it is shown: line ends are matched and written in the file's own form. */
function viewPlaces(file: string, { search, replace }: Replacement, on: readonly number[]): Place[] {
  const view = viewText(file)
  const plain = normalised(search)
  if (plain === '') return []
  return occurrences(view.text, plain, on).map(({ at, line }) => {
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

/** Where a text occurs; of very many places only those `on` the lines that the model names. */
function occurrences(text: string, search: string, on: readonly number[]): { at: number; line: number }[] {
  const places: { at: number; line: number }[] = []
  let line = 1
  let counted = 0
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) {
    for (let newline = text.indexOf('\n', counted); newline !== -1 && newline < at;) {
      line++
      counted = newline + 1
      newline = text.indexOf('\n', counted)
    }
    if (places.length < maxOccurrences || on.includes(line)) places.push({ at, line })
    else if (on.length === 0) throw new ToolError('too_large', 'The text occurs too often: give its line')
  }
  return places
}
