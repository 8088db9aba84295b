/** A line of a text, without what indents the block that it is in. */
export interface SourceLine {
  text: string
  /** Where `text` begins in the page's source. */
  at: number
  /** Its place among the lines that the page was read from, from 0. */
  index: number
}

/** Lines of running text, whose markup is read apart. */
export type Lines = readonly SourceLine[]

export interface Directive {
  kind: 'directive'
  name: string
  /** Of `.. |name| image:: x`. */
  substitution?: string
  argument: Lines
  options: ReadonlyMap<string, { value: string; line: SourceLine }>
  content: Lines
  /** The first line, and the one behind the last. */
  start: SourceLine
  end: number
}

export interface Item {
  /** What stands before its body: a term, a field's name, an option. */
  head: Lines
  body: readonly Block[]
}

/** A block of reStructuredText. */
export type Block =
  | {
      kind: 'heading'
      level: number
      text: SourceLine
      /** Its underline, and whether the same stands above it. */
      adornment: SourceLine
      hasOverline: boolean
    }
  | { kind: 'paragraph'; text: Lines }
  | { kind: 'list'; marker: '-' | number; items: readonly Item[] }
  | { kind: 'definitions' | 'fields' | 'options'; items: readonly Item[] }
  | { kind: 'quote'; body: readonly Block[] }
  | { kind: 'literal'; text: Lines; language: string | undefined }
  | { kind: 'lines'; text: Lines }
  | { kind: 'table'; head: number; rows: readonly Cell[][]; start: SourceLine }
  | { kind: 'target'; names: readonly string[]; uri: string; uriAt: number; line: SourceLine }
  | { kind: 'footnote' | 'citation'; label: string; body: readonly Block[]; line: SourceLine }
  | { kind: 'rule' | 'comment'; line: SourceLine }
  | Directive

export interface Cell {
  lines: Lines
  body: readonly Block[]
}

/** Something that keeps a text from being what its author meant. */
export interface Fault {
  line: SourceLine
  message: string
}

/** All of these are nested too deep to be written by hand. */
export const maxDepth = 40

const sign = /^([!-/:-@[-`{-~])\1*$/

/** Whether a line is nothing but one sign. */
export function isAdornment(text: string): boolean {
  return text.length > 0 && text[0] === text[text.length > 1 ? 1 : 0] && sign.test(text.trimEnd())
}

export function isBlank({ text }: SourceLine): boolean {
  return text === '' || (!beginsWithSign(text) && text.trim() === '')
}

export function indentOf({ text }: SourceLine): number {
  return beginsWithSign(text) ? 0 : text.length - text.trimStart().length
}

/** Whether a text begins with what is no blank, as most lines do; some of the signs of other languages are looked at. */
function beginsWithSign(text: string): boolean {
  const code = text.charCodeAt(0)
  return code > 0x20 && code < 0x80
}

/** A line without its first columns. */
export function cut(line: SourceLine, columns: number): SourceLine {
  const width = Math.min(columns, indentOf(line))
  return width === 0 ? line : { ...line, text: line.text.slice(width), at: line.at + width }
}

/** A part of a line as a line of its own. */
export function part(line: SourceLine, from: number, to?: number): SourceLine {
  return { ...line, text: line.text.slice(from, to), at: line.at + Math.min(from, line.text.length) }
}

/** Lines without the columns that all of them begin with, and without empty ones at their ends. */
export function dedent(lines: Lines): SourceLine[] {
  let width = Infinity
  for (const line of lines) if (!isBlank(line)) width = Math.min(width, indentOf(line))
  return trimLines(width === Infinity ? lines : lines.map((line) => cut(line, width)))
}

export function trimLines(lines: Lines): SourceLine[] {
  let [from, to] = [0, lines.length]
  const blank = (at: number) => (lines[at]?.text.trim() ?? 'x') === ''
  while (from < to && blank(from)) from++
  while (to > from && blank(to - 1)) to--
  return lines.slice(from, to)
}

/** The lines of a text. Tabs that indent them are blanks up to every eighth column. */
export function sourceLines(texts: Iterable<string>): SourceLine[] {
  const lines: SourceLine[] = []
  let at = 0
  for (const raw of texts) {
    const text = raw.trimEnd()
    const indent = text.includes('\t') ? (/^[ \t\f\v]*/.exec(text)?.[0] ?? '') : ''
    const untabbed = indent.includes('\t') ? expanded(indent) + text.slice(indent.length) : text
    // Whatever the blanks became, the text behind them is where it is.
    lines.push({ text: untabbed, at: at + text.length - untabbed.length, index: lines.length })
    at += raw.length + 1
  }
  return lines
}

function expanded(indent: string): string {
  let width = 0
  for (const character of indent) width += character === '\t' ? 8 - (width % 8) : 1
  return ' '.repeat(width)
}

/** How wide a text is shown: letters of East Asia take two columns, marks above letters none. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code >= 0x300 && code <= 0x36f) continue
    const isWide =
      (code >= 0x1100 && code <= 0x115f) ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0xffe0 && code <= 0xffe6) ||
      (code >= 0x1f300 && code <= 0x1faff)
    width += isWide ? 2 : 1
  }
  return width
}

/** The end of `:name:` at the start of a line. */
export function fieldEnd(text: string): number | undefined {
  if (text[0] !== ':' || text.length < 3 || /[\s:]/.test(text[1] ?? '')) return undefined
  for (let at = 1; at < Math.min(text.length, 500); at++) {
    if (text[at] === '\\') at++
    else if (text[at] !== ':') continue
    // A role is no field.
    else if (text[at + 1] === '`') return undefined
    else if (text[at + 1] === ' ' || at + 1 === text.length) return text[at - 1] === ' ' ? undefined : at + 1
  }
  return undefined
}
