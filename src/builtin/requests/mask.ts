/** Texts of prompts do not hold characters of this range, so that one of them can stand for a quotation. */
const firstMark = 0x10_00_00
const marks = /[\u{100000}-\u{10FFFD}]/gu

/**
 * A prompt in which one character, of the category `Co`, stands for every quotation and code fence, so that the
 * grammar ignores what is inside of quotes.
 */
export interface Masked {
  text: string
  /** Restores the original text with its quotations. */
  restore: (text: string) => string
  /** The value of a piece: the inside of a quotation, or the trimmed text. */
  valueOf: (text: string) => string
}

const pairs = new Map([
  ['"', '"'],
  ['“', '”"'],
  ['„', '“”"'],
  ['«', '»'],
  ['`', '`'],
  ["'", "'’"],
  ['‘', "’'"],
])
const longestQuotation = 20_000
const most = 60_000

export function mask(prompt: string): Masked {
  const source = prompt.replace(marks, '').replace(/\r\n?/g, '\n')
  const quotations: { raw: string; inner: string }[] = []
  let text = ''
  const unclosed = new Map<string, number>()
  for (let at = 0; at < source.length;) {
    const span =
      quotations.length < most ? (fenceAt(source, at) ?? quotationAt(source, at, unclosed)) : undefined
    text += span ? String.fromCodePoint(firstMark + quotations.length) : source[at]
    if (span) quotations.push({ raw: source.slice(at, span.end), inner: span.inner })
    at = span?.end ?? at + 1
  }
  const quotation = (mark: string) => quotations[(mark.codePointAt(0) ?? 0) - firstMark]
  const restore = (piece: string) => piece.replace(marks, (mark) => quotation(mark)?.raw ?? '')
  const valueOf = (piece: string) => {
    const trimmed = piece.trim()
    return isQuotation(trimmed) ? (quotation(trimmed)?.inner ?? trimmed) : restore(trimmed)
  }
  return { text, restore, valueOf }
}

export function isQuotation(piece: string | undefined): boolean {
  return piece !== undefined && /^[\u{100000}-\u{10FFFD}]$/u.test(piece.trim())
}

function fenceAt(source: string, at: number): { inner: string; end: number } | undefined {
  if (!source.startsWith('```', at)) return undefined
  const lineEnd = source.indexOf('\n', at)
  if (lineEnd < 0) return undefined
  const closing = source.indexOf('\n```', lineEnd - 1)
  if (closing < 0) return undefined
  return { inner: source.slice(lineEnd + 1, Math.max(lineEnd + 1, closing)), end: closing + 4 }
}

/** @param unclosed up to which offset each opening mark is known to have no end, so that nothing is searched twice */
function quotationAt(
  source: string,
  at: number,
  unclosed: Map<string, number>,
): { inner: string; end: number } | undefined {
  const opening = source[at] ?? ''
  const closers = pairs.get(opening)
  if (closers === undefined) return undefined
  const single = opening === "'" || opening === '‘'
  if (single && /[\p{L}\p{N}]/u.test(source[at - 1] ?? ' ')) return undefined
  if (opening !== '"' && /\s/.test(source[at + 1] ?? ' ')) return undefined
  const limit = Math.min(source.length, at + longestQuotation)
  let end = Math.max(at + 1, unclosed.get(opening) ?? 0)
  for (; end < limit; end++) {
    const character = source[end] ?? ''
    // A single quote or a code span must end on its line.
    if (character === '\n' && (single || opening === '`')) break
    if (character === '\\' && opening === '"' && source[end + 1] === '"') end += 1
    else if (closers.includes(character) && !(single && /[\p{L}\p{N}]/u.test(source[end + 1] ?? ' '))) {
      const inner = source.slice(at + 1, end)
      if (inner === '') return undefined
      return { inner: opening === '"' ? inner.replaceAll('\\"', '"') : inner, end: end + 1 }
    }
  }
  unclosed.set(opening, end)
  return undefined
}
