import { ToolError } from '../../lib/tool-error.ts'
import { type Scalar, type YAMLMap, type YAMLSeq, isMap, isScalar, isSeq } from 'yaml'
import { yamlScalar } from '../text/yaml-scalar.ts'
import { endOf, pairOf, scalarEdit, startOf, styleOf, textOf } from '../text/yaml-source.ts'
import { liftLines, yamlContainer } from './edit-lines.ts'
import type { YamlFile } from './yaml-file.ts'
import type { Holder, NavigationTree, Owner, PageList, SourceFile, TreePage } from './navigation-tree.ts'

export interface TocPage extends TreePage {
  scalar: Scalar
  /** The key that names the page, and the keys of its entry in their order. */
  key: string
  keys: readonly string[]
}

export interface TocNavigation {
  pages: readonly TocPage[]
  lists: readonly PageList[]
  /** Patterns that stand for the pages they match. */
  globs: readonly string[]
}

/** How a YAML file names pages. */
export interface TocFormat {
  /** Keys of an entry that name its page. */
  keys: readonly string[]
  resolve(text: string): string | undefined
  /** The name of a page in the style of another one. */
  nameOf(page: { path: string; url: string }, like: string | undefined): string
}

const maxDepth = 50
const maxNodes = 100_000
const labelKeys = ['title', 'caption', 'label', 'name', 'text']
const globKeys = ['glob', 'pattern']

/** The pages and lists below `node`, which is the whole of a file or a part of it: `_toc.yml`, `myst.yml`, `_data/nav.yml`. */
export function tocNavigation(
  file: YamlFile,
  node: unknown,
  format: TocFormat,
  isThere: (path: string) => boolean,
): TocNavigation {
  const pages: TocPage[] = []
  const lists: PageList[] = []
  const globs: string[] = []
  let nodes = 0
  const owner = (list: PageList, holder: Holder | undefined): Owner | undefined =>
    holder && { holder, owner: list.owner }
  const visitSeq = (
    seq: YAMLSeq,
    names: readonly string[],
    above: Owner | undefined,
    depth: number,
  ): void => {
    const container = yamlContainer(file, seq)
    const list: PageList = { container, names, owner: above }
    lists.push(list)
    for (const [index, item] of seq.items.entries()) {
      const child = container.children[index]
      if (isMap(item) && child !== undefined)
        visitMap(item, { list, holder: { container, child } }, depth + 1)
    }
  }
  const visitMap = (
    map: YAMLMap,
    within: { list: PageList; holder: Holder } | undefined,
    depth: number,
    names: readonly string[] = within?.list.names ?? [],
  ): void => {
    nodes += 1
    if (depth > maxDepth || nodes > maxNodes) return
    const textAt = (keys: readonly string[]) =>
      keys.map((key) => textOf(pairOf(map, key)?.value)).find((text) => text !== undefined)
    const key = format.keys.find((one) => textOf(pairOf(map, one)?.value) !== undefined)
    const scalar = key === undefined ? undefined : pairOf(map, key)?.value
    const label = textAt(labelKeys)
    const below = map.items.flatMap(({ value }) => (isSeq(value) && value.items.some(isMap) ? [value] : []))
    const glob = textAt(globKeys)
    if (glob !== undefined) globs.push(glob)
    const text = textOf(scalar)
    if (key !== undefined && isScalar(scalar) && text !== undefined && !/^[a-z][a-z\d+.-]*:|^#/i.test(text)) {
      const path = format.resolve(text)
      const [start = 0, end = start] = scalar.range ?? []
      const [first] = below
      pages.push({
        file,
        node: { start, end },
        scalar,
        text,
        label,
        key,
        keys: map.items.flatMap(({ key: one }) => textOf(one) ?? []),
        path,
        isMissing: path !== undefined && !isThere(path),
        mustExist: path !== undefined,
        groups: names,
        isShort: label === undefined,
        holder: within?.holder,
        list: within?.list,
        lift:
          first === undefined || within === undefined
            ? undefined
            : () => lift(file, within.holder, { seqs: below, first }),
      })
    }
    const inner = label === undefined ? (text === undefined ? names : [...names, text]) : [...names, label]
    const above = within && owner(within.list, within.holder)
    // A group that has a page of its own stays without the others.
    for (const seq of below) visitSeq(seq, inner, text === undefined ? above : undefined, depth + 1)
    for (const { value, key: one } of map.items)
      if (isMap(value)) visitMap(value, undefined, depth + 1, [...inner, textOf(one) ?? ''])
  }
  if (isSeq(node)) visitSeq(node, [], undefined, 0)
  else if (isMap(node)) visitMap(node, undefined, 0)
  return { pages, lists, globs }
}

/** The navigation of one or several such files as it can be edited. */
export function tocTree(
  { pages, lists }: TocNavigation,
  format: TocFormat,
  isShown: (path: string) => boolean,
): NavigationTree<TocPage, PageList> {
  return {
    pages,
    lists,
    redirects: undefined,
    scopeOf: (path) =>
      isShown(path)
        ? 'The navigation shows all pages of this folder: a new page is included automatically'
        : { pages, lists },
    rename: ({ scalar, text }, target) => {
      const name = format.nameOf(target, text)
      return name === text ? [] : [scalarEdit(scalar, name)]
    },
    entry: ({ title, ...target }, { list, like }) => {
      const { layout, children } = list.container
      if (children.length === 0)
        throw new ToolError('unreadable', 'The navigation has an empty group: add the page with edit_file')
      const key = like?.key ?? format.keys[0] ?? 'file'
      const name = yamlScalar(format.nameOf(target, like?.text), like && styleOf(like.scalar))
      const titleKey = like?.keys.find((one) => labelKeys.includes(one))
      const named = `${key}: ${name}`
      if (titleKey === undefined || title === undefined)
        return () => (layout === 'brackets' ? `{ ${named} }` : named)
      const titled = `${titleKey}: ${yamlScalar(title)}`
      const isFirst = like?.keys.indexOf(titleKey) === 0
      const parts = isFirst ? [titled, named] : [named, titled]
      return (indent) => (layout === 'brackets' ? `{ ${parts.join(', ')} }` : parts.join(`\n${indent}  `))
    },
    addressKey: (url) => url,
  }
}

function lift(
  file: SourceFile,
  { container, child }: Holder,
  below: { seqs: readonly YAMLSeq[]; first: YAMLSeq },
) {
  if (below.seqs.length > 1 || below.first.flow === true || container.layout !== 'dashes')
    throw new ToolError(
      'unreadable',
      'The entry has pages below it: take it out with edit_file and keep them',
    )
  const { text } = file
  const dash = (start: number) => text.lastIndexOf('-', start - 1)
  const [start, end] = [dash(startOf(below.first.items[0])), endOf(below.first)]
  return liftLines(text, { start: dash(child.start), end: child.end }, { start, end })
}
