import type { AsciidocSettings } from './settings.ts'

/** Signs that have names. */
const named: Readonly<Record<string, string>> = {
  empty: '',
  blank: '',
  sp: ' ',
  nbsp: '\u00a0',
  zwsp: '\u200b',
  amp: '&',
  lt: '<',
  gt: '>',
  plus: '+',
  vbar: '|',
  startsb: '[',
  endsb: ']',
  asterisk: '*',
  caret: '^',
  tilde: '~',
  backslash: '\\',
  backtick: '`',
  apos: "'",
  quot: '"',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  deg: '°',
  cpp: 'C++',
  'two-colons': '::',
  'two-semicolons': ';;',
}
/** What Asciidoctor says of the page that it makes. */
const own: Readonly<Record<string, string>> = {
  asciidoctor: '',
  backend: 'html5',
  basebackend: 'html',
  'backend-html5': '',
  'basebackend-html': '',
  filetype: 'html',
  doctype: 'article',
  'safe-mode-secure': '',
  sectids: '',
}
const usual = Object.entries({ ...named, ...own })
const maxValue = 5000
const maxText = 200_000

/** The attributes of a page, as they are where it is read. */
export interface Attributes {
  get: (name: string) => string | undefined
  /** Reads a line that sets or unsets one; false for other lines. */
  read: (line: string) => boolean
  /** A text with values in the place of names. Names without a value stay. */
  fill: (text: string) => string
}

export function attributesFor(settings: AsciidocSettings, path: string): Attributes {
  const values = new Map<string, string>(usual)
  for (const [name, value] of Object.entries(settings.attributesOf(path))) values.set(name, value)
  const locked = new Set<string>()
  for (const [name, { value, isLocked }] of settings.configured(path)) {
    if (value === undefined) values.delete(name)
    else values.set(name, value)
    if (isLocked) locked.add(name)
  }
  const fill = (text: string): string => {
    if (!text.includes('{')) return text
    let length = 0
    return text.replaceAll(/`\+[^`\n]{1,500}`|\\?\{\w[\w-]{0,60}\}/g, (whole) => {
      if (whole.startsWith('`') || whole.startsWith('\\')) return whole
      const value = values.get(whole.slice(1, -1).toLowerCase())
      if (value === undefined) return whole
      length += value.length
      return length > maxText ? whole : value
    })
  }
  return {
    get: (name) => values.get(name),
    fill,
    read: (line) => {
      const entry = entryOf(line)
      if (entry === undefined) return false
      const { name, value } = entry
      if (locked.has(name)) return true
      if (value === undefined) values.delete(name)
      else if (name === 'leveloffset' && /^[+-]\d+$/.test(value))
        values.set(name, String(Number(values.get(name) ?? 0) + Number(value)))
      else values.set(name, fill(value).slice(0, maxValue))
      return true
    },
  }
}

/** `:name: value`, `:!name:` and `:name!:`, which unset it. */
export function entryOf(line: string): { name: string; value: string | undefined } | undefined {
  const [, before = '', name = '', after = '', value = ''] =
    /^:(!?)(\w[\w-]{0,80})(!?):(?:$|[ \t](.*)$)/.exec(line) ?? []
  if (name === '') return undefined
  const isUnset = before !== '' || after !== ''
  return { name: name.toLowerCase(), value: isUnset ? undefined : value.trim() }
}

/** What stands in the brackets of a block or a macro. */
export interface BlockAttributes {
  positional: string[]
  named: Map<string, string>
}

/** `source,java,title="A, b"` */
export function listOf(text: string): BlockAttributes {
  const list: BlockAttributes = { positional: [], named: new Map() }
  let at = 0
  const source = text.slice(0, maxValue)
  while (at < source.length) {
    let end = at
    let quote = ''
    for (; end < source.length; end++) {
      const sign = source[end] ?? ''
      if (quote !== '') {
        if (sign === quote) quote = ''
      } else if (sign === ',') break
      else if (
        (sign === '"' || sign === "'") &&
        /^[\w-]*=?\s*$/.test(source.slice(at, Math.min(end, at + 60)).trim())
      )
        quote = source.includes(sign, end + 1) ? sign : ''
    }
    const piece = source.slice(at, end).trim()
    const [, name, value = ''] = /^(\w[\w-]{0,60})\s{0,5}=(.*)$/s.exec(piece) ?? []
    if (name === undefined) list.positional.push(unquoted(piece))
    else list.named.set(name, unquoted(value.trim()))
    at = end + 1
  }
  return list
}

function unquoted(text: string): string {
  const [first] = text
  return text.length > 1 && (first === '"' || first === "'") && text.endsWith(first)
    ? text.slice(1, -1)
    : text
}
