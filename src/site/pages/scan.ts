import type { Scan } from './dialect.ts'
import { createSections, type IdRules } from './sections.ts'
import { shownSource, type SourceRules } from './shown-source.ts'
import { startEsm } from '../markdown/esm.ts'
import { createFences, type Fence, type Fences } from '../markdown/fence.ts'
import {
  createIndents,
  createProperties,
  isTableDelimiter,
  isThematicBreak,
  readCallout,
  readCells,
  readHeading,
  readLine,
  readListMarker,
  shownProperty,
  type Line,
} from '../markdown/line.ts'
import { idOfList } from '../markdown/heading-id.ts'
import { labelOf } from '../markdown/labels.ts'
import { openComment } from '../markdown/open-comment.ts'
import { readTag } from '../markdown/tag.ts'

const maxLength = 4_000_000
const maxParagraph = 32 * 1024
const hiddenElement = /^<(script|style|svg|template)\b/i

/** The state of a scan: what has been opened, and the lines of the current paragraph. */
interface State {
  dialect: IdRules
  sections: ReturnType<typeof createSections>
  paragraph: string[]
  paragraphLength: number
  /** The list marker that the paragraph starts with. */
  prefix: string
  fences: Fences
  fence: Fence | undefined
  /** What ends the comment or hidden element that is open. */
  until: string | undefined
  esm: ReturnType<typeof startEsm>
  properties: ReturnType<typeof createProperties>
  indents: ReturnType<typeof createIndents>
  afterBlank: boolean
  inTable: boolean
  /** Whether a label may stand right below a paragraph. */
  labelsInterrupt: boolean
  /** How many colons opened each directive that is open. */
  directives: number[]
  /** The line below the one that is read. */
  next: string
  /** How far in the line stands whose options follow further in. */
  options: number | undefined
}

/** Splits a page's body at its headings, in one pass over its lines. */
export function scan(body: string, dialect: State['dialect'] & SourceRules): Scan {
  const source = (body.length > maxLength ? body.slice(0, maxLength) : body).replace(/\r\n?/g, '\n')
  const text = shownSource(source, dialect)
  const state: State = {
    dialect,
    sections: createSections(dialect, referenceLabels(text)),
    paragraph: [],
    paragraphLength: 0,
    prefix: '',
    fences: createFences(dialect.mdx),
    fence: undefined,
    until: undefined,
    esm: undefined,
    properties: createProperties(),
    indents: createIndents(),
    afterBlank: true,
    inTable: false,
    labelsInterrupt: dialect.hasMystDirectives === true,
    directives: [],
    next: '',
    options: undefined,
  }
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    if (dialect.headings.ownIds === 'kramdown')
      state.next = text.slice(end + 1, Math.min(text.length, end + 500)).split('\n', 1)[0] ?? ''
    readRaw(state, text.slice(start, end))
    start = end + 1
  }
  flush(state)
  const { sections, anchors } = state.sections.done()
  const { footnotesId } = dialect.headings
  if (footnotesId !== undefined && text.split('\n').some((line) => footnote.test(line)))
    anchors.add(footnotesId)
  return { sections, anchors }
}

const footnote = /^ {0,3}\[\^[^\]]{1,300}\]:/

function readRaw(state: State, raw: string): void {
  if (state.until !== undefined) {
    readHidden(state, raw, state.until)
    return
  }
  const { dialect, sections, paragraph } = state
  const line = closesTag(raw, paragraph) ? { text: '>', indent: 0, quotes: 0 } : readLine(raw)
  if (state.fence && readCode(state, raw, line, state.fence)) return
  if (state.esm) {
    if (state.esm.goesOn(raw)) return
    state.esm = undefined
  }
  const part = state.properties.read(raw)
  if (part !== undefined) {
    const property = part === 'property' ? shownProperty(raw) : undefined
    if (part === 'mark') sections.blank()
    if (property !== undefined) sections.paragraph('', property)
    return
  }
  if (line.text === '') {
    flush(state)
    sections.blank()
    state.inTable = false
    state.afterBlank = true
    return
  }
  if (state.options !== undefined && line.indent > state.options) return
  state.options = undefined
  if (dialect.mdx && state.afterBlank && line.indent === 0 && line.quotes === 0) {
    state.esm = startEsm(raw)
    if (state.esm) {
      flush(state)
      return
    }
  }
  if (state.afterBlank && state.indents.isCode(line) && !dialect.mdx && paragraph.length === 0) {
    sections.code(raw.trim())
    return
  }
  state.afterBlank = false
  readBlock(state, line)
}

