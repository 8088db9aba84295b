import { type Directive, type SourceLine, isBlank, indentOf, part } from './blocks.ts'

export interface ToctreeEntry {
  /** A document, a pattern, an address, or `self`. */
  name: string
  label: string | undefined
  /** The entry alone. */
  line: SourceLine
  /** Where the name is in the entry. */
  at: number
}

/** The entries of a `toctree`: `name`, or `Label <name>`. */
export function toctreeEntries({ content }: Directive): ToctreeEntry[] {
  return content.flatMap((line) => {
    if (isBlank(line)) return []
    const own = part(line, indentOf(line))
    const text = own.text.trim()
    if (text.startsWith('.. ') || text === '..') return []
    const open = text.endsWith('>') ? text.lastIndexOf('<') : -1
    const name = open === -1 ? text : text.slice(open + 1, -1).trim()
    const label = open === -1 ? undefined : text.slice(0, open).trim()
    return [{ name, label, line: { ...own, text }, at: open === -1 ? 0 : text.indexOf(name, open) }]
  })
}
