/** A literal in a configuration, with the keys that lead to it. */
export interface Setting {
  keys: readonly string[]
  /** The texts of a list are one value. */
  value: string | boolean | readonly string[]
  /** The object it stands in: the same number for the same object. */
  object: number
}

const maxLength = 400_000
const word = /[A-Za-z_$][\w$]*/y

/**
 * Finds `key: 'text'`, `key: true` and `key: ['text']` in JavaScript or TypeScript by counting brackets, in code with errors as well.
 * Nothing is run: computed values are not found, and callers need a default for them.
 */
export function scriptSettings(source: string): Setting[] {
  const text = source.slice(0, maxLength)
  const settings: Setting[] = []
  const open: { key: string; object: number; texts: string[] }[] = []
  let objects = 0
  let key: string | undefined
  let last: string | undefined
  const set = (name: string, value: Setting['value']) => {
    const keys = open.flatMap((entry) => (entry.key === '' ? [] : [entry.key]))
    settings.push({ keys: [...keys, name], value, object: open.at(-1)?.object ?? 0 })
  }
  const value = (literal: string | boolean) => {
    if (key !== undefined) set(key, literal)
    else if (typeof literal === 'string') open.at(-1)?.texts.push(literal)
    key = undefined
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '/' && text[at + 1] === '/') at = endOf(text, '\n', at)
    else if (character === '/' && text[at + 1] === '*') at = endOf(text, '*/', at + 2) + 1
    else if (character === '"' || character === "'" || character === '`') {
      const end = endOfString(text, at)
      const literal = text.slice(at + 1, end)
      at = end
      if (/^\s*:/.test(text.slice(end + 1, end + 20)) && key === undefined) last = literal
      else if (!literal.includes('${')) value(literal)
    } else if (character === '{' || character === '[' || character === '(') {
      if (open.length < 100) open.push({ key: key ?? '', object: ++objects, texts: [] })
      key = last = undefined
    } else if (character === '}' || character === ']' || character === ')') {
      const closed = open.pop()
      if (character === ']' && closed && closed.key !== '' && closed.texts.length > 0)
        set(closed.key, closed.texts)
      key = last = undefined
    } else if (character === ':') {
      key = last
      last = undefined
    } else if (character === ',' || character === ';' || character === '=') key = last = undefined
    else {
      word.lastIndex = at
      const name = word.exec(text)?.[0]
      if (name === undefined) continue
      at += name.length - 1
      if (key !== undefined && (name === 'true' || name === 'false')) value(name === 'true')
      else last = name
    }
  }
  return settings
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end === -1 ? text.length : end
}

function endOfString(text: string, at: number): number {
  const quote = text[at]
  for (let position = at + 1; position < text.length; position++) {
    if (text[position] === '\\') position++
    else if (text[position] === quote || (text[position] === '\n' && quote !== '`')) return position
  }
  return text.length
}
