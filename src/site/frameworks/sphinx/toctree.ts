import { markupOf } from '../../text/markup.ts'
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
  pages: readonly TreePage<ToctreeList>[]
  lists: readonly ToctreeList[]
}

interface ToctreeList extends PageList {
  /** What is written before the first entry. */
  lead: string
  /** Patterns among its entries, where the directive allows them. */
  globs: readonly string[]
}

/** A directive as it is written: where each of its entries begins, and where the first one would be. */
interface Block {
  caption: string | undefined
  glob: boolean
  entries: number[]
  start: number
  /** What is written before the first entry. */
  lead: string
}

/** Pages that Sphinx makes without a document, which entries may name since 5.2. */
const ownPages: ReadonlySet<string> = new Set(['genindex', 'modindex', 'search'])

/** The entries of a page's directives. `resolve` gives the path of a document's name, whether it is there or not. */
export function readToctrees(
  file: SourceFile,
  resolve: (name: string) => Pick<TreePage, 'path' | 'isMissing'>,
): Toctrees {
  const pages: TreePage<ToctreeList>[] = []
  const lists: ToctreeList[] = []
  for (const { caption, glob, entries, start, lead } of blocksOf(file)) {
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
      lead,
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
      const target = resolve(name)
      if (target.isMissing !== false && ownPages.has(name)) continue
      const at = child.start + text.lastIndexOf(name)
      pages.push({
        file,
        node: { start: at, end: at + name.length },
        text: name,
        label: named === -1 ? undefined : text.slice(0, named).trim(),
        ...target,
        mustExist: true,
        groups: caption === undefined ? [] : [caption],
        isShort: named === -1,
        holder: { container: list.container, child },
        list,
      })
    }
  }
  return { pages, lists }
}

function blocksOf({ path, text }: SourceFile): Block[] {
  if (!text.includes('toctree')) return []
  return markupOf(path) === undefined ? blocksInMyst(text) : blocksInRst(text)
}

/** Of fences of MyST. */
function blocksInMyst(text: string): Block[] {
  const blocks: Block[] = []
  let open: (Block & { fence: Fence }) | undefined
  let code: Fence | undefined
  /** Other directives, which may hold some. */
  const around: Fence[] = []
  for (const { start, end, ending } of splitLines(text)) {
    const line = readLine(text.slice(start, Math.min(end, start + 2000)))
    // A fence ends with the first line that can end it, whatever is open within it.
    const ended = around.findIndex((outer) => closesFence(line, outer))
    if (ended !== -1) {
      if (open !== undefined) blocks.push(open)
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
        open = { fence, caption: undefined, glob: false, entries: [], start: end + ending.length, lead: '' }
      else if (fence !== undefined && /^\{(?!code|literal|math|eval)/.test(fence.info)) around.push(fence)
      else code = fence
      continue
    }
    if (closesFence(line, open.fence)) {
      blocks.push(open)
      open = undefined
      continue
    }
    const words = line.text
    const [name, value] = optionOf(words, open.entries.length === 0)
    if (name !== undefined) {
      if (name === 'caption') open.caption = value
      if (name === 'glob') open.glob = value !== 'false'
    } else if (words !== '' && words !== '---') {
      open.entries.push(start)
      continue
    }
    if (open.entries.length === 0) open.start = end + ending.length
  }
  return blocks
}

/** Of `.. toctree::` in reStructuredText, which has the lines that stand deeper. */
function blocksInRst(text: string): Block[] {
  const blocks: Block[] = []
  let open: { indent: number; block: Block } | undefined
  for (const { start, end, ending } of splitLines(text)) {
    const line = text.slice(start, Math.min(end, start + 2000))
    const words = line.trim()
    const indent = line.length - line.trimStart().length
    if (words !== '' && open !== undefined && indent <= open.indent) open = undefined
    if (open === undefined) {
      if (!words.startsWith('.. toctree::')) continue
      const lead = `${ending}${line.slice(0, indent)}   `
      const block = { caption: undefined, glob: false, entries: [], start: end + ending.length, lead }
      open = { indent, block }
      blocks.push(block)
      continue
    }
    const { block } = open
    const [name, value] = words.startsWith(':') ? optionOf(words, block.entries.length === 0) : []
    if (name !== undefined) {
      block.start = end + ending.length
      block.lead = `${ending}${line.slice(0, indent)}`
      if (name === 'caption') block.caption = value
      if (name === 'glob') block.glob = true
    } else if (words !== '') block.entries.push(start)
  }
  return blocks
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
): NavigationTree<TreePage<ToctreeList>, ToctreeList> {
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
      return () => (list.container.children.length === 0 ? `${list.lead}${name}` : name)
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
