import { keyOf, objectsOf, type Resolver, type Value, propertyOf } from '../../code-config/resolve.ts'
import type { Script } from '../../code-config/parse-script.ts'
import type { CodeFormat } from '../../code-config/read-navigation.ts'
import {
  containerOf,
  createWalk,
  leadsAway,
  type ReadItem,
  type Sidebar,
  textProperty,
  topPlace,
  type Walk,
} from '../../code-config/sidebar.ts'

/** Navigation in the configuration of VitePress. */
export const vitepressCode: CodeFormat = {
  framework: 'vitepress',
  readConfig: (resolver, script) => ({ sidebars: [readVitepressSidebars(resolver, script)] }),
  readsFrontMatter: false,
  entry: {
    usual: 'link',
    labelKey: 'text',
    // Labels are shown as HTML.
    labelOf: (title) => title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    endLike: (address, like) => {
      const isFolder = address.endsWith('/')
      if (like.endsWith('.md')) return `${address}${isFolder ? 'index.md' : '.md'}`
      if (like.endsWith('.html')) return `${address}${isFolder ? 'index.html' : '.html'}`
      return isFolder && /(?:^|\/)index$/.test(like) ? `${address}index` : address
    },
  },
}

/** The sidebars and the links of the top bar in a VitePress configuration, of every language that it holds. */
function readVitepressSidebars(resolver: Resolver, script: Script): Sidebar {
  const walk = createWalk(resolver, readItem)
  const root = resolver.exported(script, 'default')
  for (const config of root === undefined ? [] : objectsOf(resolver, root)) {
    readTheme(walk, resolver.property(config, 'themeConfig'))
    const locales = resolver.property(config, 'locales')
    for (const locale of locales === undefined ? [] : valuesOf(walk, locales))
      readTheme(walk, resolver.property(locale, 'themeConfig'))
  }
  return walk.sidebar
}

function readTheme(walk: Walk, theme: Value | undefined): void {
  const sidebar = theme && walk.resolver.property(theme, 'sidebar')
  if (sidebar !== undefined) readSidebar(walk, sidebar)
  const nav = theme && walk.resolver.property(theme, 'nav')
  if (nav !== undefined) readBar(walk, nav, 0)
}

function readSidebar(walk: Walk, given: Value): void {
  const value = walk.resolver.resolve(given)
  const { script, node } = value
  if (node.type === 'ArrayExpression') {
    walk.list(value, topPlace)
    return
  }
  if (node.type !== 'ObjectExpression') {
    walk.sidebar.complete = false
    return
  }
  walk.object({ ...value, node })
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      readSidebar(walk, { script, node: property.argument })
      continue
    }
    const part = walk.resolver.resolve({ script, node: property.value })
    const place = { ...topPlace, key: keyOf(property) }
    if (part.node.type !== 'ObjectExpression') {
      walk.list(part, place)
      continue
    }
    walk.object({ ...part, node: part.node })
    const base = textProperty(walk.resolver, part, 'base')?.text ?? ''
    if (base === '' && walk.resolver.property(part, 'base') !== undefined) walk.sidebar.complete = false
    walk.list(walk.resolver.property(part, 'items'), { ...place, base })
  }
}

const readItem: ReadItem = (walk, item, { list, holder }) => {
  const { resolver, sidebar } = walk
  const { script, node } = item
  if (node.type !== 'ObjectExpression') {
    sidebar.complete = false
    return
  }
  const label = textProperty(resolver, item, 'text')?.text
  const base = textProperty(resolver, item, 'base')?.text ?? list.base
  const inner = resolver.property(item, 'items')
  const link = textProperty(resolver, item, 'link')
  if (link !== undefined) {
    const own = propertyOf(node, 'link')
    const place =
      inner === undefined
        ? { groups: list.names, holder, list }
        : {
            groups: label === undefined ? list.names : [...list.names, label],
            holder: own && { container: containerOf(script, node), child: own },
            list: undefined,
          }
    sidebar.pages.push({ ...link, form: 'link', base, label, ...place })
  } else if (resolver.property(item, 'link') !== undefined || node.properties.some(isSpread))
    sidebar.complete = false
  if (inner === undefined) return
  const names = label === undefined ? list.names : [...list.names, label]
  walk.list(inner, { names, key: list.key, base, owner: undefined })
}

/** Links of the top bar follow a page that moves, but are neither added nor removed. */
function readBar(walk: Walk, given: Value, depth: number): void {
  const value = walk.resolver.resolve(given)
  if (depth > 10 || value.node.type !== 'ArrayExpression') return
  for (const child of value.node.elements) {
    if (child === null) continue
    const item = walk.resolver.resolve({
      script: value.script,
      node: child.type === 'SpreadElement' ? child.argument : child,
    })
    const link = textProperty(walk.resolver, item, 'link')
    const label = textProperty(walk.resolver, item, 'text')?.text
    if (link !== undefined && !leadsAway(link.text)) {
      walk.sidebar.regions.push({ ...link, kind: 'address' })
      const plain = { base: '', groups: [], holder: undefined, list: undefined }
      walk.sidebar.pages.push({ ...link, form: 'link', label, ...plain })
    }
    const inner = walk.resolver.property(item, 'items')
    if (inner !== undefined) readBar(walk, inner, depth + 1)
  }
}

function valuesOf(walk: Walk, given: Value): Value[] {
  const { script, node } = walk.resolver.resolve(given)
  if (node.type !== 'ObjectExpression') return []
  return node.properties.flatMap((property) =>
    property.type === 'Property' ? [walk.resolver.resolve({ script, node: property.value })] : [],
  )
}

function isSpread({ type }: { type: string }): boolean {
  return type === 'SpreadElement'
}