/** A line within a comment or hidden element. */
function readHidden(state: State, raw: string, until: string): void {
  const isTag = until.startsWith('</')
  const at = (isTag ? raw.toLowerCase() : raw).indexOf(until)
  if (at === -1) return
  const rest = isTag ? raw.slice(at).replace(/^[^>]*>/, '') : raw.slice(at + until.length)
  state.until = undefined
  if (rest.trim() !== '') readText(state, rest.trim())
}

/**
 * Reads a line while a fence is open; false when the line is after the end of the block quote or list item that contained
 * the code.
 */
function readCode(state: State, raw: string, line: Line, fence: Fence): boolean {
  const part = state.fences.inside(line)
  if (part === 'content') state.sections.code(unindent(raw, fence))
  else {
    state.sections.code(fence.marker.repeat(fence.length))
    state.fence = undefined
  }
  return part !== undefined
}

function flush(state: State): void {
  if (state.paragraph.length > 0) state.sections.paragraph(state.prefix, state.paragraph.join('\n'))
  state.paragraph.length = 0
  state.paragraphLength = 0
  state.prefix = ''
}

function addToParagraph(state: State, line: string): void {
  if (state.paragraphLength > maxParagraph) flush(state)
  for (let at = 0; at < line.length || at === 0; at += maxParagraph) {
    if (at > 0) flush(state)
    state.paragraph.push(line.slice(at, at + maxParagraph))
  }
  state.paragraphLength += line.length + 1
}

