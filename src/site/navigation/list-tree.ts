import { ToolError } from '../../lib/tool-error.ts'
import { createFences } from '../markdown/fence.ts'
import { readLine } from '../markdown/line.ts'
import { inlineTarget } from '../markdown/inline-target.ts'
import { type Edit, splitLines } from '../text/text-file.ts'
import { liftLines } from './edit-lines.ts'
import type { NavigationTree, PageList, RedirectList, SourceFile, Span, TreePage } from './navigation-tree.ts'

/** A line that names a page, or a group of pages without a page of its own. */
interface ListLine {
  /** Entries of a greater depth are below the entries before them; 0 for those without a mark. */
  depth: number
  /** Where the entry starts in the line. */
  at: number
  /** What stands before the entry's text. */
  mark: string
  label: string
  /** The address in the line; undefined for an entry without a page. */
  target: Span | undefined
}

/** How a format writes the lines of its list. */
export interface ListFormat {
  /** The entry in a line; a text for the heading of a group; undefined for other lines. */
  read(line: string): ListLine | string | undefined
  write(mark: string, label: string, address: string): string
  /** The file that an address means; undefined for other sites. */
  resolve(address: string): string | undefined
  /** The address of a file in the style of another one. */
  addressOf(path: string, like: string): string
}

export interface ListPage extends TreePage {
  mark: string
  /** The groups and pages that it is below, outermost first; `nth` counts groups of the same heading from 0. */
  above: readonly { label: string; path: string | undefined; nth: number }[]
}

export interface ListNavigation {
  pages: readonly ListPage[]
  lists: readonly PageList[]
}

interface Entry extends ListLine {
  start: number
  end: number
  below: Entry[]
  /** Where its own line starts. */
  line: number
}

/** Reads a navigation that is a list of links in a text file: `SUMMARY.md`, `nav.adoc`. */
export function listNavigation(
  file: SourceFile,
  format: ListFormat,
  isThere: (path: string) => boolean,
): ListNavigation {
  const tops = readEntries(file.text, format)
  const pages: ListPage[] = []
  const lists: PageList[] = []
  const addList = (entries: readonly Entry[], above: ListPage['above']): void => {
    const names = above.map(({ label }) => label)
    const [start = 0, end = 0] = [entries[0]?.start, entries.at(-1)?.end]
    const children = entries.map((entry) => ({ start: entry.start, end: entry.end }))
    const list = {
      container: { file, start, end, children, layout: 'lines', trailing: false } as const,
      names,
    }
    lists.push(list)
    for (const [index, entry] of entries.entries()) visit(entry, list, { child: children[index], above })
  }
  const visit = (
    entry: Entry,
    list: PageList,
    { child, above }: { child: Span | undefined; above: ListPage['above'] },
  ): void => {
    const { target, below, label } = entry
    let path: string | undefined
    if (target !== undefined && child !== undefined) {
      const text = file.text.slice(entry.line + target.start, entry.line + target.end)
      path = format.resolve(text)
      const node = { start: entry.line + target.start, end: entry.line + target.end }
      pages.push({
        file,
        node,
        text,
        label,
        path,
        mark: entry.mark,
        above,
        isMissing: path !== undefined && !isThere(path),
        mustExist: path !== undefined,
        groups: list.names,
        isShort: true,
        holder: { container: list.container, child },
        list,
        lift: below.length === 0 ? undefined : () => lift(file.text, entry),
      })
    }
    if (below.length > 0) addList(below, [...above, { label, path, nth: 0 }])
  }
  for (const { entries, group } of tops) addList(entries, group === undefined ? [] : [group])
  return { pages, lists }
}

/** The navigation as it can be edited; `formatOf` gives the format of each of its files. */
export function listTree(
  { pages, lists }: ListNavigation,
  formatOf: (file: string) => ListFormat,
  redirects: RedirectList | undefined,
): NavigationTree<ListPage, PageList> {
  return {
    pages,
    lists,
    redirects,
    scopeOf: () =>
      lists.length > 0 ? { pages, lists } : 'The navigation has no list that a page can be added to',
    rename: ({ file, node, text }, { path }) => {
      const address = formatOf(file.path).addressOf(path, text)
      return address === text ? [] : [{ ...node, text: address }]
    },
    entry: ({ path, title }, { list, like }) => {
      const mark = like?.mark ?? pages.find((page) => page.list === list)?.mark
      if (mark === undefined)
        throw new ToolError(
          'unreadable',
          'The navigation has a group without pages: add the page with edit_file',
        )
      const format = formatOf(list.container.file.path)
      return () => format.write(mark, title ?? nameOf(path), format.addressOf(path, plain(like?.text)))
    },
    addressKey: (url) => url,
  }
}

