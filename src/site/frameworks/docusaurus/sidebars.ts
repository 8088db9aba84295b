import type { AnyNode, ObjectExpression } from 'acorn'
import { eachNode, type Script } from '../../code-config/parse-script.ts'
import { type CodeFormat, endWithSlashLike } from '../../code-config/read-navigation.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import {
  keyOf,
  type Resolver,
  specifierOf,
  textOf,
  type Value,
  propertyOf,
} from '../../code-config/resolve.ts'
import {
  containerOf,
  createWalk,
  type CodeHolder,
  leadsAway,
  type CodeName,
  type Place,
  type ReadItem,
  type Sidebar,
  textProperty,
  topPlace,
  type Walk,
} from '../../code-config/sidebar.ts'
import { markdownEnding } from '../../text/markup.ts'
import { pathEnds } from '../../text/paths.ts'

interface DocusaurusConfig {
  /** The file of sidebars of each docs plugin, relative to the configuration; undefined for `false`. */
  sidebarPaths: { plugin: string; path: string | undefined }[]
  /** Pages that the top bar and the footer name, with the docs plugin that has the page. */
  links: { plugin: string; page: CodeName }[]
  /** The list of the redirects plugin. */
  redirects: Value | undefined
}

/** Navigation in the files of sidebars and in the top bar, and the list of the redirects plugin. */
export const docusaurusCode: CodeFormat = {
  framework: 'docusaurus',
  readConfig: (resolver, script) => ({ sidebars: [], ...readDocusaurusConfig(resolver, script) }),
  readSidebars: readDocusaurusSidebars,
  idOf: docusaurusId,
  readsFrontMatter: true,
  entry: { usual: 'id', labelKey: 'label', endLike: endWithSlashLike },
}

export const defaultPlugin = 'default'
const redirectsPlugin = /^(?:@docusaurus\/plugin-)?client-redirects$/

export function readDocusaurusConfig(resolver: Resolver, script: Script): DocusaurusConfig {
  const config: DocusaurusConfig = { sidebarPaths: [], links: [], redirects: undefined }
  for (const node of eachNode(script.root)) {
    if (node.type === 'ObjectExpression') {
      const path = propertyOf(node, 'sidebarPath')?.value
      const plugin = textOf(propertyOf(node, 'id')?.value) ?? defaultPlugin
      if (path !== undefined) config.sidebarPaths.push({ plugin, path: pathIn(path) })
    } else if (node.type === 'ArrayExpression') {
      config.redirects ??= redirectList(resolver, script, node.elements)
    } else if (node.type === 'Property' && keyOf(node) === 'themeConfig') {
      const theme = resolver.resolve({ script, node: node.value })
      readLinks(theme, config)
    }
  }
  return config
}

/** The path in `'./sidebars.js'`, `require.resolve('./sidebars')` and `path.join(__dirname, 'sidebars.json')`. */
function pathIn(node: AnyNode): string | undefined {
  const texts = [...eachNode(node)].flatMap((one) => textOf(one) ?? [])
  return texts.find((text) => /sidebar/i.test(text)) ?? texts.find((text) => /[./]/.test(text))
}

function readLinks({ script, node: theme }: Value, config: DocusaurusConfig): void {
  for (const node of eachNode(theme)) {
    if (node.type !== 'ObjectExpression') continue
    const label = textOf(propertyOf(node, 'label')?.value)
    const plugin = textOf(propertyOf(node, 'docsPluginId')?.value) ?? defaultPlugin
    for (const key of ['docId', 'to', 'href']) {
      const named = propertyOf(node, key)?.value
      const text = textOf(named)
      if (named === undefined || text === undefined || leadsAway(text)) continue
      const form = key === 'docId' ? 'id' : 'link'
      const plain = { base: '', label, groups: [], holder: undefined, list: undefined }
      config.links.push({ plugin, page: { file: script, node: named, text, form, ...plain } })
    }
  }
}

function redirectList(
  resolver: Resolver,
  script: Script,
  [name, options]: readonly (AnyNode | null)[],
): Value | undefined {
  const named = textOf(name ?? undefined) ?? specifierOf(name) ?? resolvedName(name)
  if (named === undefined || !redirectsPlugin.test(named) || !options) return undefined
  const value = resolver.property({ script, node: options }, 'redirects')
  const list = value && resolver.resolve(value)
  return list?.node.type === 'ArrayExpression' ? list : undefined
}

// `require.resolve('…')`
function resolvedName(node: AnyNode | null | undefined): string | undefined {
  return node?.type === 'CallExpression' ? textOf(node.arguments[0]) : undefined
}

/** All sidebars that a `sidebars` file exports. */
function readDocusaurusSidebars(resolver: Resolver, script: Script): Sidebar {
  const walk = createWalk(resolver, readItem)
  const root = resolver.exported(script, 'default') ?? resolver.exported(script, 'sidebars')
  if (root?.node.type !== 'ObjectExpression') walk.sidebar.complete = false
  if (root?.node.type === 'ObjectExpression') {
    walk.object({ ...root, node: root.node })
    categories(walk, { script: root.script, node: root.node }, (key) => ({ ...topPlace, key }))
  }
  return walk.sidebar
}

