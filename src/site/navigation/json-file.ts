import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { ToolError } from '../../lib/tool-error.ts'
import { quote } from '../../lib/quote.ts'
import type { Edit } from '../text/text-file.ts'

/** A JSON file, with comments as it may be, and where everything stands in it. */
export interface JsonFile {
  path: string
  text: string
  root: Node
}

const maxLength = 5_000_000

/** @throws ToolError `unreadable` for what is no JSON object or list */
export function openJson(path: string, text: string): JsonFile {
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    // Hostile nesting overflows the parser's stack.
    const mark = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
    if (text.length <= maxLength) root = parseTree(mark, errors, { allowTrailingComma: true })
  } catch {
    root = undefined
  }
  if (root === undefined || errors.length > 0 || (root.type !== 'object' && root.type !== 'array')) {
    throw new ToolError('unreadable', `${quote(path)} is not valid JSON: repair it first`)
  }
  return { path, text, root }
}

export function property(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'object') return undefined
  return node.children?.find((child) => child.children?.[0]?.value === name)?.children?.[1]
}

export function stringOf(node: Node | undefined): string | undefined {
  const value: unknown = node?.type === 'string' ? node.value : undefined
  return typeof value === 'string' ? value : undefined
}

export function replaceNode(node: Node, value: string): Edit {
  return { start: node.offset, end: node.offset + node.length, text: JSON.stringify(value) }
}

/** Puts an element into a list behind the one at `index`, laid out as its neighbours are; -1 puts it first. */
export function insertElement(file: JsonFile, list: Node, index: number, element: string): Edit {
  const children = list.children ?? []
  const before = children[index]
  const neighbour = before ?? children[0]
  if (neighbour === undefined) return insertIntoEmpty(file, list, element)
  const gap = gapBefore(file, list, neighbour)
  if (before !== undefined) {
    const at = before.offset + before.length
    return { start: at, end: at, text: `,${gap === '' ? ' ' : gap}${element}` }
  }
  return { start: neighbour.offset, end: neighbour.offset, text: `${element},${gap === '' ? ' ' : gap}` }
}

/** Takes an element out of a list, or a property out of an object, with the comma that is no longer needed. */
export function removeChild(parent: Node, child: Node): Edit {
  const children = parent.children ?? []
  const index = children.indexOf(child)
  const before = children[index - 1]
  const after = children[index + 1]
  if (before !== undefined)
    return { start: before.offset + before.length, end: child.offset + child.length, text: '' }
  if (after !== undefined) return { start: child.offset, end: after.offset, text: '' }
  return { start: parent.offset + 1, end: parent.offset + parent.length - 1, text: '' }
}

export function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
}

/** The white space at the start of the line that an offset is on. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function insertIntoEmpty(file: JsonFile, list: Node, element: string): Edit {
  const outer = indentAt(file.text, list.offset)
  const end = lineEnd(file.text)
  const text = `${end}${outer}${indentUnit(file.text)}${element}${end}${outer}`
  return { start: list.offset + 1, end: list.offset + list.length - 1, text }
}

// The white space that separates an element from what is before it: a line end with indentation, a space, nothing.
function gapBefore(file: JsonFile, list: Node, node: Node): string {
  const index = list.children?.indexOf(node) ?? 0
  const previous = list.children?.[index - 1]
  const from = previous === undefined ? list.offset + 1 : previous.offset + previous.length
  const between = file.text.slice(from, node.offset)
  const newline = /\r?\n[ \t]*$/.exec(between)
  if (newline !== null) return newline[0]
  return /(?<![ \t])[ \t]*$/.exec(between)?.[0] ?? ''
}
