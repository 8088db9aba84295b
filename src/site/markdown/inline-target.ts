import { endOfTemplate } from './link-forms.ts'

/** The `(destination "title")` of an inline link; offsets are those of the text that was read. */
export interface InlineTarget {
  /** The destination without angle brackets. */
  start: number
  stop: number
  /** Just after `)`. */
  end: number
}

const maxTarget = 4000
const titleAt = /[ \t]*(?:\n[ \t]*)?(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\))/y

export function inlineTarget(text: string, at: number): InlineTarget | undefined {
  if (text[at] !== '(') return undefined
  let position = skipBlank(text, at + 1)
  const start = position
  let stop: number
  if (text[position] === '<') {
    for (stop = position + 1; text[stop] !== '>'; stop++) {
      if (text[stop] === '\\') stop++
      const character = text[stop]
      if (character === undefined || '<\n'.includes(character) || stop - position > maxTarget)
        return undefined
    }
    const end = closing(text, stop + 1)
    return end === undefined ? undefined : { start: start + 1, stop, end }
  }
  const template = text[position] === '{' ? endOfTemplate(text, position) : undefined
  if (template !== undefined && template > position) {
    const end = closing(text, template)
    if (end !== undefined) return { start, stop: template, end }
  }
  let depth = 0
  const limit = Math.min(text.length, position + maxTarget)
  for (; position < limit; position++) {
    const character = text[position]
    if (character === '\\') position++
    else if (character === '(') {
      // As CommonMark allows: it also keeps hostile input linear.
      if (++depth > 32) return undefined
    } else if (character === ')') {
      if (depth === 0) break
      depth--
    } else if (character === ' ' || character === '\n' || character === '\t' || character === '\r') break
  }
  stop = position
  const end = closing(text, stop)
  return end === undefined ? undefined : { start, stop, end }
}

function closing(text: string, from: number): number | undefined {
  const plain = skipBlank(text, from)
  if (text[plain] === ')') return plain + 1
  // A title stands after space only, and is kept short so that unclosed quotes cannot make the page quadratic.
  if (plain === from) return undefined
  titleAt.lastIndex = 0
  const title = titleAt.exec(text.slice(from, from + 500))
  if (!title) return undefined
  const end = skipBlank(text, from + title[0].length)
  return text[end] === ')' ? end + 1 : undefined
}

function skipBlank(text: string, from: number): number {
  let position = from
  while (position < text.length && /[ \t\r\n]/.test(text[position] ?? '')) position++
  return position
}

/**
 * The inline code whose ticks start at `at`; `close` is -1 where no such run of ticks ends it, which is noted in
 * `unmatched`, so that reading goes on in linear time.
 */
export function codeSpan(
  text: string,
  at: number,
  unmatched: Set<number>,
): { open: number; close: number; end: number } {
  let open = at
  while (text[open] === '`') open++
  const length = open - at
  for (let close = unmatched.has(length) ? -1 : text.indexOf('`', open); close !== -1;) {
    let end = close
    while (text[end] === '`') end++
    if (end - close === length) return { open, close, end }
    close = text.indexOf('`', end)
  }
  unmatched.add(length)
  return { open, close: -1, end: open }
}
