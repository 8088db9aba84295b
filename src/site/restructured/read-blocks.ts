import {
  type Block,
  type Item,
  type Lines,
  type SourceLine,
  cut,
  dedent,
  fieldEnd,
  indentOf,
  isAdornment,
  isBlank,
  maxDepth,
  part,
  trimLines,
  widthOf,
} from './blocks.ts'
import {
  endOfBody,
  endOfIndented,
  endOfKnown,
  endOfLines,
  endOfParagraph,
  endOfSimple,
} from './block-ends.ts'
import type { Reading } from './reading.ts'
import { readExplicit } from './explicit.ts'
import { gridTable, isGridBorder, isSimpleBorder, simpleTable } from './tables.ts'

export function startReading(): Reading {
  return { styles: [], faults: [], language: undefined, depth: 0, isTop: true, readBlocks }
}

const bullet = /^[-*+•‣⁃](?: +|$)/
const enumerator = /^\(?(?:\d{1,9}|[A-Za-z]|[ivxlcdmIVXLCDM]{1,12}|#)[.)](?: +|$)/
const option = /^(?:-[A-Za-z\d]|--?[A-Za-z\d][\w-]{0,60}|\/[A-Za-z]{1,60})(?:[ =,]|$)/

export const skipsLevel = 'The title skips a level of the page'

/** The blocks of lines that begin at one column. */
export function readBlocks(lines: Lines, reading: Reading): Block[] {
  const blocks: Block[] = []
  if (reading.depth >= maxDepth) return [{ kind: 'paragraph', text: trimLines(lines) }]
  reading.depth++
  for (let at = 0; at < lines.length;) {
    const line = lines[at]
    if (line === undefined) break
    if (isBlank(line)) at++
    else at = readBlock(lines, at, line, blocks, reading)
  }
  reading.depth--
  return blocks
}

/** Reads the block that begins at a line, and says where the next one may begin. */
function readBlock(lines: Lines, at: number, line: SourceLine, blocks: Block[], reading: Reading): number {
  const { text } = line
  if (text.startsWith(' ')) {
    const end = endOfIndented(lines, at)
    blocks.push({ kind: 'quote', body: readBlocks(dedent(lines.slice(at, end)), reading) })
    needsBlank(lines, end, reading)
    return end
  }
  if (text.startsWith('..') && (text === '..' || text[2] === ' ')) {
    const end = endOfBody(lines, at)
    readExplicit(lines.slice(at, end), reading, blocks)
    needsBlank(lines, end, reading)
    return end
  }
  if (text === '__' || text.startsWith('__ ')) {
    blocks.push({ kind: 'target', names: [''], uri: text.slice(3).trim(), uriAt: line.at + 3, line })
    return at + 1
  }
  const titled = readTitle(lines, at, line, blocks, reading)
  if (titled !== undefined) return titled
  if (isGridBorder(text) || isSimpleBorder(text)) {
    const end = isGridBorder(text) ? endOfParagraph(lines, at) : endOfSimple(lines, at)
    const table = isGridBorder(text)
      ? gridTable(lines.slice(at, end))
      : end > at + 1
        ? simpleTable(lines.slice(at, end))
        : undefined
    if (table !== undefined) {
      const rows = table.rows.map((row) =>
        row.map((cell) => ({ lines: cell, body: readBlocks(dedent(cell), reading) })),
      )
      blocks.push({ kind: 'table', head: table.head, rows, start: line })
      return end
    }
  }
  if (bullet.test(text)) return readList(lines, at, blocks, reading, bullet)
  if (isEnumerated(lines, at)) return readList(lines, at, blocks, reading, enumerator)
  if (text.startsWith('>>>') && (text.length === 3 || text[3] === ' ')) {
    const end = endOfParagraph(lines, at)
    blocks.push({ kind: 'literal', text: lines.slice(at, end), language: 'pycon' })
    return end
  }
  if (text === '|' || text.startsWith('| ')) {
    const end = endOfLines(lines, at)
    blocks.push({ kind: 'lines', text: lines.slice(at, end) })
    return end
  }
  if (fieldEnd(text) !== undefined)
    return readItems(lines, at, blocks, reading, 'fields', (one) => fieldEnd(one))
  if (option.test(text) && optionEnd(text, lines[at + 1]) !== undefined)
    return readItems(lines, at, blocks, reading, 'options', (one, next) => optionEnd(one, next))
  return readText(lines, at, line, blocks, reading)
}

/** A section's title, or a line between paragraphs. */
function readTitle(
  lines: Lines,
  at: number,
  line: SourceLine,
  blocks: Block[],
  reading: Reading,
): number | undefined {
  const [next, below] = [lines[at + 1], lines[at + 2]]
  if (isAdornment(line.text)) {
    const [sign = ''] = line.text
    if (next === undefined || isBlank(next)) {
      if (line.text.length < 4) return undefined
      blocks.push({ kind: 'rule', line })
      return at + 1
    }
    if (isAdornment(next.text) || below?.text[0] !== sign || !isAdornment(below.text)) return undefined
    if (line.text.length < 4 && widthOf(next.text) > line.text.length) return undefined
    const width = widthOf(next.text.trimEnd())
    if (line.text.length !== below.text.length)
      reading.faults.push({ line: below, message: 'The lines above and below the title differ in length' })
    else if (width > line.text.length)
      reading.faults.push({ line, message: `The line above the title is ${width - line.text.length} short` })
    const text = part(next, indentOf(next))
    addHeading(text, below, true, blocks, reading)
    return at + 3
  }
  if (next === undefined || !isAdornment(next.text) || isBlank(next)) return undefined
  const width = widthOf(line.text)
  if (next.text.length < width) {
    if (next.text.length < 4) return undefined
    const columns = width - next.text.length
    const message = `The underline of the title is ${columns} ${columns === 1 ? 'sign' : 'signs'} too short`
    reading.faults.push({ line: next, message })
  }
  addHeading(line, next, false, blocks, reading)
  return at + 2
}

function addHeading(
  text: SourceLine,
  adornment: SourceLine,
  hasOverline: boolean,
  blocks: Block[],
  reading: Reading,
): void {
  const [sign = ''] = adornment.text
  const style = hasOverline ? sign + sign : sign
  let level = reading.styles.indexOf(style)
  if (level === -1) {
    level = reading.styles.length
    reading.styles.push(style)
  }
  const before = blocks.findLast((block) => block.kind === 'heading')
  const deepest = before?.kind === 'heading' ? before.level : 0
  if (level > deepest && reading.depth === 1 && reading.isTop)
    reading.faults.push({ line: text, message: skipsLevel })
  blocks.push({ kind: 'heading', level: level + 1, text, adornment, hasOverline })
}

function readList(lines: Lines, from: number, blocks: Block[], reading: Reading, mark: RegExp): number {
  const items: Item[] = []
  const first = lines[from]?.text ?? ''
  const isBullet = mark === bullet
  let at = from
  for (let line = lines[at]; line !== undefined; line = lines[at]) {
    if (isBlank(line)) {
      at++
      continue
    }
    const [found] = mark.exec(line.text) ?? []
    if (found === undefined || (isBullet && line.text[0] !== first[0])) break
    if (!isBullet && (typeOf(line.text) !== typeOf(first) || !isEnumerated(lines, at))) break
    const width = found.length
    const end = line.text.length > width ? endOfKnown(lines, at, width) : endOfBody(lines, at)
    items.push({ head: [], body: readBlocks(bodyOf(lines, at, end, width), reading) })
    at = end
  }
  blocks.push({ kind: 'list', marker: isBullet ? '-' : startOf(first), items })
  needsBlank(lines, at, reading)
  return at
}

/** What stands right below a block that is over: docutils says that it ends without an empty line. */
function needsBlank(lines: Lines, end: number, reading: Reading): void {
  const [last, next] = [lines[end - 1], lines[end]]
  if (last === undefined || next === undefined || isBlank(last) || isBlank(next)) return
  if (/^(?:\.\.(?: |$)|__(?: |$))/.test(next.text)) return
  reading.faults.push({ line: next, message: 'The block above ends without an empty line below it' })
}

/** The lines of an item behind its mark. */
function bodyOf(lines: Lines, at: number, end: number, width: number): SourceLine[] {
  const [head, ...rest] = lines.slice(at, end)
  if (head === undefined) return []
  const text = part(head, width)
  const inner = part(text, indentOf(text))
  return inner.text === '' ? dedent(rest) : [inner, ...rest.map((line) => cut(line, width))]
}

function startOf(text: string): number {
  return Number(/^\(?(\d{1,9})/.exec(text)?.[1] ?? 1)
}

/** How the numbers of a list are written. */
function typeOf(text: string): string {
  const [mark = ''] = enumerator.exec(text) ?? []
  const form = `${mark.startsWith('(') ? '(' : ''}${mark.trim().at(-1) ?? ''}`
  return `${form}${/\d|#/.test(mark) ? '1' : mark.toLowerCase() === mark ? 'a' : 'A'}`
}

/** Whether a number begins an item: the line below has to be empty, indented or the next item. */
function isEnumerated(lines: Lines, at: number): boolean {
  const text = lines[at]?.text ?? ''
  if (!enumerator.test(text)) return false
  const next = lines[at + 1]
  return next === undefined || isBlank(next) || next.text.startsWith(' ') || enumerator.test(next.text)
}

function readItems(
  lines: Lines,
  from: number,
  blocks: Block[],
  reading: Reading,
  kind: 'fields' | 'options',
  endOf: (text: string, next: SourceLine | undefined) => number | undefined,
): number {
  const items: Item[] = []
  let at = from
  for (let line = lines[at]; line !== undefined; line = lines[at]) {
    if (isBlank(line)) {
      at++
      continue
    }
    const width = endOf(line.text, lines[at + 1])
    if (width === undefined) break
    const end = endOfBody(lines, at)
    const head = part(line, kind === 'fields' ? 1 : 0, kind === 'fields' ? width - 1 : width)
    const rest = part(line, width)
    const inner = part(rest, indentOf(rest))
    const below = dedent(lines.slice(at + 1, end))
    const body = readBlocks(inner.text === '' ? below : [inner, ...below], reading)
    items.push({ head: [{ ...head, text: head.text.trimEnd() }], body })
    at = end
  }
  blocks.push({ kind, items })
  return at
}

/** The end of options of a command: two blanks part them from what they do, or it stands below. */
function optionEnd(text: string, next: SourceLine | undefined): number | undefined {
  if (!option.test(text)) return undefined
  const two = text.indexOf('  ')
  const head = (two === -1 ? text : text.slice(0, two)).slice(0, 200)
  const isOption = head
    .split(', ')
    .every((one) =>
      /^(?:-[A-Za-z\d]|--?[A-Za-z\d][\w-]*|\/[A-Za-z]+)(?:[ =]?(?:[A-Za-z][\w-]*|<[^<>]+>))?$/.test(one),
    )
  if (!isOption) return undefined
  if (two !== -1) return two
  return next?.text.startsWith(' ') === true && !isBlank(next) ? text.length : undefined
}

function readText(lines: Lines, at: number, line: SourceLine, blocks: Block[], reading: Reading): number {
  const next = lines[at + 1]
  if (next !== undefined && !isBlank(next) && next.text.startsWith(' ')) {
    if (!line.text.endsWith('::')) return readDefinitions(lines, at, blocks, reading)
    reading.faults.push({ line: next, message: 'A code block needs an empty line above it' })
  }
  let end = at + 1
  for (
    let one = lines[end];
    one !== undefined && !isBlank(one) && !one.text.startsWith(' ');
    one = lines[end]
  )
    end++
  const text = lines.slice(at, end)
  const last = text.at(-1)
  const below = lines[end]
  // One line above what is indented is a term.
  if (below !== undefined && !isBlank(below) && text.length > 1)
    reading.faults.push({ line: below, message: 'The line is indented without an empty line above it' })
  if (last === undefined || !last.text.endsWith('::')) {
    blocks.push({ kind: 'paragraph', text })
    return end
  }
  const isAlone = last.text === '::'
  const visible = last.text.endsWith(' ::') ? last.text.slice(0, -3).trimEnd() : last.text.slice(0, -1)
  const kept = isAlone ? text.slice(0, -1) : [...text.slice(0, -1), { ...last, text: visible }]
  if (kept.length > 0) blocks.push({ kind: 'paragraph', text: kept })
  return readLiteral(lines, end, blocks, reading, last)
}

/** The code below `::`: indented, or with one sign before all of its lines. */
function readLiteral(
  lines: Lines,
  from: number,
  blocks: Block[],
  reading: Reading,
  mark: SourceLine,
): number {
  let at = from
  while (lines[at] !== undefined && isBlank(lines[at] ?? mark)) at++
  const first = lines[at]
  if (first?.text.startsWith(' ') === true) {
    const end = endOfIndented(lines, at)
    blocks.push({ kind: 'literal', text: dedent(lines.slice(at, end)), language: reading.language })
    return end
  }
  const [sign = ''] = first?.text ?? ''
  if (first === undefined || !/[!-/:-@[-`{-~]/.test(sign)) {
    reading.faults.push({ line: mark, message: 'No code follows the two colons: it has to be indented' })
    return at
  }
  const end = endOfParagraph(lines, at)
  blocks.push({ kind: 'literal', text: lines.slice(at, end), language: reading.language })
  return end
}

function readDefinitions(lines: Lines, from: number, blocks: Block[], reading: Reading): number {
  const items: Item[] = []
  let at = from
  for (let line = lines[at]; line !== undefined; line = lines[at]) {
    if (isBlank(line)) {
      at++
      continue
    }
    const next = lines[at + 1]
    const isTerm =
      !line.text.startsWith(' ') && next !== undefined && !isBlank(next) && next.text.startsWith(' ')
    if (!isTerm || (items.length > 0 && startsOther(lines, at, line.text))) break
    const end = endOfIndented(lines, at + 1)
    items.push({ head: [line], body: readBlocks(dedent(lines.slice(at + 1, end)), reading) })
    at = end
  }
  blocks.push({ kind: 'definitions', items })
  return at
}

/** Whether a line begins something that is no term, although its body is indented. */
function startsOther(lines: Lines, at: number, text: string): boolean {
  return (
    text.startsWith('.. ') ||
    text === '..' ||
    bullet.test(text) ||
    isEnumerated(lines, at) ||
    fieldEnd(text) !== undefined ||
    text.startsWith('| ') ||
    optionEnd(text, lines[at + 1]) !== undefined
  )
}