/** Without a fragment, which is that of another page. */
function plain(address = ''): string {
  return address.replace(/[?#].*$/s, '')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
}

interface Top {
  entries: Entry[]
  group: ListPage['above'][number] | undefined
}

function readEntries(text: string, format: ListFormat): Top[] {
  const tops: Top[] = []
  const headings = new Map<string, number>()
  let open: Entry[] = []
  let group: Top['group']
  const fences = createFences()
  let inComment = false
  for (const { start, end } of splitLines(text)) {
    const line = text.slice(start, Math.min(end, start + 5000))
    if (inComment) {
      inComment = !line.includes('-->')
      continue
    }
    if (fences.holds(readLine(line))) continue
    inComment = line.includes('<!--') && !line.includes('-->')
    const item = inComment ? undefined : format.read(line)
    if (item === undefined) {
      if (/^(?:---+|\*\*\*+|___+)\s*$/.test(line)) open = []
      continue
    }
    if (typeof item === 'string') {
      const nth = headings.get(item) ?? 0
      headings.set(item, nth + 1)
      group = item === '' ? undefined : { label: item, path: undefined, nth }
      open = []
      tops.push({ entries: [], group })
      continue
    }
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= item.depth) open.pop()
    const parent = open.at(-1)
    const entry: Entry = { ...item, line: start, start: start + item.at, end, below: [] }
    for (const above of open) above.end = end
    if (parent !== undefined) parent.below.push(entry)
    else {
      const last = tops.at(-1)
      const kind = last?.entries[0]?.depth === 0
      if (last === undefined || (last.entries.length > 0 && kind !== (item.depth === 0)))
        tops.push({ entries: [entry], group })
      else last.entries.push(entry)
    }
    if (item.depth > 0) open.push(entry)
  }
  return tops.filter(({ entries }) => entries.length > 0)
}

function lift(text: string, entry: Entry): Edit[] {
  const [first] = entry.below
  if (first === undefined) return []
  if (entry.mark.trim() === first.mark.trim())
    return liftLines(text, { start: entry.start, end: entry.end }, { start: first.start, end: entry.end })
  // The number of signs in the mark is the depth.
  const steps = first.mark.trim().length - entry.mark.trim().length
  const shorter = (one: Entry): Edit[] => [
    { start: one.start, end: one.start + steps, text: '' },
    ...one.below.flatMap(shorter),
  ]
  return [{ start: entry.line, end: first.line, text: '' }, ...entry.below.flatMap(shorter)]
}

/** Columns; entries that are indented deeper are beside each other. */
const maxDepth = 200
const bullet = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)/

/** A line of `SUMMARY.md`: a heading, `- [Title](path.md)`, or, in mdBook, `[Title](path.md)` alone. */
export function readSummaryLine(line: string): ListLine | string | undefined {
  const [signs] = /^#{1,6}[ \t]/.exec(line) ?? []
  if (signs !== undefined) {
    const heading = line.slice(signs.length)
    const [plain = ''] = heading.split('<a ', 1)
    const label = plain.trim()
    return /^(?:summary|table of contents|contents)$/i.test(label) ? '' : label
  }
  const [, indent = '', mark = ''] = bullet.exec(line) ?? []
  const at = indent.length + mark.length
  const rest = line.slice(at)
  const depth = mark === '' ? 0 : Math.min(maxDepth, 1 + columns(indent))
  if (!rest.startsWith('[')) {
    const label = rest.trim()
    return mark === '' || label === ''
      ? undefined
      : { depth, at: indent.length, mark, label, target: undefined }
  }
  const close = rest.indexOf('](')
  const target = close === -1 ? undefined : inlineTarget(line, at + close + 1)
  if (target === undefined) return undefined
  const label = rest.slice(1, close).replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  const isEmpty = target.start === target.stop
  return {
    depth,
    at: indent.length,
    mark,
    label,
    target: isEmpty ? undefined : { start: target.start, end: target.stop },
  }
}

function columns(indent: string): number {
  return indent.length + 3 * (indent.split('\t').length - 1)
}

/** Writes a line of `SUMMARY.md`. */
export function writeSummaryLine(mark: string, label: string, address: string): string {
  return `${mark}[${label.replace(/[[\]\\]/g, '\\$&')}](${address})`
}
