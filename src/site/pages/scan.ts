import type { Dialect, Scan } from './dialect.ts'
import { createSections } from './sections.ts'
import { startEsm } from './esm.ts'
import {
  closesFence,
  isTableDelimiter,
  isThematicBreak,
  readCallout,
  readCells,
  readFence,
  readHeading,
  readLine,
  readListMarker,
  type Fence,
  type Line,
} from './line.ts'
import { readTag } from './tag.ts'

const maxLength = 4_000_000
const maxParagraph = 32 * 1024
const hiddenElement = /^<(script|style|svg|template)\b/i

/** Cuts a page's body at its headings, in one pass over its lines. */
export function scan(body: string, dialect: Dialect): Scan {
  const text = (body.length > maxLength ? body.slice(0, maxLength) : body).replace(/\r\n?/g, '\n')
  const sections = createSections(dialect, referenceLabels(text))
  const paragraph: string[] = []
  let paragraphLength = 0
  let prefix = ''
  let fence: (Fence & { indent: number; quotes: number }) | undefined
  let until: string | undefined
  let esm: ReturnType<typeof startEsm>
  let listIndent = 0
  let afterBlank = true
  let inTable = false

  const flush = () => {
    if (paragraph.length > 0) sections.paragraph(prefix, paragraph.join('\n'))
    paragraph.length = 0
    paragraphLength = 0
    prefix = ''
  }
  const add = (line: string) => {
    if (paragraphLength > maxParagraph) flush()
    for (let at = 0; at < line.length || at === 0; at += maxParagraph) {
      if (at > 0) flush()
      paragraph.push(line.slice(at, at + maxParagraph))
    }
    paragraphLength += line.length + 1
  }

  /** The block that starts with this line, list markers taken off; paragraphs collect. */
  const block = (line: Line) => {
    const opened = readFence(line.text)
    if (opened) {
      flush()
      fence = { ...opened, indent: line.indent, quotes: line.quotes }
      const id = /\{[^{}#]*#([\w:.-]+)(?![\w:.-])[^{}]*\}/.exec(opened.info.slice(0, 500))?.[1]
      if (id !== undefined) sections.anchor(id)
      sections.code(`\`\`\`${opened.info}`)
      return
    }
    const heading = readHeading(line.text)
    if (heading) {
      flush()
      sections.heading(heading.level, heading.text)
      return
    }
    if (paragraph.length > 0 && prefix === '' && /^(?:=+|-+)$/.test(line.text) && !inTable) {
      const head = paragraph.join(' ')
      paragraph.length = 0
      flush()
      sections.heading(line.text.startsWith('=') ? 1 : 2, head)
      return
    }
    if (isThematicBreak(line.text)) {
      flush()
      return
    }
    const callout = readCallout(line.text)
    if (callout !== undefined) {
      flush()
      listIndent = Math.max(listIndent, line.text.startsWith(':') ? listIndent : line.indent + 4)
      if (callout !== '') sections.paragraph('', callout)
      return
    }
    if (isTableDelimiter(line.text) && (paragraph.length === 1 || line.text.startsWith('|'))) {
      const head = paragraph.pop()
      flush()
      if (head !== undefined) sections.row(readCells(head))
      inTable = true
      return
    }
    if (line.text.startsWith('|') || (inTable && line.text.includes('|'))) {
      flush()
      sections.row(readCells(line.text))
      return
    }
    const item = readListMarker(line.text)
    // A number in the middle of a paragraph starts a list only when it is 1.
    if (item && (paragraph.length === 0 || prefix !== '' || item.marker === '-' || item.marker === '1.')) {
      flush()
      listIndent = line.indent + item.width
      const rest = readLine(line.text.slice(item.width))
      if (rest.text === '') return
      if (readFence(rest.text) || readHeading(rest.text))
        block({ ...rest, indent: listIndent, quotes: line.quotes })
      else {
        prefix = `${' '.repeat(Math.min(line.indent, 8))}${item.marker} `
        proceed(rest.text)
      }
      return
    }
    proceed(line.text)
  }

  /** Running text: takes out what is hidden and may go on over lines that would otherwise end a paragraph. */
  const proceed = (line: string) => {
    const hidden = hiddenElement.exec(line)
    if (hidden?.[1] !== undefined) {
      const close = `</${hidden[1].toLowerCase()}`
      flush()
      if (!line.toLowerCase().includes(close) && !line.endsWith('/>')) until = close
      return
    }
    const html = /^<h([1-6])(?:\s[^>]*)?>(.*)<\/h\1>$/i.exec(line)
    if (html?.[1] !== undefined && html[2] !== undefined) {
      flush()
      const id = /\sid=["']?([^"'\s>]+)/.exec(line)?.[1]
      sections.heading(Number(html[1]), id === undefined ? html[2] : `${html[2]} {#${id}}`)
      return
    }
    const comment = lastOpenComment(line, dialect.mdx)
    if (comment) {
      until = comment.close
      if (comment.at > 0) add(line.slice(0, comment.at))
      return
    }
    add(line)
  }

  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const raw = text.slice(start, end)
    start = end + 1

    if (until !== undefined) {
      const at = (until.startsWith('</') ? raw.toLowerCase() : raw).indexOf(until)
      if (at === -1) continue
      const rest = until.startsWith('</')
        ? raw.slice(at).replace(/^[^>]*>/, '')
        : raw.slice(at + until.length)
      until = undefined
      if (rest.trim() !== '') proceed(rest.trim())
      continue
    }
    const line = closesTag(raw, paragraph) ? { text: '>', indent: 0, quotes: 0 } : readLine(raw)
    if (fence) {
      if (line.quotes < fence.quotes) {
        sections.code('```')
        fence = undefined
      } else {
        const closes = closesFence(line.text, fence)
        if (closes) {
          sections.code('```')
          fence = undefined
        } else sections.code(unindent(raw, fence))
        continue
      }
    }
    if (esm) {
      if (esm.goesOn(raw)) continue
      esm = undefined
    }
    if (line.text === '') {
      flush()
      sections.blank()
      inTable = false
      afterBlank = true
      continue
    }
    if (dialect.mdx && afterBlank && line.indent === 0 && line.quotes === 0) {
      esm = startEsm(raw)
      if (esm) {
        flush()
        continue
      }
    }
    if (afterBlank && line.indent < listIndent && line.indent < 4 && !readListMarker(line.text))
      listIndent = 0
    const code = !dialect.mdx && afterBlank && line.indent >= listIndent + 4 && paragraph.length === 0
    if (code) {
      sections.code(raw.trim())
      continue
    }
    afterBlank = false
    block(line)
  }
  flush()
  return sections.done()
}

/** A `>` on a line of its own that ends a tag opened in this paragraph, not an empty line of a quote. */
function closesTag(raw: string, paragraph: readonly string[]): boolean {
  if (paragraph.length === 0 || raw.trim() !== '>') return false
  const text = `${paragraph.slice(-100).join('\n')}\n>`
  const tag = readTag(text, Math.max(0, text.lastIndexOf('\n<') + 1))
  return !('failedAt' in tag) && tag.end === text.length
}

function unindent(raw: string, fence: { indent: number; quotes: number }): string {
  const inner = fence.quotes > 0 ? raw.replace(/^(?:[ \t]{0,3}>[ ]?)+/, '') : raw
  let position = 0
  while (position < fence.indent && (inner[position] === ' ' || inner[position] === '\t')) position++
  return inner.slice(position)
}

/** A comment that this line opens and does not close. */
function lastOpenComment(line: string, mdx: boolean): { at: number; close: string } | undefined {
  const html = line.lastIndexOf('<!--')
  if (html !== -1 && !line.includes('-->', html)) return { at: html, close: '-->' }
  const braces = mdx ? line.lastIndexOf('{/*') : -1
  if (braces !== -1 && !line.includes('*/}', braces)) return { at: braces, close: '*/}' }
  return undefined
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
