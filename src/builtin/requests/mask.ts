const open = '\uE000'
const close = '\uE001'

const mark = new RegExp(`${open}(\\d+)${close}`, 'g')
const wholeMark = new RegExp(`^${open}(\\d+)${close}$`)

/**
 * A prompt in which every quotation and code fence is replaced by one opaque mark, so that the grammar ignores
 * what is inside of quotes.
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
  ['「', '」'],
])
const longestQuotation = 20_000

export function mask(prompt: string): Masked {
  const source = prompt.replace(/[\uE000\uE001]/g, '').replace(/\r\n?/g, '\n')
  const marks: { raw: string; inner: string }[] = []
  let text = ''
  const unclosed = new Map<string, number>()
  let at = 0
  while (at < source.length) {
    const span = fenceAt(source, at) ?? quotationAt(source, at, unclosed)
    if (!span) {
      text += source[at]
      at += 1
      continue
    }
    text += `${open}${marks.length}${close}`
    marks.push({ raw: source.slice(at, span.end), inner: span.inner })
    at = span.end
  }
  const restore = (piece: string) =>
    piece.replaceAll(mark, (_, index: string) => marks[Number(index)]?.raw ?? '')
  const valueOf = (piece: string) => {
    const trimmed = piece.trim()
    const whole = wholeMark.exec(trimmed)?.[1]
    return whole === undefined ? restore(trimmed) : (marks[Number(whole)]?.inner ?? '')
  }
  return { text, restore, valueOf }
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
