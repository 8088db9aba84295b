const braced = /(?<![ \t])[ \t]*\\?\{[ \t]*(?::[ \t]*)?#([^\s{}]+)(?:\s[^{}]*)?\}$/
const commented = /(?<![ \t])[ \t]*\{?\/\*[ \t]*#([^\s*]+)[ \t]*\*\/\}?$/
const listWithoutId = /(?<![ \t])[ \t]*\{:?[ \t]*(?:[.][\w-]|[\w-]+=)[^{}]*\}$/

/** Separates a heading from the id that its author gave it: `{#id}`, `{ #id .class }`, `{/* #id *\/}`. */
export function readHeadingId(heading: string): { text: string; id: string | undefined } {
  if (!heading.endsWith('}')) return { text: heading, id: undefined }
  const tail = heading.slice(-500)
  const match = braced.exec(tail) ?? commented.exec(tail)
  if (match) return { text: heading.slice(0, heading.length - match[0].length), id: match[1] }
  const list = listWithoutId.exec(tail)
  if (!list) return { text: heading, id: undefined }
  const id = /[\s{:]id=["']?([^\s"'{}]+)/.exec(list[0])?.[1]
  return { text: heading.slice(0, heading.length - list[0].length), id }
}
