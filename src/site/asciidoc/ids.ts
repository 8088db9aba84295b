import type { Attributes } from './attributes.ts'

/** Signs that Asciidoctor writes as others before it makes ids, which lose those. */
const replaced = /\((?:C|R|TM)\)|(?<=^|\s|\w)\s?--(?=\s|\w|$)\s?|\.\.\.|[-=]>|<[-=]/g

/** The ids of a page, as Asciidoctor makes them. */
export interface Ids {
  /** A new one for a title. */
  make: (title: string, attributes: Attributes) => string
  /** What the page calls a place. */
  set: (id: string, title: string | undefined) => void
  titles: ReadonlyMap<string, string | undefined>
}

export function createIds(): Ids {
  const titles = new Map<string, string | undefined>()
  const counts = new Map<string, number>()
  return {
    titles,
    set: (id, title) => {
      if (!titles.has(id) || titles.get(id) === undefined) titles.set(id, title)
    },
    make: (title, attributes) => {
      const base = idOf(title, attributes)
      if (!titles.has(base)) return base
      const separator = attributes.get('idseparator') ?? '_'
      let count = counts.get(base) ?? 2
      while (titles.has(`${base}${separator}${count}`)) count++
      counts.set(base, count + 1)
      return `${base}${separator}${count}`
    },
  }
}

function idOf(title: string, attributes: Attributes): string {
  const prefix = attributes.get('idprefix') ?? '_'
  const separator = (attributes.get('idseparator') ?? '_').slice(0, 1)
  const words = title
    .slice(0, 2000)
    .replaceAll(replaced, '')
    .toLowerCase()
    .replace(/[^ \p{Alphabetic}\p{M}\p{Nd}\p{Pc}.-]+/gu, '')
  if (separator === '') return `${prefix}${words.replaceAll(' ', '')}`
  const isSeparated = (sign: string) =>
    sign === ' ' || sign === '.' || sign === '-' || (sign === '_' && separator === '_') || sign === separator
  let id = prefix
  for (const sign of words)
    if (!isSeparated(sign)) id += sign
    else if (!id.endsWith(separator)) id += separator
  if (id.length > 1 && id.endsWith(separator)) id = id.slice(0, -separator.length)
  return prefix === '' && id.startsWith(separator) ? id.slice(separator.length) : id
}
