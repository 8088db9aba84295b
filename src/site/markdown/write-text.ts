const inText = /[\\`*[\]<{~|]|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_|&(?=#?\w{1,30};)|!(?=\[)/gu
const mayBeMarkup = /[\\`*[\]<{~|_&!]/

/** Text of which nothing is markup. */
export function escaped(text: string): string {
  return mayBeMarkup.test(text) ? text.replace(inText, '\\$&') : text
}

/** Text in which also nothing at the start of a line is markup. */
export function atStart(line: string): string {
  if (!/^(?:[#>+=:!?/-]|\d{1,9}[.)])/.test(line)) return line
  if (/^(?:#{1,6}(?:\s|$)|>|[+-](?:\s|$)|(?:=+|-+)\s*$|:{2,}|!!!|\?\?\?|===|\/\/\/|:\s)/.test(line))
    return `\\${line}`
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}

export function code(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat === '') return ''
  if (!flat.includes('`')) return `\`${flat}\``
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const space = flat.startsWith('`') || flat.endsWith('`') ? ' ' : ''
  return `${fence}${space}${flat}${space}${fence}`
}

export function link(text: string, href: string): string {
  const safe = href.replaceAll(/[\s<>()\\]/g, (sign) =>
    encodeURIComponent(sign).replace('(', '%28').replace(')', '%29'),
  )
  return text === '' || href === '' ? text : `[${text}](${safe})`
}
