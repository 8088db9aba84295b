import type { Node } from 'jsonc-parser'
import type { Site } from '../frameworks/site.ts'
import { type JsonFile, property, stringOf } from './json-file.ts'

/** A string of the configuration that names a page, and the list or object that it stands in. */
export interface PageNode {
  file: JsonFile
  node: Node
  parent: Node
  text: string
  path: string | undefined
  group: string | undefined
}

/** A list of pages with the name of what holds it. */
export interface PageList {
  file: JsonFile
  list: Node
  /** Undefined for a list that stands in something without a name. */
  name: string | undefined
}

const navigationKeys = [
  'languages',
  'versions',
  'products',
  'tabs',
  'anchors',
  'dropdowns',
  'menu',
  'groups',
  'pages',
  'global',
  'item',
  'items',
]
const nameKeys = ['group', 'tab', 'anchor', 'dropdown', 'product', 'version', 'language', 'item']
const maxDepth = 60
/** Files that bring each other many times over are otherwise without end. */
const maxNodes = 200_000

/** Every place of the navigation that names a page, in all its shapes; undefined when there is no navigation. */
export function collectPages(
  files: ReadonlyMap<string, JsonFile>,
  main: JsonFile,
  { site, paths }: { site: Site; paths: ReadonlySet<string> },
) {
  const pages: PageNode[] = []
  const lists: PageList[] = []
  const follow = (file: JsonFile, node: Node): { file: JsonFile; node: Node } | undefined => {
    const reference = stringOf(property(node, '$ref'))
    const target = reference === undefined ? undefined : files.get(targetOf(reference, file.path, main.path))
    return target === undefined ? undefined : { file: target, node: target.root }
  }
  const open = new Set([main])
  let nodes = 0
  const walk = (
    file: JsonFile,
    node: Node,
    place: { name: string | undefined; isPages: boolean },
    depth: number,
  ) => {
    nodes += 1
    if (depth > maxDepth || nodes > maxNodes) return
    const target = follow(file, node)
    if (target !== undefined && !open.has(target.file)) {
      open.add(target.file)
      walk(target.file, target.node, place, depth + 1)
      open.delete(target.file)
    }
    if (node.type === 'array') {
      if (place.isPages) lists.push({ file, list: node, name: place.name })
      for (const child of node.children ?? []) {
        const text = stringOf(child)
        if (text !== undefined && place.isPages)
          pages.push({ file, node: child, parent: node, text, path: pathOf(text), group: place.name })
        else walk(file, child, place, depth + 1)
      }
      return
    }
    if (node.type !== 'object') return
    const name = nameKeys.map((key) => stringOf(property(node, key))).find((value) => value !== undefined)
    const root = property(node, 'root')
    const rootText = stringOf(root)
    if (root?.parent !== undefined && rootText !== undefined) {
      pages.push({
        file,
        node: root,
        parent: root.parent,
        text: rootText,
        path: pathOf(rootText),
        group: name ?? place.name,
      })
    }
    for (const key of navigationKeys) {
      const child = property(node, key)
      if (child !== undefined)
        walk(file, child, { name: name ?? place.name, isPages: key === 'pages' }, depth + 1)
    }
  }
  const pathOf = (text: string): string | undefined => {
    const inside = text.replace(/^\/+/, '').replace(/\.mdx?$/, '')
    return [`${inside}.mdx`, `${inside}.md`, `${inside}/index.mdx`]
      .map((name) => `${site.root}${name}`)
      .find((path) => paths.has(path))
  }
  const navigation = property(main.root, 'navigation')
  if (navigation === undefined) return undefined
  walk(main, navigation, { name: undefined, isPages: navigation.type === 'array' }, 0)
  return { pages, lists, follow }
}

/** Where a reference leads: from the main file when it starts with a slash, else from its own file. */
function targetOf(reference: string, from: string, main: string): string {
  const base = reference.startsWith('/') ? main : from
  const parts = base.split('/').slice(0, -1)
  for (const part of reference.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
