import { closesFence, type Fence, readFence } from '../../markdown/fence.ts'
import { type Line, readLine } from '../../markdown/line.ts'
import { folderOf } from '../../text/paths.ts'
import { splitLines } from '../../text/text-file.ts'
import type {
  NavigationTree,
  PageList,
  RedirectList,
  SourceFile,
  TreePage,
} from '../../navigation/navigation-tree.ts'

/** The `toctree` directives of the pages of a Sphinx site. */
export interface Toctrees {
  pages: readonly TreePage[]
  lists: readonly ToctreeList[]
}

export interface ToctreeList extends PageList {
  /** Patterns among its entries, where the directive allows them. */
  globs: readonly string[]
}

/** The entries of a page's directives. `resolve` gives the path of a document's name, whether it is there or not. */
export function readToctrees(
  file: SourceFile,
  resolve: (name: string) => Pick<TreePage, 'path' | 'isMissing'>,
): Toctrees {
  const pages: TreePage[] = []
  const lists: ToctreeList[] = []
  if (!file.text.includes('{toctree}')) return { pages, lists }
  let open:
    | { fence: Fence; caption: string | undefined; glob: boolean; entries: number[]; start: number }
    | undefined
  let code: Fence | undefined
  /** Other directives, which may hold some. */
  const around: Fence[] = []
  for (const { start, end, ending } of splitLines(file.text)) {
    const line = readLine(file.text.slice(start, Math.min(end, start + 2000)))
    // A fence ends with the first line that can end it, whatever is open within it.
    const ended = around.findIndex((outer) => closesFence(line, outer))
    if (ended !== -1) {
      if (open !== undefined) close(open)
      around.length = ended
      code = undefined
      open = undefined
      continue
    }
    if (code !== undefined) {
      if (closesFence(line, code)) code = undefined
      continue
    }
    if (open === undefined) {
      const fence = readDirective(line)
      if (fence?.info.startsWith('{toctree}') === true)
        open = { fence, caption: undefined, glob: false, entries: [], start: end + ending.length }
      else if (fence !== undefined && /^\{(?!code|literal|math|eval)/.test(fence.info)) around.push(fence)
      else code = fence
      continue
    }
    if (closesFence(line, open.fence)) {
      close(open)
      open = undefined
      continue
    }
    const { text } = line
    const [name, value] = optionOf(text, open.entries.length === 0)
    if (name !== undefined) {
      if (name === 'caption') open.caption = value
      if (name === 'glob') open.glob = value !== 'false'
    } else if (text !== '' && text !== '---') {
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
        groups: caption === undefined ? [] : [caption],
        isShort: named === -1,
        holder: { container: list.container, child },
        list,
      })
    }
  }
}

/** `:caption: Text`, or `caption: Text` above all entries. */
function optionOf(line: string, isAbove: boolean): [name: string, value: string] | [] {
  const marked = line.startsWith(':')
  const colon = line.indexOf(':', marked ? 1 : 0)
  const name = line.slice(marked ? 1 : 0, Math.max(colon, 0))
  if (!/^[\w-]{1,40}$/.test(name) || !(marked || (isAbove && options.has(name)))) return []
  return [name, line.slice(colon + 1).trim()]
}

const options = new Set([
  'caption',
  'glob',
  'maxdepth',
  'hidden',
  'name',
  'titlesonly',
  'numbered',
  'reversed',
])

/** The opening of code or of a directive, which may have colons for its fence. */
function readDirective(line: Line): Fence | undefined {
  const { text, indent, quotes } = line
  const length = /^:{3,}/.exec(text)?.[0].length
  if (length === undefined) return readFence(line)
  const info = text.slice(length).trim()
  return info.startsWith('{') ? { marker: ':', length, info, indent, quotes, mdx: false } : undefined
}

/** The directives of a site as they can be edited. `nameOf` is the name of a document in a file, as `like` is written. */
export function toctreeTree(
  { pages, lists }: Toctrees,
  nameOf: (path: string, from: string, like: string) => string,
  isShown: (path: string) => boolean,
  redirects?: RedirectList,
): NavigationTree<TreePage, PageList> {
  return {
    pages,
    lists,
    redirects,
    scopeOf: (path) =>
      isShown(path)
        ? 'A toctree directive names this page by a pattern: it is added automatically'
        : { pages, lists, usual: listOfFolder(path, { pages, lists }) },
    rename: ({ node, text, file }, { path }) => {
      const name = nameOf(path, file.path, text)
      return name === text ? [] : [{ ...node, text: name }]
    },
    follow: ({ node, text, path, isMissing }, to) => {
      const name = path === undefined || isMissing === true ? text : nameOf(path, to, text)
      return name === text ? [] : [{ ...node, text: name }]
    },
    entry: ({ path }, { list, like }) => {
      const name = nameOf(path, list.container.file.path, like?.text ?? '')
      return () => name
    },
    addressKey: (url) => url,
  }
}

/** The directive of the folder's index, which shows the pages of the folder: the last one that names some of them, or its last. */
function listOfFolder(path: string, { pages, lists }: Toctrees): ToctreeList | undefined {
  const folder = folderOf(path)
  const own = lists.filter(
    ({ container }) => container.file.path.replace(/\.[^./]+$/, '') === `${folder}index`,
  )
  const named = new Set(
    pages.flatMap((page) => (page.path !== undefined && folderOf(page.path) === folder ? [page.list] : [])),
  )
  return own.findLast((list) => named.has(list)) ?? own.at(-1)
}
