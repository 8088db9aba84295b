import { createFences } from '../../site/markdown/fence.ts'
import {
  isThematicBreak,
  readCallout,
  readCells,
  readLine,
  readListMarker,
} from '../../site/markdown/line.ts'

/** A part of a section, in reading order. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: ListItem[] }
  | { kind: 'table'; header: string[]; rows: string[][] }
  | { kind: 'code'; language: string; lines: string[] }

interface ListItem {
  /** Columns before the marker. */
  indent: number
  /** `-` or `3.` */
  marker: string
  text: string
  /** Whether it is a link and nothing else. */
  isLink: boolean
}

const mostCharacters = 20_000
/** Lines of code that only tell the site's generator what to show. */
const isDirective = /^\s*(?:\/\/ ---cut|\{!>? .*!\}$|\{!>?\.\.\/.*!\}$|--8<-- |<<< )/

/**
 * Reads the text of a section, which a page's parser has made of its source, into blocks. What parsers leave of
 * components, directives and templates is dropped. Takes linear time.
 */
export function readBlocks(content: string): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  let list: ListItem[] = []
  const fences = createFences()
  let code: { language: string; lines: string[] } | undefined
  let afterBlank = false

  const close = () => {
    if (list.length > 0) blocks.push({ kind: 'list', items: list })
    else if (paragraph.length > 0) blocks.push(...proseOrTables(paragraph))
    list = []
    paragraph = []
  }
  const closeCode = () => {
    if (code?.lines.some((line) => line.trim() !== ''))
      blocks.push({ kind: 'code', language: code.language, lines: code.lines })
    code = undefined
  }

  for (const line of content.slice(0, mostCharacters).split('\n')) {
    const text = withoutImages(line.trim())
    const placed = readLine(line)
    const part = fences.inside(placed)
    if (part === 'content' && !isDirective.test(line)) code?.lines.push(withoutMark(line))
    if (part === 'end') closeCode()
    if (part) continue
    const fence = fences.open(placed)
    if (fence) {
      close()
      code = { language: languageOf(fence.info), lines: [] }
      continue
    }
    // The text of another section of the same page.
    if (/^#{2,6} \S/.test(line)) break
    if (text === '') {
      if (list.length === 0) close()
      afterBlank = true
      continue
    }
    if (isNoise(text)) continue
    const marker = readListMarker(text)
    const indent = line.length - line.trimStart().length
    if (marker && marker.width < text.length) {
      if (list.length === 0 || (afterBlank && !goesOn(list, marker.marker, indent))) close()
      {
        const item = text.slice(marker.width)
        const isLink = /^\[[^[\]]+\]$/.test(item) && item.length > 3
        list.push({
          indent: Math.min(indent, 12),
          marker: marker.marker,
          text: isLink ? item.slice(1, -1) : item,
          isLink,
        })
      }
    } else if (list.length > 0 && !afterBlank) {
      const last = list.at(-1)
      if (last) last.text += ` ${text}`
    } else {
      if (list.length > 0) close()
      paragraph.push(text)
    }
    afterBlank = false
  }
  close()
  closeCode()
  return blocks
}

/** A line without the texts of its images. */
function withoutImages(line: string): string {
  return line.includes('![') ? line.replaceAll(/!\[[^[\]]*\](?!\()/g, '').trim() : line
}

/** A line of code without the mark by which VitePress highlights it. */
function withoutMark(line: string): string {
  const at = line.indexOf('// [!code ')
  return at < 0 ? line : line.slice(0, at).trimEnd()
}

/** Whether an item after a blank line belongs to the list before. */
function goesOn(list: readonly ListItem[], marker: string, indent: number): boolean {
  return indent > 0 || list.some((item) => item.indent === 0 && (item.marker === '-') === (marker === '-'))
}

/** What a page's parser did not understand: directives, tags, templates, definitions of links, rules. */
function isNoise(text: string): boolean {
  if (
    readCallout(text) !== undefined ||
    isThematicBreak(text) ||
    /^\|?(?:[\s:]*-{2,}[\s:]*\|)+[\s:-]*$/.test(text)
  )
    return true
  if (/^(?:\/?>|\[\[?toc\]?\])$/i.test(text)) return true
  if (text.startsWith('{%') || (/^\{[{:#*]/.test(text) && text.endsWith('}'))) return true
  if (/^<\/|^<(?:iframe|img|video|script|style|a|t[dhr]|table|div|span|p|br|details|summary)\b/i.test(text))
    return true
  return /^!?\[[^\]]+\]:\s/.test(text) || /^!\[[^\]]*\]\([^)]*\)$/.test(text)
}

function languageOf(info: string): string {
  return /^[\w+#.-]{1,30}/.exec(info.replace(/^\{\s*\.?/, ''))?.[0] ?? ''
}

/** The lines of a paragraph, of which those with the same number of cells in a row are a table. */
function proseOrTables(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let prose: string[] = []
  const closeProse = () => {
    if (prose.length > 0) blocks.push({ kind: 'paragraph', text: prose.join(' ') })
    prose = []
  }
  const cells = lines.map((line) => (line.includes('|') ? readCells(line) : [line]))
  for (let at = 0; at < lines.length; at++) {
    const header = cells[at] ?? []
    let end = at + 1
    while (header.length > 1 && end < lines.length && / \||\| /.test(lines[end] ?? '')) end++
    if (end - at > 1) {
      closeProse()
      blocks.push({ kind: 'table', header, rows: cells.slice(at + 1, end) })
      at = end - 1
    } else prose.push(lines[at] ?? '')
  }
  closeProse()
  return blocks
}
