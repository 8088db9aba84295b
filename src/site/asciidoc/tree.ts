import type { BlockContent, Heading, Html, PhrasingContent, Root, RootContent } from 'mdast'
import { lineFinder, splitLines } from '../text/text-file.ts'
import { entryOf } from './attributes.ts'

/** Code and comments, whose lines are as they are. */
const verbatim = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3,}\w{0,20})$/
/** What opens and closes a block of other blocks, or a table. */
const around = /^(?:={4,}|\*{4,}|_{4,}|--|[|,:!]={3,})$/
const styledAsCode = /^\[(?:source|listing|literal|pass|stem|latexmath|asciimath)\b|^\[,/
const mark = /^\s*(?:\*{1,5}|\.{1,5}|-|\d{1,9}\.|<(?:\d{1,3}|\.)>)\s+(?=\S)/
/** What nobody edits as prose: code, references, the targets of macros, attributes. */
const fixed =
  /`[^`\n]{1,500}`|\+[^+\n]{1,500}\+|<<[^<>\n]{1,500}>>|\{[\w-]{1,80}\}|\[\[[^\]\n]{1,200}\]\]|[a-z]{2,20}:{1,2}[^\s[\]]{0,1000}(?=\[)|https?:\/\/[^\s[\]]{1,1000}/g

/**
 * A page in AsciiDoc as the tree that pages in Markdown have, with offsets into its own text: what may be edited as prose is text, code
 * is code, and marks are elements that nobody edits.
 */
export function asciidocTree(text: string): Root {
  const lineOf = lineFinder(text)
  const point = (offset: number) => ({ line: lineOf(offset), column: 1, offset })
  const place = (start: number, end: number) => ({ position: { start: point(start), end: point(end) } })
  const marks = (start: number, end: number): Html => ({
    type: 'html',
    value: text.slice(start, end),
    ...place(start, end),
  })
  const inlines = (start: number, end: number): PhrasingContent[] => {
    const pieces: PhrasingContent[] = []
    let at = start
    const put = (to: number) => {
      if (to > at) pieces.push({ type: 'text', value: text.slice(at, to), ...place(at, to) })
    }
    for (const { 0: whole, index } of text.slice(start, end).matchAll(fixed)) {
      put(start + index)
      at = start + index + whole.length
      pieces.push({ type: 'inlineCode', value: whole, ...place(start + index, at) })
    }
    put(end)
    return pieces
  }
  const children: RootContent[] = []
  const add = (node: RootContent): void => void children.push(node)
  let open: { sign: string; start: number } | undefined
  let paragraph: { start: number; end: number } | undefined
  let [isCode, isTable, isHeader] = [false, false, false]
  const close = (): void => {
    if (paragraph === undefined) return
    const { start, end } = paragraph
    const block: BlockContent = isCode
      ? { type: 'code', value: text.slice(start, end), ...place(start, end) }
      : { type: 'paragraph', children: inlines(start, end), ...place(start, end) }
    add(block)
    paragraph = undefined
  }
  for (const { start, end: to } of splitLines(text)) {
    const line = text.slice(start, to).trimEnd()
    const end = start + line.length
    if (open !== undefined) {
      if (line !== open.sign) continue
      const isComment = line.startsWith('/')
      add(
        isComment
          ? marks(open.start, end)
          : { type: 'code', value: text.slice(open.start, end), ...place(open.start, end) },
      )
      open = undefined
      continue
    }
    if (line === '') {
      close()
      isCode = false
      isHeader = false
      continue
    }
    if (verbatim.test(line)) {
      close()
      open = { sign: /^`{3,}/.exec(line)?.[0] ?? line, start }
      isCode = false
      continue
    }
    if (around.test(line)) {
      close()
      if (line.endsWith('=') && !line.startsWith('=')) isTable = !isTable
      add(marks(start, end))
      isCode = false
      continue
    }
    const [, signs = ''] = /^(={1,6}|#{1,6})[ \t]+\S/.exec(line) ?? []
    if (signs !== '' && paragraph === undefined) {
      const from = start + signs.length + (/^\s+/.exec(line.slice(signs.length))?.[0].length ?? 0)
      const depth = signs.length as Heading['depth']
      add({ type: 'heading', depth, children: inlines(from, end), ...place(start, end) })
      isHeader = depth === 1
      continue
    }
    const isMacro = line.endsWith(']') && !(line.split('::', 1)[0] ?? '').includes(' ') && line.includes('::')
    if (
      isHeader ||
      isMacro ||
      line.startsWith('//') ||
      (paragraph === undefined && entryOf(line) !== undefined)
    ) {
      close()
      add(marks(start, end))
      continue
    }
    if (paragraph === undefined && /^\[.*\]$/.test(line)) {
      isCode = styledAsCode.test(line)
      add(marks(start, end))
      continue
    }
    if (paragraph === undefined && /^\s/.test(line) && !mark.test(line)) isCode = true
    const item = isCode ? undefined : mark.exec(line)?.[0]
    const title = !isCode && /^\.[^\s.]/.test(line) ? '.' : undefined
    const cell = isTable && /^\S{0,20}\|/.test(line) ? '|' : undefined
    if (item !== undefined || title !== undefined || cell !== undefined) {
      close()
      add({
        type: 'paragraph',
        children: inlines(start + (item ?? title ?? '').length, end),
        ...place(start, end),
      })
      continue
    }
    paragraph = { start: paragraph?.start ?? start, end }
  }
  close()
  if (open !== undefined)
    add({ type: 'code', value: text.slice(open.start), ...place(open.start, text.length) })
  return { type: 'root', children, ...place(0, text.length) }
}
