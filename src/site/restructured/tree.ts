import type { BlockContent, Html, List, ListItem, PhrasingContent, Root, RootContent } from 'mdast'
import { lineFinder } from '../text/text-file.ts'
import type { Block, Directive, Item, Lines, SourceLine } from './blocks.ts'
import { isShownAsWritten, joined, readDocument } from './document.ts'
import { kindOf } from './directive-kinds.ts'

/**
 * A page in reStructuredText as the tree that pages in Markdown have, with offsets into its own text: what may be edited as prose
 * is text, code is code, and marks of directives and targets are elements that nobody edits.
 */
export function restructuredTree(text: string): Root {
  const document = readDocument(text.split('\n'))
  const lineOf = lineFinder(text)
  const point = (offset: number) => ({ line: lineOf(offset), column: 1, offset })
  const place = (start: number, end: number) => ({
    position: { start: point(start), end: point(Math.max(start, end)) },
  })
  const over = (lines: Lines) => place(lines[0]?.at ?? 0, endOf(lines.at(-1)))
  const marks = (start: number, end: number): Html => ({
    type: 'html',
    value: text.slice(start, end),
    ...place(start, end),
  })

  const inlines = (lines: Lines): PhrasingContent[] => {
    const whole = joined(lines)
    const pieces = (from: number, to: number) => offsetsOf(lines, from, to)
    const texts = (from: number, to: number): PhrasingContent[] =>
      pieces(from, to).map(([start, end]) => ({
        type: 'text',
        value: text.slice(start, end),
        ...place(start, end),
      }))
    return document.inline(lines).flatMap((piece): PhrasingContent[] => {
      const [first, last] = [pieces(piece.start, piece.end)[0], pieces(piece.start, piece.end).at(-1)]
      if (first === undefined || last === undefined) return []
      const spot = place(first[0], last[1])
      if (piece.kind === 'text') return texts(piece.start, piece.end)
      if (piece.kind === 'emphasis' || piece.kind === 'strong') {
        const width = piece.kind === 'strong' ? 2 : 1
        return [{ type: piece.kind, children: texts(piece.start + width, piece.end - width), ...spot }]
      }
      if (piece.kind === 'reference' && piece.uri !== undefined) {
        const opening = whole.indexOf('<', piece.start)
        const children = texts(piece.start + 1, Math.max(piece.start + 1, opening)).filter(
          (child) => child.type === 'text',
        )
        return [{ type: 'link', url: piece.uri, children, ...spot }]
      }
      return [{ type: 'inlineCode', value: whole.slice(piece.start, piece.end), ...spot }]
    })
  }
  const item = ({ head, body }: Item): ListItem => {
    const children: BlockContent[] =
      head.length === 0 ? [] : [{ type: 'paragraph', children: inlines(head), ...over(head) }]
    const all = [...children, ...(blocks(body) as BlockContent[])]
    const [first, last] = [all[0], all.at(-1)]
    return {
      type: 'listItem',
      children: all,
      ...place(first?.position?.start.offset ?? 0, last?.position?.end.offset ?? 0),
    }
  }
  const directive = (block: Directive): RootContent => {
    const kind = kindOf(block.name)?.shows
    const end = endOf(lineBefore(block, text))
    if (kind === 'code' || kind === 'math') {
      if (block.content.length === 0) return marks(block.start.at, end)
      return {
        type: 'code',
        lang: joined(block.argument).trim() || null,
        value: joined(block.content),
        ...over(block.content),
      }
    }
    if (isShownAsWritten(kind) || block.substitution !== undefined) return marks(block.start.at, end)
    const children: BlockContent[] = [...(blocks(document.bodyOf(block)) as BlockContent[])]
    return { type: 'blockquote', children, ...place(block.start.at, end) }
  }
  const one = (block: Block): RootContent[] => {
    switch (block.kind) {
      case 'heading': {
        const start = block.hasOverline
          ? Math.max(0, text.lastIndexOf('\n', block.text.at - 2) + 1)
          : block.text.at
        const depth = Math.min(6, block.level) as 1 | 2 | 3 | 4 | 5 | 6
        return [
          {
            type: 'heading',
            depth,
            children: inlines([block.text]),
            ...place(start, endOf(block.adornment)),
          },
        ]
      }
      case 'paragraph':
        return [{ type: 'paragraph', children: inlines(block.text), ...over(block.text) }]
      case 'literal':
        return [
          { type: 'code', lang: block.language ?? null, value: joined(block.text), ...over(block.text) },
        ]
      case 'list':
      case 'definitions':
      case 'fields':
      case 'options': {
        const children = block.items.map(item)
        const spot = place(
          children[0]?.position?.start.offset ?? 0,
          children.at(-1)?.position?.end.offset ?? 0,
        )
        return [
          {
            type: 'list',
            ordered: block.kind === 'list' && block.marker !== '-',
            children,
            ...spot,
          } satisfies List,
        ]
      }
      case 'quote':
      case 'footnote':
      case 'citation':
        return blocks(block.body)
      case 'lines':
        return block.text.map((line) => ({ type: 'paragraph', children: inlines([line]), ...over([line]) }))
      case 'table':
        return block.rows.flatMap((row) => row.flatMap(({ body }) => blocks(body)))
      case 'directive':
        return [directive(block)]
      default:
        return [marks(block.line.at, endOf(block.line))]
    }
  }
  const blocks = (some: readonly Block[]): RootContent[] => some.flatMap(one)
  return { type: 'root', children: blocks(document.blocks), ...place(0, text.length) }
}

function endOf(line: SourceLine | undefined): number {
  return line === undefined ? 0 : line.at + line.text.length
}

/** The last line of a directive. */
function lineBefore(block: Directive, text: string): SourceLine {
  let at = block.start.at
  for (let index = block.start.index; index < block.end; index++) {
    const newline = text.indexOf('\n', at)
    if (newline === -1) return { text: '', at: text.length, index }
    at = newline + 1
  }
  return { text: '', at: at - 1, index: block.end }
}

/** The offsets of a part of running text, line by line. */
function offsetsOf(lines: Lines, from: number, to: number): [start: number, end: number][] {
  const spans: [number, number][] = []
  let passed = 0
  for (const line of lines) {
    const [start, end] = [Math.max(from - passed, 0), Math.min(to - passed, line.text.length)]
    if (end > start) spans.push([line.at + start, line.at + end])
    passed += line.text.length + 1
    if (passed > to) break
  }
  return spans
}
