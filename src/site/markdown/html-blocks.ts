import { createFences } from './fence.ts'
import { readLine } from './line.ts'
import { readTag } from './tag.ts'

const blockName =
  /^(?:address|article|aside|blockquote|body|center|details|dialog|dd|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|optgroup|option|p|param|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)$/
const rawName = /^(?:pre|script|style|textarea)$/
const maxLine = 5000

/**
 * A page's text in which no line within HTML reads as a heading. In Markdown such HTML ends at an empty line; `wholeElements`:
 * it ends with its element, unless that asks for Markdown in it, as in Python-Markdown and kramdown.
 */
export function withoutHeadingsInHtml(text: string, wholeElements: boolean): string {
  if (!/^ {0,3}<[A-Za-z/]/m.test(text)) return text
  const fences = createFences()
  const lines = text.split('\n')
  const out: string[] = []
  const closings = wholeElements ? lastClosings(lines) : new Map<string, number>()
  /** The element that the lines are in, how often it is open, or that an empty line ends it. */
  let open: { name: string; depth: number; until: 'blank' | 'tag' } | undefined
  let isParagraph = false
  for (const [at, raw] of lines.entries()) {
    const line = readLine(raw)
    if (open === undefined && fences.holds(line)) {
      out.push(raw)
      isParagraph = false
      continue
    }
    if (open === undefined && line.quotes === 0 && line.indent < 4 && raw.length < maxLine) {
      const opened = opening(line.text, isParagraph)
      if (opened !== undefined) {
        const isWhole = wholeElements && !opened.isClosing && blockName.test(opened.name)
        if (isWhole && opened.asksMarkdown) open = undefined
        else if (rawName.test(opened.name) || (isWhole && (closings.get(opened.name) ?? -1) >= at))
          open = { name: opened.name, depth: 0, until: 'tag' }
        else open = { name: opened.name, depth: 0, until: 'blank' }
      }
    }
    if (open === undefined) {
      isParagraph = line.text !== '' && !line.text.startsWith('#')
      out.push(raw)
      continue
    }
    out.push(withoutHeading(raw))
    isParagraph = false
    if (open.until === 'blank') {
      if (line.text === '') open = undefined
      continue
    }
    open.depth += countTags(raw.slice(0, maxLine), open.name)
    if (open.depth <= 0) open = undefined
  }
  return out.join('\n')
}

/** A line that would end a paragraph. */
const breakingLine = /\n[ \t]*(?:\n|#|```|~~~|(?:---|===|\*\*\*)|(?:import|export)\b)/

/** A page of MDX in which a tag that is written over lines, with text of several blocks in its attributes, is on one line. */
export function withTagsOnOneLine(text: string): string {
  const fences = createFences(true)
  let [out, from] = ['', 0]
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    let end = newline === -1 ? text.length : newline
    const line = readLine(text.slice(start, end))
    if (!fences.holds(line) && line.quotes === 0 && /^<[A-Za-z]/.test(line.text)) {
      const at = text.indexOf('<', start)
      const tag = readTag(text, at)
      const stop = 'failedAt' in tag ? tag.failedAt : tag.end
      if (!('failedAt' in tag) && breakingLine.test(text.slice(at, stop))) {
        const lines = text.slice(at, stop).split('\n')
        out += text.slice(from, at) + lines.map((one) => one.trim()).join(' ')
        from = stop
      }
      // No tag starts before that.
      if (stop > end) end = text.indexOf('\n', stop) === -1 ? text.length : text.indexOf('\n', stop)
    }
    start = end + 1
  }
  return out + text.slice(from)
}

/** The element that a line begins with, where it begins a block of HTML. */
function opening(
  text: string,
  isParagraph: boolean,
): { name: string; isClosing: boolean; asksMarkdown: boolean } | undefined {
  if (!/^<\/?[A-Za-z]/.test(text)) return undefined
  const tag = readTag(text, 0)
  if ('failedAt' in tag) {
    // A tag may go on in the next line.
    const name = /^<([A-Za-z][\w-]*)(?:\s|$)/.exec(text)?.[1]?.toLowerCase() ?? ''
    return blockName.test(name) || rawName.test(name)
      ? { name, isClosing: false, asksMarkdown: false }
      : undefined
  }
  const name = tag.name.toLowerCase()
  const asksMarkdown = tag.attributes.some((one) => one.name === 'markdown')
  const own = { name, isClosing: tag.closing, asksMarkdown }
  if (blockName.test(name) || rawName.test(name)) return own
  return !isParagraph && text.slice(tag.end).trim() === '' ? own : undefined
}

function withoutHeading(raw: string): string {
  const text = raw.trimStart()
  if (/^(?:=+|-+)\s*$/.test(text)) return ''
  return /^#{1,6}(?:\s|$)/.test(text) ? raw.replace('#', '\\#') : raw
}

/** How many more times a line opens an element than it closes it. */
function countTags(line: string, name: string): number {
  let depth = 0
  const lower = line.toLowerCase()
  for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + name.length)) {
    if (/[\w-]/.test(lower[at + name.length] ?? '')) continue
    if (lower[at - 1] === '<') depth++
    else if (lower[at - 1] === '/' && lower[at - 2] === '<') depth--
  }
  return depth
}

/** The last line in which each element is closed. */
function lastClosings(lines: readonly string[]): Map<string, number> {
  const last = new Map<string, number>()
  for (const [at, line] of lines.entries())
    for (const [, name = ''] of line.slice(0, maxLine).matchAll(/<\/([A-Za-z][\w-]{0,30})/g))
      last.set(name.toLowerCase(), at)
  return last
}
