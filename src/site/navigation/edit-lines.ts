import { ToolError } from '../../lib/tool-error.ts'
import { type Edit, endingAt } from '../text/text-file.ts'
import type { YAMLMap, YAMLSeq } from 'yaml'
import { endOf, lineStart, nextLine, startOf } from '../text/yaml-source.ts'
import type { Container, Holder, SourceFile, Span } from './navigation-tree.ts'

/** Adds an entry to a YAML list, on a line behind another one or at the end. */
export function insertLine(
  { file: { text }, children }: Container,
  after: Span | undefined,
  make: (indent: string) => string,
): Edit {
  const item = after ?? children.at(-1)
  if (item === undefined)
    throw new ToolError('unreadable', 'The navigation has an empty group: add the page with edit_file')
  const dash = dashOf(text, item.start)
  const entry = `${dash.indent}-${dash.space}${make(dash.indent)}`
  const at = nextLine(text, item.end)
  const ending = endingAt(text, item.start)
  const isWholeLine = at === 0 || text[at - 1] === '\n'
  return { start: at, end: at, text: isWholeLine ? `${entry}${ending}` : `${ending}${entry}` }
}

export function removeLines({ container, child }: Holder): Edit {
  const { text } = container.file
  return wholeLines(text, { start: dashOf(text, child.start).at, end: child.end })
}

/** Removes the lines of a span. */
export function wholeLines(text: string, { start, end }: Span): Edit {
  return { start: lineStart(text, start), end: nextLine(text, end), text: '' }
}

/** Removes an entry's own lines and moves the lines of the entries below it to its place. */
export function liftLines(text: string, entry: Span, below: Span): Edit[] {
  const from = lineStart(text, entry.start)
  const [start, end] = [lineStart(text, below.start), nextLine(text, below.end)]
  const depth = indentAt(text, start) - indentAt(text, from)
  const edits: Edit[] = [
    { start: from, end: start, text: '' },
    { start: end, end: Math.max(end, nextLine(text, entry.end)), text: '' },
  ]
  for (let at = start; at < end; at = nextLine(text, at))
    edits.push({ start: at, end: at + Math.max(0, Math.min(depth, indentAt(text, at))), text: '' })
  return edits.filter((edit) => edit.end > edit.start)
}

function indentAt(text: string, start: number): number {
  let end = start
  while (text[end] === ' ' || text[end] === '\t') end++
  return end - start
}

// `- ` before an item, with the white space around it; YAML allows a line end after the dash.
function dashOf(text: string, start: number): { at: number; indent: string; space: string } {
  const at = text.lastIndexOf('-', start - 1)
  const from = lineStart(text, at)
  const indent = text.slice(from, at)
  if (at === -1 || indent.trim() !== '') {
    throw new ToolError(
      'unreadable',
      'The navigation is laid out in a way that cannot be edited here: use edit_file',
    )
  }
  const space = text.slice(at + 1, start)
  return { at, indent, space: space.trim() === '' && !space.includes('\n') ? space : ' ' }
}

export function yamlContainer(file: SourceFile, node: YAMLSeq | YAMLMap): Container {
  const children = node.items.map((item: unknown) => ({ start: startOf(item), end: endOf(item) }))
  const isFlow = node.flow === true
  const [start = 0, end = start] = node.range ?? []
  return { file, start, end, children, layout: isFlow ? 'brackets' : 'dashes', trailing: false }
}
