import type { ReadFile } from '../../files.ts'
import { type Scalar, isAlias, isCollection, isMap, isScalar, isSeq } from 'yaml'
import { quote } from '../../../lib/text/quote.ts'
import { ToolError } from '../../../lib/tool-error.ts'
import { folderOf } from '../../text/paths.ts'
import { createPattern } from '../../text/glob.ts'
import { yamlScalar } from '../../text/yaml-scalar.ts'
import { pairOf, scalarEdit, styleOf, textOf } from '../../text/yaml-source.ts'
import type { Holder, NavigationTree, Owner, PageList, TreePage } from '../../navigation/navigation-tree.ts'
import { yamlContainer } from '../../navigation/edit-lines.ts'
import { type MkdocsConfig, readMkdocsConfig } from './configuration.ts'
import { type YamlFile, openYamlFile } from '../../navigation/yaml-file.ts'
import { mkdocsRedirects } from './redirects.ts'

export interface MkdocsList extends PageList {
  /** Whether some of its entries have titles. */
  isTitled: boolean
}

export interface MkdocsPage extends TreePage<MkdocsList> {
  path: string
  scalar: Scalar
}

export interface MkdocsNav {
  pages: readonly MkdocsPage[]
  lists: readonly MkdocsList[]
}

/** A file in which a plugin names the pages and folders beside it: `.pages`, `.nav.yml`. */
export interface FolderFile extends MkdocsNav {
  path: string
  folder: string
  /** What the folder is called. */
  title: string | undefined
  /** Whether pages that it does not name are shown as well. */
  isOpen: boolean
}

const maxDepth = 50
const maxNodes = 200_000

/** The pages and lists of the configuration's own navigation. */
export function mkdocsNav(
  { files }: MkdocsConfig,
  site: { root: string; paths: ReadonlySet<string> },
): MkdocsNav {
  const file = files.find((one) => isCollection(navOf(one)))
  return collect(file, (text) => {
    const path = `${site.root}${text.replace(/^\.?\//, '')}`
    return { path, isMissing: !site.paths.has(path) && !text.endsWith('/'), mustExist: true }
  })
}

/** Undefined for a file without a list of pages. */
function openFolderFile(
  path: string,
  text: string,
  isThere: (path: string) => boolean,
): FolderFile | undefined {
  const file = openYamlFile(path, text)
  if (file === undefined || !isSeq(navOf(file))) return undefined
  const folder = folderOf(path)
  const nav = collect(file, (name) => {
    const path = `${folder}${name.replace(/^\.\//, '')}`
    const isFolder = !name.endsWith('.md') && isThere(`${path.replace(/(?<!\/)\/+$/, '')}/`)
    return { path, isMissing: !isThere(path) && !isThere(`${path}/`), mustExist: !isRest(name) && !isFolder }
  })
  const isOpen = file.settings['append_unmatched'] === true || nav.pages.some(({ text }) => isRest(text))
  const { title } = file.settings
  return { path, folder, title: typeof title === 'string' ? title : undefined, isOpen, ...nav }
}

