import { type Range, fencedRanges, isWhole, shared } from './code-ranges.ts'
import { endOfBraces } from './end-of-braces.ts'

export interface Dialect {
  /** Braces are expressions and `import` is one. */
  mdx: boolean
  /** Read by Python-Markdown. */
  python: boolean
  /** A Vue template: mustaches and directives run. */
  vue: boolean
  /** A template language runs over the page: over code blocks as well (`whole`). */
  templates?: 'none' | 'live' | 'whole'
}

const maxTag = 2000
const maxExpression = 20_000

// More of these than any page of people has would cost more than it is worth.
const most: readonly [sign: string, count: number][] = [
  ['<', 50_000],
  ['](', 20_000],
  ['`', 50_000],
]
const mostBraces = 10_000
const mostFailures = 500

/**
 * A page with everything blanked that each renderer shows as code, offsets kept. In doubt a text is not code: what is left
 * may be alive. Undefined for text that is made to take long.
 */
export function liveText(
  text: string,
  dialect: Dialect,
  /** What a parser takes for code, in order. */
  parsed?: readonly Range[],
): string | undefined {
  const sure = (ranges: readonly Range[]) =>
    (parsed === undefined ? ranges : shared(ranges, parsed)).filter(
      ([start, end]) => dialect.templates !== 'whole' || isWhole(text.slice(start, end)),
    )
  const ranges = fencedRanges(text, {
    mdx: dialect.mdx,
    python: dialect.python,
    // Blocks of these kinds are templates or MDX themselves.
    live: dialect.vue ? /^[^\s{]*-vue\b/ : dialect.mdx ? /^mdx-code-block\b/ : undefined,
  })
  const live = blank(text, sure(ranges))
  const limits = dialect.mdx || dialect.vue ? [...most, ['{', mostBraces] as const] : most
  if (limits.some(([sign, count]) => occursMore(live, sign, count))) return undefined
  const spans = inlineCode(live, dialect.mdx)
  return blank(live, sure(dialect.python ? outside(spans, rawBlocks(live)) : spans))
}

function occursMore(text: string, sign: string, count: number): boolean {
  let found = 0
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1))
    if (++found > count) return true
  return false
}

/** Code spans of one line that no tag, expression, module code or table cell takes part of. */
function inlineCode(text: string, mdx: boolean): [number, number][] {
  const found: [number, number][] = []
  const isInTable = tableFinder(text)
  const lastComment = text.lastIndexOf('-->')
  let failures = 0
  const special = mdx ? /[`<{\\$]|\n[ \t>]*\n|^(?:import|export)\b/gm : /[`<\\$]|\n[ \t>]*\n/g
  // Between two of these there may be a formula, whose backticks begin no code.
  let dollar = false
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const at = match.index
    if (match[0].startsWith('\n')) {
      dollar = false
      special.lastIndex = at + match[0].length - 1
    } else if (match[0] === '$') dollar = true
    else if (match[0] === '\\') special.lastIndex = at + 2
    else if (match[0] === '<') special.lastIndex = endOfTag(text, at, lastComment) ?? at + 1
    else if (match[0] === '{') {
      const limit = Math.min(text.length, at + maxExpression)
      const end = failures > mostFailures ? undefined : endOfBraces(text, at, limit)
      if (end === undefined) failures++
      special.lastIndex = end ?? at + 1
    } else if (match[0] === '`') {
      const span = codeSpan(text, at)
      special.lastIndex = span.next
      const code = text.slice(span.start, span.end ?? span.start)
      const isCut = (dollar && code.includes('$')) || (/(?:^|[^\\])\|/.test(code) && isInTable(at))
      if (span.end !== undefined && !isCut) found.push([span.start, span.end])
    } else {
      const stop = text.indexOf('\n\n', at)
      special.lastIndex = stop === -1 ? text.length : stop
    }
  }
  return found
}

const opensRaw =
  /^<(address|article|aside|blockquote|body|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|html|iframe|legend|li|main|math|menu|nav|noscript|object|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|svg)\b([^>]{0,2000})>/gim

/** Python-Markdown takes blocks of HTML as they are up to their end, blank lines or not. */
function rawBlocks(text: string): Range[] {
  const found: Range[] = []
  let at = 0
  for (const match of text.matchAll(opensRaw)) {
    const [, name = '', attributes = ''] = match
    if (match.index < at || /\bmarkdown\b/.test(attributes)) continue
    const tags = new RegExp(`<(/?)${name}\\b[^>]{0,2000}>`, 'gi')
    tags.lastIndex = match.index
    let depth = 0
    at = text.length
    for (let tag = tags.exec(text); tag !== null; tag = tags.exec(text)) {
      depth += tag[1] === '/' ? -1 : 1
      if (depth > 0) continue
      at = tag.index
      break
    }
    found.push([match.index, at])
  }
  return found
}

/** The ranges that do not begin in any of the others, both in order. */
function outside(ranges: readonly Range[], others: readonly Range[]): Range[] {
  let next = 0
  return ranges.filter(([start]) => {
    while ((others[next]?.[1] ?? Infinity) <= start) next++
    return start < (others[next]?.[0] ?? Infinity)
  })
}

function codeSpan(text: string, at: number): { start: number; end?: number; next: number } {
  let start = at
  while (text[start] === '`') start++
  const length = start - at
  const newline = text.indexOf('\n', start)
  const limit = Math.min(newline === -1 ? text.length : newline, start + 2000)
  for (let close = text.indexOf('`', start); close !== -1 && close < limit;) {
    let end = close
    while (text[end] === '`') end++
    if (end - close === length) return { start, end: close, next: end }
    close = text.indexOf('`', end)
  }
  return { start, next: start }
}

/** Tells whether the lines around an offset hold a table's line of dashes; for offsets that grow. */
function tableFinder(text: string): (at: number) => boolean {
  let known = { end: 0, isTable: false }
  return (at) => {
    if (at < known.end) return known.isTable
    const start = Math.max(0, text.lastIndexOf('\n\n', at))
    const stop = text.indexOf('\n\n', at)
    const end = stop === -1 ? text.length : stop
    const lines = text.slice(start, end).split('\n')
    known = { end, isTable: lines.some((line) => line.includes('-') && /^[\s>|:+-]+$/.test(line)) }
    return known.isTable
  }
}

// `lastComment` is where the last comment ends: none is searched for behind it.
function endOfTag(text: string, at: number, lastComment: number): number | undefined {
  if (text.startsWith('<!--', at)) {
    if (at > lastComment) return undefined
    const end = text.indexOf('-->', at + 4)
    return end === -1 ? undefined : end + 3
  }
  if (!/[A-Za-z/!?]/.test(text[at + 1] ?? '')) return undefined
  let quote = ''
  const limit = Math.min(text.length, at + maxTag)
  for (let position = at + 1; position < limit; position++) {
    const character = text[position] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return position + 1
    else if (character === '\n' && text[position + 1] === '\n') return undefined
  }
  return undefined
}

function blank(text: string, ranges: readonly (readonly [number, number])[]): string {
  const parts: string[] = []
  let at = 0
  for (const [start, end] of ranges) {
    parts.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\n]/g, ' '))
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
