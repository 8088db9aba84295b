import type { Range } from './code-ranges.ts'
import { endOfBraces } from './end-of-braces.ts'
import type { OpeningTag } from './read-tags.ts'

interface Page {
  /** Opening tags of the text, in order. */
  tags: readonly OpeningTag[]
  mdx: boolean
  /** Where its front matter has ended. */
  from: number
  /** What a parser takes for code, in order. */
  parsed?: readonly Range[] | undefined
}

// Behind these a browser reads on in other ways, and a module may hold signs of comments in its texts.
const unsure = String.raw`<[!?]|<\/?(?:script|style|textarea|title|xmp|noscript|iframe|noembed|noframes|plaintext)\b`
const signs = new RegExp(`<!--|${unsure}`, 'gi')
const signsOfMdx = new RegExp(`<!--|\\{|${unsure}|^export\\b`, 'gim')
const maxExpression = 20_000
const maxEscapes = 20_000
const maxEscaped = 1000
const maxParagraph = 2000

/**
 * Tells whether what stands at an offset of a live text is asleep for every reader: in a comment, escaped or indented as
 * code. It does nothing there, but would if it came out. In doubt it is awake.
 */
export function asleepTest(text: string, page: Page): (at: number) => boolean {
  const asleep = new Uint8Array(text.length)
  for (const range of [...comments(text, page), ...escaped(text), ...indented(text, page.parsed)])
    asleep.fill(1, ...range)
  return (at) => asleep[at] === 1
}

function comments(text: string, { tags, mdx, from }: Page): Range[] {
  const found: Range[] = []
  let next = 0
  // Where the last tag ends that began outside of a comment: its values may hold what looks like one.
  let inTag = 0
  const sign = new RegExp(mdx ? signsOfMdx : signs)
  sign.lastIndex = from
  for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
    const at = match.index
    for (; (tags[next]?.start ?? Infinity) < at; next++) {
      const tag = tags[next]
      if (tag !== undefined && tag.start >= (found.at(-1)?.[1] ?? 0)) inTag = Math.max(inTag, tag.end)
    }
    if (isEscaped(text, at) || (at < inTag && match[0] === '<!--')) continue
    const end = match[0] === '<!--' ? text.indexOf('-->', at + 4) : endOfComment(text, at)
    if (match[0] === '{' && end === undefined) {
      const close = endOfBraces(text, at, Math.min(text.length, at + maxExpression))
      if (close === undefined) return found
      sign.lastIndex = close
      continue
    }
    // Whatever else begins here, or never ends, readers do not agree on what follows.
    if (end === undefined || end === -1) return found
    if (at >= inTag && isComment(text, at, end)) found.push([at, end])
    sign.lastIndex = end + 2
  }
  return found
}

/** `\<b>`, `\![x](y)`, `\[x](y)`: each up to the next sign that could begin something itself. */
function escaped(text: string): Range[] {
  const found: Range[] = []
  // A block of HTML may go on over paragraphs, and in it backslashes are only signs.
  const first = text.search(/(?<!\\)(?:\\\\){0,20}<[A-Za-z/!?]/)
  let isOpen = false
  for (const match of text.matchAll(/\n[ \t>]*\n|\\[^]|\[/g)) {
    const from = match.index + 1
    if ((first !== -1 && from > first) || found.length > maxEscapes) break
    if (match[0].startsWith('\n')) isOpen = false
    else if (match[0] === '[') isOpen = true
    else if (!isOpen && /[<[!]/.test(match[0])) {
      const rest = text.slice(from, from + maxEscaped)
      const skipped = rest.startsWith('![') ? 2 : 1
      const length = rest.slice(skipped).search(match[0] === '\\<' ? /[<>]/ : /[[<)\n]/)
      found.push([from, from + (length === -1 ? rest.length : skipped + length)])
    }
  }
  return found
}

/** On lines of its own, or within one where it can be no part of a link or of several cells. */
function isComment(text: string, at: number, end: number): boolean {
  const inner = text.slice(at, end + 3)
  if (/^<!---?>|--!>/.test(inner)) return false
  if (/(?:^|\n)[ \t]{0,3}$/.test(text.slice(Math.max(0, at - 4), at))) return true
  const from = Math.max(0, at - maxParagraph)
  const before = text.slice(from, at)
  const paragraph = before.lastIndexOf('\n\n')
  const isRead = paragraph !== -1 || from === 0
  return isRead && !before.includes('[', Math.max(0, paragraph)) && !/[\n|]/.test(inner.slice(0, -1))
}

/** Where the comment of MDX that begins with these braces ends; undefined for none. */
function endOfComment(text: string, at: number): number | undefined {
  if (!text.startsWith('{/*', at)) return undefined
  const end = text.indexOf('*/', at + 3)
  return end !== -1 && /^\s{0,100}\}/.test(text.slice(end + 2, end + 103)) ? end : undefined
}

function indented(text: string, parsed: readonly Range[] = []): Range[] {
  return parsed.filter(([start]) => /^(?: {4}| {0,3}\t)/.test(text.slice(start, start + 4)))
}

function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text[from - 1] === '\\') from--
  return (at - from) % 2 === 1
}
