import { splitLines } from '../../text/text-file.ts'

/** What a `toctree` of a page in reStructuredText lists, in order. */
export interface ListedNames {
  caption: string | undefined
  /** Patterns are among the names only where the directive allows them. */
  glob: boolean
  names: readonly { name: string; label: string | undefined }[]
}

/** The `.. toctree::` directives of a page. Such pages are not read otherwise. */
export function readRstToctrees(text: string): ListedNames[] {
  if (!text.includes('toctree::')) return []
  const lists: { caption: string | undefined; glob: boolean; names: ListedNames['names'][number][] }[] = []
  let open: { indent: number; list: (typeof lists)[number] } | undefined
  for (const { start, end } of splitLines(text)) {
    const line = text.slice(start, Math.min(end, start + 2000))
    const words = line.trim()
    if (words === '') continue
    const indent = line.length - line.trimStart().length
    if (open !== undefined && indent <= open.indent) open = undefined
    if (open === undefined) {
      if (!words.startsWith('.. toctree::')) continue
      open = { indent, list: { caption: undefined, glob: false, names: [] } }
      lists.push(open.list)
      continue
    }
    const { list } = open
    const [, option, value = ''] = /^:(\w{1,50}):([^]*)$/.exec(words) ?? []
    if (option === 'caption') list.caption = value.trim()
    if (option === 'glob') list.glob = true
    if (option === undefined) list.names.push(namedEntry(words))
  }
  return lists
}

/** `Label <name>` or a name alone. */
function namedEntry(text: string): ListedNames['names'][number] {
  const at = text.endsWith('>') ? text.lastIndexOf('<') : -1
  return at === -1
    ? { name: text, label: undefined }
    : { name: text.slice(at + 1, -1).trim(), label: text.slice(0, at).trim() }
}
