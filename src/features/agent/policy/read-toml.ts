const plain = /#[^\n]*|\n|[\w.-]+|[^\S\n]+|[^]/y

/**
 * The texts of TOML under their names, as lists: enough to judge them by, and nothing to go on with. A table's name is that
 * of the field around what is in it.
 */
export function readToml(source: string): Record<string, unknown> {
  const tables = new Map<string, Map<string, string[]>>()
  let [table, key, last] = ['', '', '']
  let [atStart, inHeader, depth] = [true, false, 0]
  for (const word of words(source)) {
    // Within a list a line begins no table.
    if (word === '\n') [atStart, inHeader] = [depth === 0, false]
    else if (word === '=') key = lastName(last)
    else if (word === '[' && atStart) inHeader = true
    else if (/^[[{]$/.test(word)) depth += inHeader ? 0 : 1
    else if (/^[\]}]$/.test(word)) depth = Math.max(0, depth - (inHeader ? 0 : 1))
    else if (!/^[#,]/.test(word)) {
      last = textOf(word)
      if (inHeader) table = lastName(last)
      else if (key !== '' && /^["']/.test(word)) {
        const fields = tables.get(table) ?? new Map<string, string[]>()
        const texts = fields.get(key) ?? []
        texts.push(last)
        fields.set(key, texts)
        tables.set(table, fields)
      }
      atStart = false
    }
  }
  const data = [...tables].map(([name, fields]) => [name, Object.fromEntries(fields)] as const)
  return { ...Object.fromEntries(data), ...Object.fromEntries(tables.get('') ?? []) }
}

/** Each sign is gone over once. A text that nobody closes goes to the end of its line, or of the file. */
function* words(source: string): Generator<string> {
  for (let at = 0; at < source.length;) {
    const start = at
    const quotes = ['"""', "'''", '"', "'"].find((some) => source.startsWith(some, start))
    if (quotes === undefined) {
      plain.lastIndex = start
      at += plain.exec(source)?.[0].length ?? 1
    } else at = endOfText(source, start + quotes.length, quotes)
    const word = source.slice(start, at)
    if (word === '\n' || word.trim() !== '') yield word
  }
}

function endOfText(source: string, start: number, quotes: string): number {
  for (let at = start; at < source.length; at++) {
    if (source.startsWith(quotes, at)) return at + quotes.length
    if (source[at] === '\\' && quotes.startsWith('"')) at++
    else if (source[at] === '\n' && quotes.length === 1) return at
  }
  return source.length
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function textOf(word: string): string {
  const quotes = /^(?:"""|'''|"|')/.exec(word)?.[0] ?? ''
  const isClosed = word.length >= 2 * quotes.length && word.endsWith(quotes)
  const inner = word.slice(quotes.length, isClosed ? word.length - quotes.length : undefined)
  if (!quotes.startsWith('"')) return quotes === '' ? word : inner
  return inner.replaceAll(
    /\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|x([0-9a-f]{2})|([^]))/gi,
    (_, short?: string, long?: string, byte?: string, other = '') => {
      const code = short ?? long ?? byte
      if (code === undefined) return /[nrt]/.test(other) ? ' ' : other
      const point = Number.parseInt(code, 16)
      return point < 0x110000 && !(point >= 0xd800 && point < 0xe000) ? String.fromCodePoint(point) : ''
    },
  )
}
