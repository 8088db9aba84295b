import { decodeEntities } from './entities.ts'

/** An HTML or JSX tag. Offsets are those of the text that was read. */
export interface Tag {
  name: string
  closing: boolean
  selfClosing: boolean
  /** Just after `>`. */
  end: number
  attributes: Attribute[]
}

interface Attribute {
  name: string
  /** A literal string, quotes removed and entities decoded; undefined for expressions and bare names. */
  value: string | undefined
  /** Where the literal stands, quotes not counted. */
  start: number
  stop: number
}

const maxTag = 20_000
const nameAt = /[A-Za-z][\w.:-]*/y
const attributeAt = /[^\s"'<>/={}]+/y

/**
 * Reads the tag that starts at `at` (a `<`). When there is none, returns how far it looked: no tag starts in
 * between, so a caller that continues from there takes linear time on any input.
 */
export function readTag(text: string, at: number): Tag | { failedAt: number } {
  let position = at + 1
  const closing = text[position] === '/'
  if (closing) position++
  // The fragments `<>` and `</>`.
  if (text[position] === '>')
    return { name: '', closing, selfClosing: false, end: position + 1, attributes: [] }
  nameAt.lastIndex = position
  const name = nameAt.exec(text)?.[0]
  if (name === undefined) return { failedAt: position }
  position += name.length
  // `<https://…>` and `<a@b>` are links, not tags.
  if (name.endsWith(':') || text[position] === '@') return { failedAt: position }
  const limit = Math.min(text.length, at + maxTag)
  const attributes: Attribute[] = []
  while (position < limit) {
    const character = text[position]
    if (character === '>') return { name, closing, selfClosing: false, end: position + 1, attributes }
    if (character === '/' && text[position + 1] === '>') {
      return { name, closing, selfClosing: true, end: position + 2, attributes }
    }
    if (character === '<') return { failedAt: position }
    if (character === '{') {
      // `{...props}` and comments between attributes.
      const close = endOfBraces(text, position, limit)
      if (close === undefined) return { failedAt: limit }
      position = close
      continue
    }
    attributeAt.lastIndex = position
    const key = attributeAt.exec(text)?.[0]
    if (key === undefined) {
      position++
      continue
    }
    position += key.length
    const read = readValue(text, position, limit)
    if (!read) return { failedAt: limit }
    attributes.push({ name: key, value: read.value, start: read.start, stop: read.stop })
    position = read.end
  }
  return { failedAt: limit }
}

interface Value {
  value: string | undefined
  start: number
  stop: number
  end: number
}

function readValue(text: string, from: number, limit: number): Value | undefined {
  let position = skipSpace(text, from, limit)
  if (text[position] !== '=') return { value: undefined, start: from, stop: from, end: from }
  position = skipSpace(text, position + 1, limit)
  const quote = text[position]
  if (quote === '"' || quote === "'") {
    const stop = text.indexOf(quote, position + 1)
    if (stop === -1 || stop >= limit) return undefined
    const value = decodeEntities(text.slice(position + 1, stop))
    return { value, start: position + 1, stop, end: stop + 1 }
  }
  if (quote === '{') {
    const end = endOfBraces(text, position, limit)
    if (end === undefined) return undefined
    const literal = /^\{\s*(["'`])([^"'`\\$]*)\1\s*\}$/.exec(
      text.slice(position, Math.min(end, position + 2000)),
    )
    const value = literal?.[2]
    const start = value === undefined ? position : text.indexOf(literal?.[1] ?? '', position) + 1
    return { value, start, stop: start + (value?.length ?? 0), end }
  }
  const start = position
  while (position < limit && !/[\s>]/.test(text[position] ?? '>')) position++
  return { value: text.slice(start, position), start, stop: position, end: position }
}

function skipSpace(text: string, from: number, limit: number): number {
  let position = from
  while (position < limit && /\s/.test(text[position] ?? 'x')) position++
  return position
}

/** Just after the `}` that closes the `{` at `at`; strings and comments inside may hold braces. */
export function endOfBraces(text: string, at: number, limit: number): number | undefined {
  let depth = 0
  for (let position = at; position < limit; position++) {
    const character = text[position]
    if (character === '\\') position++
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return position + 1
    else if (character === '/' && text[position + 1] === '*') {
      const close = text.indexOf('*/', position + 2)
      if (close === -1 || close >= limit) return undefined
      position = close + 1
    } else if (character === '"' || character === "'" || character === '`') {
      const close = closingQuote(text, position, limit)
      // An apostrophe in running text opens no string.
      if (close !== undefined) position = close
    }
  }
  return undefined
}

function closingQuote(text: string, at: number, limit: number): number | undefined {
  const quote = text[at]
  for (let position = at + 1; position < limit; position++) {
    const character = text[position]
    if (character === '\\') position++
    else if (character === quote) return position
    else if (character === '\n' && quote !== '`') return undefined
  }
  return undefined
}
