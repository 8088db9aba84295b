import { splitLines } from '../text/text-file.ts'
import type { NavigationTree, PageList, SourceFile, TreePage } from './navigation-tree.ts'

/** The `toctree` directives of the pages of a Sphinx site. */
export interface Toctrees {
  pages: readonly TreePage<PageList>[]
  lists: readonly ToctreeList[]
}

interface ToctreeList extends PageList {
  /** Patterns among its entries, where the directive allows them. */
  globs: readonly string[]
}

const opening = /^(\s*)(`{3,}|~{3,}|:{3,})\{toctree\}/

/** The entries of a page's directives. `resolve` gives the path of a document's name, whether it is there or not. */
export function readToctrees(
  file: SourceFile,
  resolve: (name: string) => Pick<TreePage, 'path' | 'isMissing'>,
): Toctrees {
  const pages: TreePage<PageList>[] = []
  const lists: ToctreeList[] = []
  if (!file.text.includes('{toctree}')) return { pages, lists }
  let open:
    | { fence: string; caption: string | undefined; glob: boolean; entries: number[]; start: number }
    | undefined
  const lines = splitLines(file.text)
  for (const { start, end, ending } of lines) {
    const line = file.text.slice(start, Math.min(end, start + 2000))
    const trimmed = line.trim()
    if (open === undefined) {
      const [, , fence] = opening.exec(line) ?? []
      if (fence !== undefined)
        open = { fence, caption: undefined, glob: false, entries: [], start: end + ending.length }
      continue
    }
    const { fence } = open
    if (trimmed.startsWith(fence) && [...trimmed].every((sign) => sign === fence[0])) {
      close(open)
      open = undefined
      continue
    }
    const option = /^:([\w-]+):\s*(.*)$/.exec(trimmed)
    const setting =
      option ??
      (open.entries.length === 0 ? /^(caption|glob|maxdepth|hidden|name):\s*(.*)$/.exec(trimmed) : null)
    if (setting !== null) {
      if (setting[1] === 'caption') open.caption = setting[2]
      if (setting[1] === 'glob') open.glob = setting[2] !== 'false'
    } else if (trimmed !== '' && trimmed !== '---') {
      open.entries.push(start)
      continue
    }
    if (open.entries.length === 0) open.start = end + ending.length
  }
  return { pages, lists }

  function close({ caption, glob, entries, start }: NonNullable<typeof open>): void {
    const spans = entries.map((from) => {
      const newline = file.text.indexOf('\n', from)
      const line = file.text.slice(from, newline === -1 ? file.text.length : newline)
      const at = from + line.length - line.trimStart().length
      return { start: at, end: at + line.trim().length }
    })
    const isPattern = (text: string) => glob && /[*?[]/.test(text)
    const texts = spans.map((span) => file.text.slice(span.start, span.end))
    const list: ToctreeList = {
      container: { file, start, end: start, children: spans, layout: 'lines', trailing: false },
      names: caption === undefined ? [] : [caption],
      key: caption === undefined ? file.path : undefined,
      globs: texts.filter(isPattern),
    }
    lists.push(list)
    for (const [index, text] of texts.entries()) {
      const child = spans[index]
      if (child === undefined || isPattern(text)) continue
      const named = text.endsWith('>') ? text.lastIndexOf('<') : -1
      const name = named === -1 ? text : text.slice(named + 1, -1).trim()
      if (name === 'self' || /^[a-z][a-z\d+.-]*:/i.test(name)) continue
      const at = child.start + text.lastIndexOf(name)
      pages.push({
        file,
        node: { start: at, end: at + name.length },
        text: name,
        label: named === -1 ? undefined : text.slice(0, named).trim(),
        ...resolve(name),
        mustExist: true,
        group: caption,
        isShort: named === -1,
        holder: { container: list.container, child },
        list,
      })
    }
  }
}

/** The directives of a site as they can be edited. `nameOf` is the name of a document in a file, as `like` is written. */
export function toctreeTree(
  { pages, lists }: Toctrees,
  nameOf: (path: string, from: string, like: string) => string,
  isShown: (path: string) => boolean,
): NavigationTree<TreePage<PageList>, PageList> {
  return {
    pages,
    lists,
    redirects: undefined,
    scopeOf: (path) =>
      isShown(path)
        ? 'A toctree directive names this page by a pattern: it is in the navigation by itself'
        : { pages, lists },
    rename: ({ node, text, file }, { path }) => {
      const name = nameOf(path, file.path, text)
      return name === text ? [] : [{ ...node, text: name }]
    },
    entry: ({ path }, { list, like }) => {
      const name = nameOf(path, list.container.file.path, like?.text ?? '')
      return () => name
    },
    addressKey: (url) => url,
  }
}
