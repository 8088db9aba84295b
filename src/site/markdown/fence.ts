import { type Line, readLine, readListMarker } from './line.ts'

/** A fenced code block, with all that decides which line ends it. */
export interface Fence {
  marker: string
  length: number
  info: string
  /** Where the line that opens it stands. */
  indent: number
  quotes: number
  /** Whether the page is MDX, which has no indented code. */
  mdx: boolean
  /** Where the text of the list item begins that it stands in: with the item the fence ends. */
  column?: number
}

/** The fence that a line opens, also as the first thing in a list item. */
export function readFence(line: Line, mdx = false): Fence | undefined {
  const { text, indent, quotes } = contentOf(line)
  const marker = text[0]
  if (marker !== '`' && marker !== '~') return undefined
  const length = runLength(text, marker)
  if (length < 3) return undefined
  const info = text.slice(length).trim()
  return marker === '`' && info.includes('`') ? undefined : { marker, length, info, indent, quotes, mdx }
}

/** Whether a line ends a fence. One that is further in, or in another block quote, is part of the code. */
export function closesFence({ text, indent, quotes }: Line, fence: Fence): boolean {
  if (quotes !== fence.quotes || (indent - fence.indent >= 4 && !fence.mdx)) return false
  const length = runLength(text, fence.marker)
  return length >= fence.length && text.slice(length).trim() === ''
}

/**
 * Reads the lines of a page one after the other and knows which of them are fenced code. All who read pages ask it, but
 * for the parser of trees (`fence-syntax.ts` has it agree), and the policy, which asks what any other reader could find.
 */
export interface Fences {
  /** What a line is to the fence that is open; undefined when none is, or when its block quote or list item has ended. */
  inside: (line: Line) => 'content' | 'end' | undefined
  /** The fence that a line opens; only for lines that are inside of none. */
  open: (line: Line) => Fence | undefined
  /** Whether a line is fenced code, also as the line that opens or ends it. */
  holds: (line: Line) => boolean
}

export function createFences(mdx = false): Fences {
  let fence: Fence | undefined
  const inside: Fences['inside'] = (line) => {
    if (fence === undefined) return undefined
    const isEnd = closesFence(line, fence)
    const isLeft = line.text !== '' && line.indent < (fence.column ?? 0)
    const isOutside = line.quotes < fence.quotes || (isLeft && !isEnd)
    if (isEnd || isOutside) fence = undefined
    if (isOutside) return undefined
    return isEnd ? 'end' : 'content'
  }
  const open: Fences['open'] = (line) => (fence = readFence(line, mdx))
  return { inside, open, holds: (line) => (inside(line) ?? open(line)) !== undefined }
}

const maxLists = 20

/** The line without the markers of the list items that it opens. */
function contentOf(line: Line): Line {
  let found = line
  for (let lists = 0; lists < maxLists; lists++) {
    const item = readListMarker(found.text)
    if (!item) break
    const rest = readLine(found.text.slice(item.width))
    const before = rest.quotes > 0 ? 0 : found.indent + item.width
    found = { ...rest, indent: before + rest.indent, quotes: found.quotes + rest.quotes }
  }
  return found
}

function runLength(text: string, marker: string): number {
  let length = 0
  while (text[length] === marker) length++
  return length
}