/** The `nav` of `mkdocs.yml`, or the files of its folders; undefined where MkDocs lists the folders itself. */
export async function mkdocsTree(
  read: ReadFile,
  {
    config,
    folderFiles,
    root,
    paths,
  }: { config: string; folderFiles: readonly string[]; root: string; paths: ReadonlySet<string> },
): Promise<NavigationTree<MkdocsPage, MkdocsList> | undefined> {
  const source = await readMkdocsConfig(read, config)
  const [broken] = source.broken
  if (broken !== undefined)
    throw new ToolError('unreadable', `${quote(broken)} is not valid YAML: repair it first`)
  const nav = mkdocsNav(source, { root, paths })
  const redirects = mkdocsRedirects(source.files, root)
  const folders = nav.pages.length > 0 ? [] : await openFolderFiles(read, { files: folderFiles, paths })
  if (nav.pages.length === 0 && folders.length === 0 && redirects === undefined) return undefined
  const isInFolders = folders.length > 0
  const { pages, lists } = isInFolders
    ? { pages: folders.flatMap((file) => file.pages), lists: folders.flatMap((file) => file.lists) }
    : nav
  return {
    pages,
    lists,
    redirects,
    scopeOf: (path, isPlaced) => {
      if (!isInFolders)
        return lists.length > 0
          ? nav
          : 'The navigation is made from the folders: a new page is included automatically'
      const file = governing(folders, path)
      if (file === undefined || (!isPlaced && isShownBy(file, path)))
        return `The folder of ${quote(path)} shows all of its pages: a new page is added automatically`
      const hasSiblings = file.pages.some((page) => folderOf(page.path) === folderOf(path))
      return { ...file, usual: folderOf(path) !== file.folder && hasSiblings ? undefined : file.lists[0] }
    },
    rename: (page, { path, from = '' }) => {
      if (!isInFolders) return [scalarEdit(page.scalar, path.slice(root.length))]
      const folder = folderOf(page.file.path)
      const isNested = page.text.replace(/^\.\//, '').includes('/')
      if (!path.startsWith(folder) || (!isNested && folderOf(path) !== folderOf(from))) return undefined
      // A file of its own, nearer to the page, has the entries of its folder.
      if (isNested && governing(folders, path)?.path !== page.file.path) return undefined
      return [scalarEdit(page.scalar, path.slice(folder.length))]
    },
    entry: ({ path, title }, { list, like }) => {
      const { file, layout, children } = list.container
      if (children.length === 0)
        throw new ToolError('unreadable', 'The navigation has an empty group: add the page with edit_file')
      const style = like === undefined ? 'plain' : styleOf(like.scalar)
      const text = yamlScalar(path.slice(isInFolders ? folderOf(file.path).length : root.length), style)
      const titled = title !== undefined && list.isTitled ? `${yamlScalar(title)}: ${text}` : text
      return () => (layout === 'brackets' && titled !== text ? `{${titled}}` : titled)
    },
    addressKey: (url) => url,
  }
}

/** The file that says how the folder of a page is shown: that of the folder, or of the nearest one above it. */
export function governing(files: readonly FolderFile[], path: string): FolderFile | undefined {
  const above = files.filter(({ folder }) => path.startsWith(folder))
  return above.reduce<FolderFile | undefined>(
    (best, file) => (best === undefined || file.folder.length > best.folder.length ? file : best),
    undefined,
  )
}

/** Whether a file shows a page that it does not name itself: by a pattern, or with one of the page's folders. */
export function isShownBy(file: FolderFile, path: string): boolean {
  if (folderOf(path) === file.folder) return file.isOpen
  const names = file.pages.map(({ text }) => text.replace(/^\.\//, '').replace(/\/$/, ''))
  const inside = path.slice(file.folder.length)
  const isNamed = names.some(
    (name) => inside.startsWith(`${name}/`) || (/[*?]/.test(name) && createPattern(name)(inside)),
  )
  // With pages of the same folder beside it, it would stand there too.
  const hasSiblings = file.pages.some((page) => page.path !== path && folderOf(page.path) === folderOf(path))
  return isNamed || (file.isOpen && !hasSiblings)
}

export async function openFolderFiles(
  read: ReadFile,
  { files, paths }: { files: readonly string[]; paths: ReadonlySet<string> },
): Promise<FolderFile[]> {
  const isThere = thereIn(paths)
  const opened: FolderFile[] = []
  for (const path of files) {
    const text = await read(path)
    const file = text === undefined ? undefined : openFolderFile(path, text, isThere)
    if (file !== undefined) opened.push(file)
  }
  return opened
}

/** Tells whether a file or, with a slash at the end, a folder is there. */
function thereIn(paths: ReadonlySet<string>): (path: string) => boolean {
  const folders = new Set<string>()
  for (const path of paths)
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      folders.add(path.slice(0, at + 1))
  return (path) => paths.has(path) || folders.has(path)
}

/** `...` and patterns stand for the pages that the file does not name. */
export function isRest(name: string): boolean {
  return /^\.\.\.|[*?]/.test(name)
}

/** The groups and the entry that a node is part of. */
interface Within {
  names: readonly string[]
  /** Undefined in a map that is no entry of a list: its pages are read and cannot be removed. */
  entry: { holder: Holder; list: MkdocsList } | undefined
}

/** The pages and groups of a file's navigation, in its order. */
function collect(
  file: YamlFile | undefined,
  place: (text: string) => Pick<MkdocsPage, 'path' | 'isMissing' | 'mustExist'>,
): MkdocsNav {
  const pages: MkdocsPage[] = []
  const lists: MkdocsList[] = []
  if (file === undefined) return { pages, lists }
  let nodes = 0
  visit(file, navOf(file), undefined, { names: [], entry: undefined }, 0)
  return { pages, lists }

  function visit(
    file: YamlFile,
    given: unknown,
    label: string | undefined,
    within: Within,
    depth: number,
  ): void {
    nodes += 1
    if (depth > maxDepth || nodes > maxNodes) return
    const node = isAlias(given) ? given.resolve(file.document) : given
    const { names, entry } = within
    if (isScalar(node)) addPage(file, node, label, within)
    const inner = label === undefined ? names : [...names, label]
    if (isMap(node)) {
      // An entry `Title: page.md`, or a group that is written as a map.
      const own = { names: inner, entry: label === undefined ? entry : undefined }
      for (const pair of node.items) visit(file, pair.value, textOf(pair.key), own, depth + 1)
    }
    if (!isSeq(node)) return
    const container = yamlContainer(file, node)
    const owner: Owner | undefined = entry && { holder: entry.holder, owner: entry.list.owner }
    const list = { container, names: inner, owner, isTitled: node.items.some(isMap) }
    lists.push(list)
    for (const [index, item] of node.items.entries()) {
      const child = container.children[index]
      const own = child && { holder: { container, child }, list }
      visit(file, item, undefined, { names: inner, entry: own }, depth + 1)
    }
  }

  function addPage(
    file: YamlFile,
    scalar: Scalar,
    label: string | undefined,
    { names, entry }: Within,
  ): void {
    const text = textOf(scalar)
    if (text === undefined || /^[a-z][a-z\d+.-]*:/i.test(text)) return
    const [start = 0, end = start] = scalar.range ?? []
    const written = { file, scalar, node: { start, end }, text, label, groups: names, isShort: true }
    pages.push({ ...written, holder: entry?.holder, list: entry?.list, ...place(text) })
  }
}

function navOf({ document }: YamlFile): unknown {
  const nav = pairOf(document.contents, 'nav')?.value
  return isAlias(nav) ? nav.resolve(document) : nav
}
