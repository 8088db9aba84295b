import {
  type Block,
  type Directive,
  type Lines,
  type SourceLine,
  dedent,
  fieldEnd,
  indentOf,
  isBlank,
  part,
  trimLines,
} from './blocks.ts'
import { kindOf } from './directive-kinds.ts'
import type { Reading } from './reading.ts'

const directive = /^([A-Za-z\d][\w:+.-]{0,60}?) ?::(?:\s|$)/
const note = /^\[(\d{1,6}|#[\w.:+-]{0,60}|\*|[A-Za-z][\w.:+-]{0,100})\](?: |$)/

/** What begins with two dots: a directive, a target, a footnote, the definition of a substitution, or a comment. */
export function readExplicit(lines: Lines, reading: Reading, blocks: Block[]): void {
  const [line] = lines
  if (line === undefined) return
  const inner = part(line, 2)
  const head = part(inner, indentOf(inner))
  const { text } = head
  const [, label] = note.exec(text) ?? []
  if (label !== undefined) {
    const body = reading.readBlocks(contentOf(lines, head, label.length + 2), reading)
    const kind = /^[A-Za-z]/.test(label) ? 'citation' : 'footnote'
    blocks.push({ kind, label, body, line })
    return
  }
  if (text.startsWith('_')) {
    const target = readTarget(lines, head)
    if (target !== undefined) {
      blocks.push({ kind: 'target', ...target, line })
      return
    }
    reading.faults.push({ line, message: 'A target needs a colon behind its name' })
  }
  const [whole = '', substitution] = /^\|([^|\n]{1,200})\|\s+/.exec(text) ?? []
  const named = part(head, whole.length)
  const [, name] = directive.exec(named.text) ?? []
  if (name === undefined) {
    const [, close] = /^([a-z][a-z-]{2,30}):(?:\s|$)/.exec(text) ?? []
    if (close !== undefined && kindOf(close) !== undefined)
      reading.faults.push({ line, message: `“.. ${close}:” is a comment: a directive needs two colons` })
    blocks.push({ kind: 'comment', line })
    return
  }
  const one = readDirective(lines, named, name)
  if (name === 'highlight') reading.language = one.argument[0]?.text
  blocks.push(substitution === undefined ? one : { ...one, substitution })
}

/** The lines behind a mark, and what is indented below it. */
function contentOf(lines: Lines, head: SourceLine, width: number): SourceLine[] {
  const rest = part(head, width)
  const first = part(rest, indentOf(rest))
  const below = dedent(lines.slice(1))
  return first.text === '' ? below : [first, ...below]
}

function readTarget(
  lines: Lines,
  head: SourceLine,
): { names: string[]; uri: string; uriAt: number } | undefined {
  const { text } = head
  let end: number
  let name: string
  if (text.startsWith('__:')) [end, name] = [2, '']
  else if (text.startsWith('_`')) {
    const close = text.indexOf('`', 2)
    end = close + 1
    if (close === -1 || text[end] !== ':') return undefined
    name = text.slice(2, close)
  } else {
    end = 1
    while (end < text.length && !(text[end] === ':' && /^(?:\s|$)/.test(text.slice(end + 1, end + 2)))) {
      if (text[end] === '\\') end++
      end++
    }
    if (end >= text.length || end === 1) return undefined
    name = text.slice(1, end).replaceAll('\\', '')
  }
  const rest = part(head, end + 1)
  const own = part(rest, indentOf(rest))
  const below = lines.slice(1).map(({ text: more }) => more.trim())
  const uri = [own.text, ...below].join('').replace(/\\(?=_)/g, '')
  return { names: [nameKey(name)], uri, uriAt: own.at }
}

/** Names are the same whatever their case and blanks. */
export function nameKey(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase()
}

function readDirective(lines: Lines, head: SourceLine, name: string): Directive {
  const start = lines[0] ?? head
  const colons = head.text.indexOf('::') + 2
  const rest = part(head, colons)
  const first = part(rest, indentOf(rest))
  const below = dedentBelow(lines.slice(1))
  const block = first.text === '' ? below : [first, ...below]
  const options = new Map<string, { value: string; line: SourceLine }>()
  const hasArgument = kindOf(name)?.argument !== 'none'
  let at = 0
  const argument: SourceLine[] = []
  if (hasArgument || first.text === '') {
    // Options may stand right below the directive only.
    const isHeld = first.text === '' && below[0] !== undefined && isBlank(below[0])
    const stop = isHeld ? 0 : block.findIndex(isBlank)
    const until = stop === -1 ? block.length : stop
    for (; at < until; at++) {
      const line = block[at]
      if (line === undefined || (fieldEnd(line.text) !== undefined && (at > 0 || first.text === ''))) break
      argument.push(line)
    }
    at = readOptions(block, at, until, options)
    if (at < until) argument.push(...block.slice(at, until))
    at = Math.max(at, until)
  } else at = readOptions(block, 1, block.length, options)
  const isContent = !hasArgument
  const content = isContent
    ? first.text === ''
      ? [...argument, ...block.slice(at)]
      : [first, ...block.slice(at)]
    : block.slice(at)
  const last = lines.at(-1) ?? start
  return {
    kind: 'directive',
    name,
    argument: isContent ? [] : argument,
    options,
    content: trimLines(content),
    start,
    end: last.index + 1,
  }
}

/** Fields of options, whose values may go on below. Says where they end. */
function readOptions(
  block: Lines,
  from: number,
  until: number,
  options: Map<string, { value: string; line: SourceLine }>,
): number {
  let at = from
  for (; at < until; at++) {
    const line = block[at]
    if (line === undefined) break
    const end = fieldEnd(line.text)
    if (end === undefined) {
      const last = [...options.keys()].at(-1)
      const open = last === undefined ? undefined : options.get(last)
      if (last === undefined || open === undefined || !line.text.startsWith(' ')) break
      options.set(last, { ...open, value: `${open.value}\n${line.text.trim()}`.trim() })
    } else options.set(line.text.slice(1, end - 1), { value: line.text.slice(end).trim(), line })
  }
  return at
}

function dedentBelow(lines: Lines): SourceLine[] {
  const first = lines.findIndex((line) => !isBlank(line))
  if (first === -1) return []
  const before = lines.slice(0, first)
  return [...before, ...dedent(lines)]
}
