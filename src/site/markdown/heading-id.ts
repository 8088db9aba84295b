/** In which form authors give a heading its id: a framework reads one, and shows the others as text. */
export type OwnIds =
  /** All that frameworks know, for pages that anything may build. */
  | 'any'
  | 'none'
  /** `{#id}` alone, also escaped or in a comment of MDX. */
  | 'braces'
  /** A list of attributes at the end: `{.class #id key=value}`. */
  | 'list'
  /** Such a list, in which a word may stand without a value. */
  | 'loose-list'
  /** `{#id}` at the end, or a list of attributes in the line below: `{: #id .class}`. */
  | 'kramdown'

const braced = /(?<![ \t])[ \t]*\\?\{[ \t]*(?::[ \t]*)?#([^\s{}]+)(?:\s[^{}]*)?\}$/
const commented = /(?<![ \t])[ \t]*\{?\/\*[ \t]*#([^\s*]+)[ \t]*\*\/\}?$/
const listWithoutId = /(?<![ \t])[ \t]*\{:?[ \t]*(?:[.][\w-]|[\w-]+=)[^{}]*\}$/

/** A colon begins a directive, which is no text. */
const alone = /(?<![ \t])[ \t]*\\?\{#([^\s{}:]+)(?::[^\s{}]*)?\}$/
const spaced = /(?<![ \t])[ \t]+\{#([A-Za-z][\w:-]*)\}$/
const listed = /(?<![ \t\\])[ \t]*\{:?[ \t]*([^{}]*)\}$/
/** One attribute of a list: `#id`, `.class`, `key=value`. */
const attribute = /^(?:[#.][^\s"'=]+|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s"']+))(?:\s+|$)/
const bare = /^[\w:-]+(?:\s+|$)/

/**
 * Separates a heading from the id that its author gave it. `any` knows all forms: `{#id}`, `{ #id .class }`,
 * `{/* #id *\/}`.
 */
export function readHeadingId(
  heading: string,
  form: OwnIds = 'any',
): { text: string; id: string | undefined } {
  if (form === 'none' || !heading.endsWith('}')) return { text: heading, id: undefined }
  const tail = heading.slice(-500)
  if (form === 'list' || form === 'loose-list') {
    const match = listed.exec(tail)
    const id = match === null ? undefined : idOfList(match[1] ?? '', form === 'loose-list')
    if (match === null || id === undefined) return { text: heading, id: undefined }
    return { text: heading.slice(0, heading.length - match[0].length), id: id === '' ? undefined : id }
  }
  if (form !== 'any') {
    const match = form === 'kramdown' ? spaced.exec(tail) : (alone.exec(tail) ?? commented.exec(tail))
    if (!match) return { text: heading, id: undefined }
    return { text: heading.slice(0, heading.length - match[0].length), id: match[1] }
  }
  const match = braced.exec(tail) ?? commented.exec(tail)
  if (match) return { text: heading.slice(0, heading.length - match[0].length), id: match[1] }
  const list = listWithoutId.exec(tail)
  if (!list) return { text: heading, id: undefined }
  const id = /[\s{:]id=["']?([^\s"'{}]+)/.exec(list[0])?.[1]
  return { text: heading.slice(0, heading.length - list[0].length), id }
}

/** The id that a list of attributes sets, `''` where it sets none; undefined for what is no such list. */
export function idOfList(list: string, allowsWords: boolean): string | undefined {
  let id = ''
  let rest = list.trim()
  if (rest === '') return undefined
  while (rest !== '') {
    const one = attribute.exec(rest)?.[0] ?? (allowsWords ? bare.exec(rest)?.[0] : undefined)
    if (one === undefined) return undefined
    const set = one.startsWith('#') ? one.slice(1) : /^id=["']?([^"'\s]+)/.exec(one)?.[1]
    if (set !== undefined) id = set.trim()
    rest = rest.slice(one.length)
  }
  return id
}
