import { fencedRanges } from './code-ranges.ts'
import { endOfBraces } from './end-of-braces.ts'

export interface Dialect {
  /** Braces are expressions and `import` is one. */
  mdx: boolean
  /** Read by Python-Markdown. */
  python: boolean
  /** A Vue template: mustaches and directives run. */
  vue: boolean
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
export function liveText(text: string, dialect: Dialect): string | undefined {
  const ranges = fencedRanges(text, {
    mdx: dialect.mdx,
    python: dialect.python,
    // Blocks of these kinds are templates or MDX themselves.
    live: dialect.vue ? /^[^\s{]*-vue\b/ : dialect.mdx ? /^mdx-code-block\b/ : undefined,
  })
  const live = blank(text, ranges)
  const limits = dialect.mdx || dialect.vue ? [...most, ['{', mostBraces] as const] : most
  if (limits.some(([sign, count]) => occursMore(live, sign, count))) return undefined
  return blank(live, inlineCode(live, dialect.mdx))
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
  let failures = 0
  const special = mdx ? /[`<{\\]|^(?:import|export)\b/gm : /[`<\\]/g
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const at = match.index
    if (match[0] === '\\') special.lastIndex = at + 2
    else if (match[0] === '<') special.lastIndex = endOfTag(text, at) ?? at + 1
    else if (match[0] === '{') {
      const limit = Math.min(text.length, at + maxExpression)
      const end = failures > mostFailures ? undefined : endOfBraces(text, at, limit)
      if (end === undefined) failures++
      special.lastIndex = end ?? at + 1
    } else if (match[0] === '`') {
      const span = codeSpan(text, at)
      special.lastIndex = span.next
      const isCut =
        span.end !== undefined && /(?:^|[^\\])\|/.test(text.slice(span.start, span.end)) && isInTable(at)
      if (span.end !== undefined && !isCut) found.push([span.start, span.end])
    } else {
      const stop = text.indexOf('\n\n', at)
      special.lastIndex = stop === -1 ? text.length : stop
    }
  }
  return found
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

function endOfTag(text: string, at: number): number | undefined {
  if (text.startsWith('<!--', at)) {
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
