const token =
  /"""(?:\\[^]|(?!""")[^]){0,20000}"""|'''(?:(?!''')[^]){0,20000}'''|"(?:\\.|[^"\\\n]){0,20000}"|'[^'\n]{0,20000}'|#[^\n]*|\n|[\w.-]+|[^\s]/g

/**
 * The texts of TOML under their names, as lists: enough to judge them by, and nothing to go on with. A table's name is that
 * of the field around what is in it.
 */
export function readToml(source: string): Record<string, unknown> {
  const tables = new Map<string, Map<string, string[]>>()
  let [table, key, last] = ['', '', '']
  let [atStart, inHeader] = [true, false]
  for (const [word] of source.matchAll(token)) {
    if (word === '\n') [atStart, inHeader] = [true, false]
    else if (word === '=') key = lastName(last)
    else if (word === '[' && atStart) inHeader = true
    else if (!/^[#[\],{}]/.test(word)) {
      last = textOf(word)
      if (inHeader) table = lastName(last)
      else if (key !== '' && /^["']/.test(word)) {
        const fields = tables.get(table) ?? new Map<string, string[]>()
        fields.set(key, [...(fields.get(key) ?? []), last])
        tables.set(table, fields)
      }
      atStart = false
    }
  }
  const data = [...tables].map(([name, fields]) => [name, Object.fromEntries(fields)] as const)
  return { ...Object.fromEntries(data), ...Object.fromEntries(tables.get('') ?? []) }
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function textOf(word: string): string {
  const quotes = /^(?:"""|'''|"|')/.exec(word)?.[0] ?? ''
  const inner = word.slice(quotes.length, word.length - quotes.length)
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
