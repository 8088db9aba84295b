import { readFrontMatter } from './front-matter.ts'
import { closesFence, readFence, readLine, readListMarker, type Fence } from './line.ts'

/** A line of a page's source and what it is part of. */
export interface PageLine {
  /** Without its line end. */
  text: string
  /** Its offset in the source. */
  start: number
  kind: 'front_matter' | 'opening' | 'code' | 'closing' | 'comment' | 'text'
  /** What stands behind the opening of a fenced code block. */
  info?: string
}

const maxMarkers = 5

/** All lines of a page. An opening without a closing before the next one is a block that is not closed. */
export function readPageLines(source: string): PageLine[] {
  const { bodyStart } = readFrontMatter(source)
  const lines: PageLine[] = []
  let fence: (Fence & { quotes: number }) | undefined
  let comment: string | undefined
  for (let start = 0; start < source.length;) {
    const newline = source.indexOf('\n', start)
    const end = newline === -1 ? source.length : newline
    const text = source.slice(start, source[end - 1] === '\r' && end > start ? end - 1 : end)
    const at = start
    const add = (kind: PageLine['kind'], info?: string) =>
      lines.push({ text, start: at, kind, ...(info === undefined ? {} : { info }) })
    start = end + 1
    if (at < bodyStart) {
      add('front_matter')
      continue
    }
    if (comment !== undefined) {
      add('comment')
      const close = text.indexOf(comment)
      if (close !== -1) comment = opensComment(text.slice(close + comment.length))
      continue
    }
    const line = readLine(text)
    // Code in a quote ends with the quote.
    if (fence && line.quotes < fence.quotes) fence = undefined
    if (fence) {
      const closes = closesFence(line.text, fence)
      add(closes ? 'closing' : 'code')
      if (closes) fence = undefined
      continue
    }
    const opened = readFence(withoutMarkers(line.text))
    if (opened) {
      fence = { ...opened, quotes: line.quotes }
      add('opening', opened.info)
      continue
    }
    add('text')
    comment = opensComment(text)
  }
  return lines
}

function withoutMarkers(text: string): string {
  let rest = text
  for (let count = 0; count < maxMarkers; count++) {
    const item = readListMarker(rest)
    if (!item) break
    rest = rest.slice(item.width).trimStart()
  }
  return rest
}

/** What closes the comment that the line opens and does not close. */
function opensComment(text: string): string | undefined {
  for (const [open, close] of [
    ['<!--', '-->'],
    ['{/*', '*/}'],
  ] as const) {
    const at = text.lastIndexOf(open)
    // Inline code may show a comment's opening.
    if (at !== -1 && !text.includes(close, at) && !text.slice(0, at).includes('`')) return close
  }
  return undefined
}
