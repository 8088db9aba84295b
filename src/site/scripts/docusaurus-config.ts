import type { AnyNode, ObjectExpression } from 'acorn'
import { eachNode } from './each-node.ts'
import { keyOf, specifierOf } from './names.ts'
import type { Script } from './parse-script.ts'
import { type Resolver, type Value, textOf } from './resolve.ts'
import { type NamedPage, leadsAway } from './sidebar.ts'

export interface DocusaurusConfig {
  /** Use of the docs plugin that names its file of sidebars, relative to the configuration; undefined where it is `false`. */
  sidebarPaths: { plugin: string; path: string | undefined }[]
  /** Pages that the bar and the footer name, with the docs plugin that an id is of. */
  links: { plugin: string; page: NamedPage }[]
  /** The list of the redirects plugin. */
  redirects: Value | undefined
}

export const defaultPlugin = 'default'
const redirectsPlugin = /^(?:@docusaurus\/plugin-)?client-redirects$/

export function readDocusaurusConfig(resolver: Resolver, script: Script): DocusaurusConfig {
  const config: DocusaurusConfig = { sidebarPaths: [], links: [], redirects: undefined }
  for (const node of eachNode(script.root)) {
    if (node.type === 'ObjectExpression') {
      const path = propertyNode(node, 'sidebarPath')
      const plugin = textOf(propertyNode(node, 'id')) ?? defaultPlugin
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
    const label = textOf(propertyNode(node, 'label'))
    const plugin = textOf(propertyNode(node, 'docsPluginId')) ?? defaultPlugin
    for (const key of ['docId', 'to', 'href']) {
      const named = propertyNode(node, key)
      const text = textOf(named)
      if (named === undefined || text === undefined || leadsAway(text)) continue
      const form = key === 'docId' ? 'id' : 'link'
      const plain = { base: '', label, group: undefined, holder: undefined, list: undefined }
      config.links.push({ plugin, page: { script, node: named, text, form, ...plain } })
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

function propertyNode(node: ObjectExpression, name: string): AnyNode | undefined {
  for (const property of node.properties)
    if (property.type === 'Property' && keyOf(property) === name) return property.value
  return undefined
}
