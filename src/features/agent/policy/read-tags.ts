import { decodeEntities } from './decode-entities.ts'
import { endOfBraces } from './end-of-braces.ts'

export interface TagAttribute {
  name: string
  /** As a browser reads it; the source with its braces when it is an expression; undefined when it has none. */
  value: string | undefined
  isExpression: boolean
  at: number
}

export interface OpeningTag {
  name: string
  attributes: TagAttribute[]
  start: number
  end: number
  /** It goes on beyond what is read of a tag. */
  isCut: boolean
}

const maxTag = 20_000
const nameAt = /[A-Za-z][^\s/>"'={}<]*/y
const keyAt = /[^\s/>"'={}<]+/y

/**
 * Every opening tag that any reader could see in a text, those inside of other tags' values as well. Undefined for
 * text that is made to take long. With `braces` attributes may be expressions, as in JSX.
 */
export function readTags(text: string, { braces }: { braces: boolean }): OpeningTag[] | undefined {
  const tags: OpeningTag[] = []
  let budget = 200_000 + text.length * 4
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    nameAt.lastIndex = at + 1
    const name = nameAt.exec(text)?.[0]
    if (name === undefined) continue
    const tag = readTag(text, { start: at, name, braces })
    tags.push(tag)
    budget -= tag.end - at
    if (budget < 0) return undefined
  }
  return tags
}

/** The tag that starts at an offset, as JSX; undefined when none does or it has no end. */
export function readJsxTag(text: string, start: number): OpeningTag | undefined {
  nameAt.lastIndex = start + 1
  const name = nameAt.exec(text)?.[0]
  const tag = name === undefined ? undefined : readTag(text, { start, name, braces: true })
  return tag !== undefined && text[tag.end - 1] === '>' ? tag : undefined
}

function readTag(
  text: string,
  { start, name, braces }: { start: number; name: string; braces: boolean },
): OpeningTag {
  const limit = Math.min(text.length, start + maxTag)
  const attributes: TagAttribute[] = []
  let at = start + 1 + name.length
  while (at < limit) {
    const character = text[at] ?? ''
    if (character === '>') return { name, attributes, start, end: at + 1, isCut: false }
    if (braces && character === '{') {
      const end = endOfBraces(text, at, limit)
      attributes.push({ name: '{}', value: text.slice(at, end ?? limit), isExpression: true, at })
      at = end ?? limit
      continue
    }
    keyAt.lastIndex = at
    const key = keyAt.exec(text)?.[0]
    if (key === undefined) {
      // Paragraphs end at a blank line, and with them what only looked like a tag.
      if (!braces && character === '\n' && /^\n[ \t]*\n/.test(text.slice(at, at + 200))) break
      at++
      continue
    }
    const read = readValue(text, { from: at + key.length, limit, braces })
    attributes.push({ name: key, value: read.value, isExpression: read.isExpression, at })
    at = read.end
  }
  return { name, attributes, start, end: Math.min(at, limit), isCut: at >= limit && limit < text.length }
}

interface Value {
  value: string | undefined
  isExpression: boolean
  end: number
}

function readValue(
  text: string,
  { from, limit, braces }: { from: number; limit: number; braces: boolean },
): Value {
  let at = skipSpace(text, from, limit)
  if (text[at] !== '=') return { value: undefined, isExpression: false, end: from }
  at = skipSpace(text, at + 1, limit)
  const quote = text[at]
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, at + 1)
    const stop = close === -1 || close > limit ? limit : close
    return {
      value: decodeEntities(text.slice(at + 1, stop)),
      isExpression: false,
      end: Math.min(stop + 1, limit),
    }
  }
  if (braces && quote === '{') {
    const end = endOfBraces(text, at, limit) ?? limit
    const value = text.slice(at, end)
    const literal = /^\{\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*\}$/.exec(value)
    const plain = literal?.[1] ?? literal?.[2] ?? literal?.[3]
    return { value: plain ?? value, isExpression: plain === undefined, end }
  }
  let end = at
  while (end < limit && !/[\s>]/.test(text[end] ?? '>')) end++
  return { value: decodeEntities(text.slice(at, end)), isExpression: false, end }
}

function skipSpace(text: string, from: number, limit: number): number {
  let at = from
  while (at < limit && /\s/.test(text[at] ?? 'x')) at++
  return at
}
