import { diffWordsWithSpace } from 'diff'
import type { Edit } from '../../../../site/text/text-file.ts'

/** The one place of a text that a search means though it is not written exactly so. */
interface NearMatch {
  start: number
  end: number
  /** From 1. */
  line: number
  /** What is to be changed; the rest of the place stays as the text has it. */
  edits: Edit[]
  difference: string
}

const longest = 2_000_000
const timeout = 500
const mostShifts = 20

/**
 * Finds a search that differs from the text in spaces at line ends, in typographic characters or in an indentation that is the same
 * for all lines. Undefined where there is no such place, or more than one. Line ends are `\n` in all texts.
 */
export function nearMatch(text: string, search: string, replace: string): NearMatch | undefined {
  if (text.length > longest || search.length > 100_000 || search.trim() === '') return undefined
  const plain = placeOf(text, search, replace, asWritten)
  if (plain !== undefined) return { ...plain, difference: 'spaces at line ends' }
  const typographic = placeOf(text, search, replace, withoutTypography)
  if (typographic !== undefined)
    return { ...typographic, difference: 'quotation marks, dashes or kinds of spaces' }
  const indented = reindent(text, search, replace)
  const place = indented && placeOf(text, indented.search, indented.replace, asWritten)
  return place && { ...place, difference: 'indentation' }
}

type Plain = (character: string) => string

const asWritten: Plain = (character) => character

const typography = new Map(
  [
    ['‘’‚′`´', "'"],
    ['“”„″«»', '"'],
    ['‐‑‒–—−', '-'],
    ['\u00A0\u2002\u2003\u2007\u2009\u202F', ' '],
    ['…', '...'],
  ].flatMap(([signs = '', typed = '']) => Array.from(signs, (sign) => [sign, typed] as const)),
)

/** A character as it is typed on a keyboard. */
export function withoutTypography(character: string): string {
  return typography.get(character) ?? character
}

function placeOf(
  text: string,
  search: string,
  replace: string,
  plain: Plain,
): Omit<NearMatch, 'difference'> | undefined {
  const file = plainText(text, plain)
  const wanted = plainText(search, plain)
  const at = wanted.text === '' ? -1 : file.text.indexOf(wanted.text)
  if (at === -1 || file.text.includes(wanted.text, at + 1)) return undefined
  const startAt = (offset: number) => file.offsets[at + wanted.indexOf(offset)] ?? text.length
  const endAt = (offset: number) => {
    const index = at + wanted.indexOf(offset)
    return offset === 0 ? startAt(0) : (file.offsets[index - 1] ?? text.length - 1) + 1
  }
  const start = startAt(0)
  const end = endAt(search.length)
  const edits = changes(search, replace, { startAt, endAt }) ?? [{ start, end, text: replace }]
  return { start, end, line: text.slice(0, start).split('\n').length, edits }
}

/** A text without spaces at line ends, and the offset in the text of each of its characters. */
function plainText(
  text: string,
  plain: Plain,
): { text: string; offsets: number[]; indexOf: (offset: number) => number } {
  const parts: string[] = []
  const offsets: number[] = []
  const indexes: number[] = []
  let length = 0
  let at = 0
  for (const line of text.split('\n')) {
    const end = at + line.trimEnd().length
    for (let offset = at; offset < end; offset++) {
      indexes[offset] = length
      const plainForm = plain(text.charAt(offset))
      for (let nth = 0; nth < plainForm.length; nth++) offsets.push(offset)
      parts.push(plainForm)
      length += plainForm.length
    }
    for (let offset = end; offset <= at + line.length; offset++) indexes[offset] = length
    at += line.length + 1
    if (at > text.length) break
    parts.push('\n')
    offsets.push(at - 1)
    length++
  }
  return { text: parts.join(''), offsets, indexOf: (offset) => indexes[offset] ?? length }
}

/** What a replacement changes of the search, as edits of the text. Words that both have stay as the text writes them. */
function changes(
  search: string,
  replace: string,
  { startAt, endAt }: Record<'startAt' | 'endAt', (offset: number) => number>,
): Edit[] | undefined {
  const edits: Edit[] = []
  let at = 0
  let open: Edit | undefined
  for (const { value, added, removed } of diffWordsWithSpace(search, replace, { timeout }) ?? []) {
    if (!added && !removed) {
      at += value.length
      open = undefined
      continue
    }
    if (open === undefined) {
      const start = removed ? startAt(at) : endAt(at)
      open = { start, end: start, text: '' }
      edits.push(open)
    }
    if (removed) {
      at += value.length
      open.end = Math.max(open.start, endAt(at))
    } else open.text += value
  }
  return at === search.length ? edits : undefined
}

/** The search and the replacement with the indentation of the one place where the lines of the search stand. */
function reindent(
  text: string,
  search: string,
  replace: string,
): { search: string; replace: string } | undefined {
  const lines = search.split('\n')
  const first = lines.find((line) => line.trim() !== '') ?? ''
  const own = indentOf(first)
  const shifts = new Set<string>()
  const candidates: { search: string; replace: string }[] = []
  for (const line of text.split('\n')) {
    const indent = indentOf(line)
    if (line.trim() !== first.trim() || indent === own || shifts.has(indent)) continue
    if (shifts.size >= mostShifts) return undefined
    shifts.add(indent)
    const shift = shiftBetween(own, indent)
    const shifted = shift && shiftLines(search, shift)
    if (shift === undefined || shifted === undefined) continue
    candidates.push({ search: shifted, replace: shiftLines(replace, shift) ?? replace })
  }
  const file = plainText(text, asWritten).text
  const standing = candidates.filter((one) => file.includes(plainText(one.search, asWritten).text))
  return standing.length === 1 ? standing[0] : undefined
}

interface Shift {
  added: string
  removed: string
}

function shiftBetween(from: string, to: string): Shift | undefined {
  if (to.endsWith(from)) return { added: to.slice(0, to.length - from.length), removed: '' }
  return from.endsWith(to) ? { added: '', removed: from.slice(0, from.length - to.length) } : undefined
}

function shiftLines(text: string, { added, removed }: Shift): string | undefined {
  const lines = text.split('\n').map((line) => {
    if (line.trim() === '') return line
    return line.startsWith(removed) ? `${added}${line.slice(removed.length)}` : undefined
  })
  return lines.includes(undefined) ? undefined : lines.join('\n')
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}