/** Reads the shorthand `{ 'Name': [...] }`, which can be nested. */
function categories(
  walk: Walk,
  { script, node }: Value<ObjectExpression>,
  placeOf: (name: string, holder: CodeHolder) => Place,
): void {
  const container = containerOf(script, node)
  for (const property of node.properties) {
    const name = property.type === 'Property' && property.kind === 'init' ? keyOf(property) : undefined
    if (property.type !== 'Property' || name === undefined) {
      const spread = property.type === 'SpreadElement' ? property.argument : undefined
      const value = spread && walk.resolver.resolve({ script, node: spread })
      if (value?.node.type === 'ObjectExpression') {
        walk.object({ ...value, node: value.node })
        categories(walk, { script: value.script, node: value.node }, placeOf)
      } else walk.sidebar.complete = false
      continue
    }
    const place = placeOf(name, { container, child: property })
    items(walk, { script, node: property.value }, place)
  }
}

function items(walk: Walk, given: Value, place: Place): void {
  const value = walk.resolver.resolve(given)
  const { script, node } = value
  if (node.type !== 'ObjectExpression' || place.names.length > 20) {
    walk.list(value, place)
    return
  }
  walk.object({ ...value, node })
  categories(walk, { script, node }, (name, holder) => inner(place, name, holder, node))
}

// When the only property of a shorthand is removed, its object is removed too, because it would be empty.
function inner(place: Place, name: string, holder: CodeHolder, object: ObjectExpression): Place {
  const alone = object.properties.length === 1 ? place.owner : undefined
  return { ...place, names: [...place.names, name], owner: alone ?? { holder, owner: undefined } }
}

const readItem: ReadItem = (walk, item, { list, holder }) => {
  const { resolver, sidebar } = walk
  const { script, node } = item
  const groups = list.names
  const text = textOf(node)
  if (text !== undefined) {
    sidebar.pages.push({ file: script, node, text, form: 'id', base: '', groups, holder, list })
    return
  }
  if (node.type !== 'ObjectExpression') {
    sidebar.complete = false
    return
  }
  const type = textProperty(resolver, item, 'type')?.text
  const label = textProperty(resolver, item, 'label')?.text
  const { names, key, base } = list
  if (type === undefined) {
    if (resolver.property(item, 'type') !== undefined) sidebar.complete = false
    categories(walk, { script, node }, (name, own) =>
      inner({ names, key, base, owner: { holder, owner: list.owner } }, name, own, node),
    )
  } else if (type === 'doc' || type === 'ref') {
    const id = textProperty(resolver, item, 'id')
    if (id === undefined) sidebar.complete = false
    else sidebar.pages.push({ ...id, form: 'id', base: '', label, groups, holder, list })
  } else if (type === 'link') {
    const href = textProperty(resolver, item, 'href')
    if (href !== undefined)
      sidebar.pages.push({ ...href, form: 'link', base: '', label, groups, holder, list })
  } else if (type === 'autogenerated') {
    const folder = textProperty(resolver, item, 'dirName')
    if (folder === undefined) sidebar.complete = false
    else
      sidebar.folders.push({
        name: folder.text.replace(pathEnds, '').replace(/^\.$/, ''),
        groups,
        at: sidebar.pages.length,
      })
  } else if (type === 'category') {
    const link = resolver.property(item, 'link')
    readLink(walk, { item: { script, node }, link, label, names })
    const owner = link === undefined ? { holder, owner: list.owner } : undefined
    const value = resolver.property(item, 'items')
    const place = { names: label === undefined ? names : [...names, label], key, base, owner }
    if (value === undefined) sidebar.complete = false
    else items(walk, value, place)
  }
}

/** The page that a category itself leads to. */
function readLink(
  walk: Walk,
  {
    item,
    link,
    label,
    names,
  }: {
    item: Value<ObjectExpression>
    link: Value | undefined
    label: string | undefined
    names: readonly string[]
  },
): void {
  const value = link && walk.resolver.resolve(link)
  const id = value && textProperty(walk.resolver, value, 'id')
  if (value === undefined || id === undefined) return
  if (textProperty(walk.resolver, value, 'type')?.text !== 'doc') return
  const own = propertyOf(item.node, 'link')
  const holder = own && { container: containerOf(item.script, item.node), child: own }
  const groups = label === undefined ? names : [...names, label]
  walk.sidebar.pages.push({ ...id, form: 'id', base: '', label, groups, holder, list: undefined })
}

/** `intro` for `01-intro`; numbers that look like a date or a version stay. */
export function withoutNumber(name: string): string {
  if (/^\d+[-_.]\d/.test(name)) return name
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name
}

/** How a sidebar names a page: `inside` is its path in the docs folder. */
function docusaurusId(
  inside: string,
  data: FrontMatterData,
  { withNumbers = false }: { withNumbers?: boolean } = {},
): string {
  const parts = inside.replace(markdownEnding, '').split('/')
  const clean = withNumbers || data['parse_number_prefixes'] === false ? parts : parts.map(withoutNumber)
  const own = data['id']
  return typeof own === 'string' && own !== '' ? [...clean.slice(0, -1), own].join('/') : clean.join('/')
}