/** Reads the block that starts with this line, after its list markers. Lines of paragraphs are collected. */
function readBlock(state: State, line: Line): void {
  const { sections, paragraph } = state
  const opened = state.fences.open(line)
  if (opened) {
    flush(state)
    state.fence = opened
    if (opened.indent > line.indent) state.indents.enter(opened.indent)
    const column = state.indents.column()
    if (column <= opened.indent && state.dialect.headings.lines !== 'python') opened.column = column
    const id = /\{[^{}#]*#([\w:.-]+)(?![\w:.-])[^{}]*\}/.exec(opened.info.slice(0, 500))?.[1]
    if (id !== undefined) sections.anchor(id)
    sections.code(opened.marker.repeat(opened.length) + opened.info)
    return
  }
  const label = labelOf(line.text)
  if (label !== undefined && (paragraph.length === 0 || state.labelsInterrupt)) {
    flush(state)
    sections.label(label)
    return
  }
  if (readHeadingLine(state, line)) return
  const term = line.text.startsWith(': ') ? paragraph.at(-1) : undefined
  if (term !== undefined && !term.startsWith(': ')) sections.term(term)
  if (isThematicBreak(line.text)) {
    flush(state)
    return
  }
  const object =
    state.dialect.headings.lines === 'python' ? /^::: ([\w.]{1,200})\s*$/.exec(line.text)?.[1] : undefined
  // What mkdocstrings writes of an object of code begins with the object's id, and nothing of the source is shown.
  if (object !== undefined) {
    flush(state)
    sections.anchor(object)
    state.options = line.indent
    return
  }
  countDirective(state, line.text)
  const callout = isBox(state.dialect, line.text) ? readCallout(line.text) : undefined
  if (callout !== undefined) {
    flush(state)
    if (line.text.startsWith('=')) sections.tab(callout)
    if (!line.text.startsWith(':')) state.indents.enter(line.indent + 4)
    if (callout !== '') sections.paragraph('', callout)
    return
  }
  if (!readRow(state, line.text) && !readItem(state, line)) readText(state, line.text)
}

/** Directives of MyST between lines of colons. */
function countDirective({ directives }: State, text: string): void {
  const colons = /^:{3,}/.exec(text)?.[0]
  if (colons === undefined) return
  const rest = text.slice(colons.length)
  if (rest.startsWith('{')) directives.push(colons.length)
  else if (rest.trim() === '') while ((directives.at(-1) ?? Infinity) <= colons.length) directives.pop()
}

/** Whether the text below a mark such as `!!!` is Markdown here; all other call-outs are. */
function isBox({ boxes }: IdRules, text: string): boolean {
  const mark = /^(?:!!!|\?\?\?|===)/.exec(text)?.[0]
  return mark === undefined || boxes === undefined || boxes.includes(mark)
}

/** A heading, of one line or with a line below it. */
function readHeadingLine(state: State, line: Line): boolean {
  const { sections, paragraph } = state
  const { lines } = state.dialect.headings
  const isInside = state.directives.length > 0
  const column = state.indents.column()
  const isNested = line.quotes > 0 || (column > 0 && line.indent >= column)
  const id = idOfList(/^\{:([^{}]*)\}\s*$/.exec(state.next)?.[1] ?? '', true) || undefined
  const heading = isPlaced(state, line) ? readHeading(line.text, isLoose(state.dialect)) : undefined
  if (heading) {
    flush(state)
    sections.heading(heading.level, heading.text, { id, isNested, isInside })
    return true
  }
  if (paragraph.length === 0 || state.prefix !== '' || state.inTable || !/^(?:=+|-+)$/.test(line.text))
    return false
  if ((lines === 'python' || lines === 'kramdown') && paragraph.length > 1) return false
  const head = paragraph.join('\n')
  paragraph.length = 0
  flush(state)
  sections.heading(line.text.startsWith('=') ? 1 : 2, head, { id, isNested, isInside })
  return true
}

function isLoose({ headings: { lines } }: IdRules): boolean {
  return lines === 'loose' || lines === 'python'
}

/** Whether a heading may stand as far from the margin as a line does. */
function isPlaced({ dialect, indents }: State, { indent, quotes }: Line): boolean {
  if (dialect.headings.lines === 'python') return quotes > 0 || indent % 4 === 0
  return dialect.headings.lines !== 'kramdown' || indents.column() > 0 || indent === 0
}

/** A row of a table, or the dashes below its head. */
function readRow(state: State, text: string): boolean {
  const { sections, paragraph } = state
  if (isTableDelimiter(text) && (paragraph.length === 1 || text.startsWith('|'))) {
    const head = paragraph.pop()
    flush(state)
    if (head !== undefined) sections.row(readCells(head))
    state.inTable = true
    return true
  }
  if (!text.startsWith('|') && !(state.inTable && text.includes('|'))) return false
  flush(state)
  sections.row(readCells(text))
  return true
}

/** The first line of a list item. */
function readItem(state: State, line: Line): boolean {
  const item = readListMarker(line.text)
  // A number in the middle of a paragraph starts a list only when it is 1.
  const starts = state.paragraph.length === 0 || state.prefix !== ''
  if (!item || !(starts || item.marker === '-' || item.marker === '1.')) return false
  flush(state)
  const column = line.indent + item.width
  state.indents.enter(column)
  const rest = readLine(line.text.slice(item.width))
  if (rest.text === '') return true
  const isPython = state.dialect.headings.lines === 'python'
  if (readHeading(rest.text, isLoose(state.dialect)))
    readBlock(state, { ...rest, indent: isPython ? 0 : column, quotes: line.quotes })
  else {
    state.prefix = `${' '.repeat(Math.min(line.indent, 8))}${item.marker} `
    readText(state, rest.text)
  }
  return true
}

/**
 * Reads running text. It removes hidden parts, which may continue over lines that would otherwise end a paragraph.
 */
function readText(state: State, line: string): void {
  const { sections } = state
  const hidden = hiddenElement.exec(line)
  if (hidden?.[1] !== undefined) {
    const close = `</${hidden[1].toLowerCase()}`
    flush(state)
    if (!line.toLowerCase().includes(close) && !line.endsWith('/>')) state.until = close
    return
  }
  const html = /^<h([1-6])(?:\s[^>]*)?>(.*)<\/h\1>$/i.exec(line)
  if (html?.[1] !== undefined && html[2] !== undefined) {
    flush(state)
    const id = /\sid=["']?([^"'\s>]+)/.exec(line)?.[1]
    sections.heading(Number(html[1]), html[2], { element: { id } })
    return
  }
  const comment = openComment(line, state.dialect.mdx)
  if (!comment) {
    addToParagraph(state, line)
    return
  }
  state.until = comment.close
  if (comment.at > 0) addToParagraph(state, line.slice(0, comment.at))
}

/** A `>` on a line of its own that ends a tag opened in this paragraph, not an empty line of a quote. */
function closesTag(raw: string, paragraph: readonly string[]): boolean {
  if (paragraph.length === 0 || raw.trim() !== '>') return false
  const text = `${paragraph.slice(-100).join('\n')}\n>`
  const tag = readTag(text, Math.max(0, text.lastIndexOf('\n<') + 1))
  return !('failedAt' in tag) && tag.end === text.length
}

function unindent(raw: string, fence: Fence): string {
  const inner = fence.quotes > 0 ? raw.replace(/^(?:[ \t]{0,3}>[ ]?)+/, '') : raw
  let position = 0
  while (position < fence.indent && (inner[position] === ' ' || inner[position] === '\t')) position++
  return inner.slice(position)
}

function referenceLabels(text: string): Set<string> {
  const labels = new Set<string>()
  if (!text.includes(']:')) return labels
  for (const match of text.matchAll(/^ {0,3}\[([^\]\n]{1,300})\]:/gm)) {
    const label = match[1]?.trim().toLowerCase()
    if (label !== undefined && !label.startsWith('^')) labels.add(label)
  }
  return labels
}
