import { eachNode, type Script } from '../../code-config/parse-script.ts'
import {
  namesOf,
  objectsOf,
  type Resolver,
  textOf,
  type Value,
  propertyOf,
} from '../../code-config/resolve.ts'
import {
  createWalk,
  type ReadItem,
  type Sidebar,
  textProperty,
  topPlace,
  type Walk,
} from '../../code-config/sidebar.ts'
import { type CodeFormat, endWithSlashLike } from '../../code-config/read-navigation.ts'
import { outerSlashes } from '../../text/paths.ts'

/** Navigation among the options of the Starlight integration, and the redirects of Astro. */
export const starlightCode: CodeFormat = {
  framework: 'starlight',
  readConfig: (resolver, script) => {
    const sidebar = readStarlightSidebar(resolver, script)
    return { sidebars: sidebar === undefined ? [] : [sidebar], redirects: redirectsIn(resolver, script) }
  },
  ownAddress: ({ slug }) => (typeof slug === 'string' ? slug : undefined),
  readsFrontMatter: true,
  entry: { usual: 'slug', labelKey: 'label', endLike: endWithSlashLike },
}

function redirectsIn(resolver: Resolver, script: Script): Value | undefined {
  const root = resolver.exported(script, 'default')
  for (const object of root === undefined ? [] : objectsOf(resolver, root)) {
    const value = resolver.property(object, 'redirects')
    const redirects = value && resolver.resolve(value)
    if (redirects?.node.type === 'ObjectExpression') return redirects
  }
  return undefined
}

/** The sidebar among the options of the Starlight integration; undefined without one. */
function readStarlightSidebar(resolver: Resolver, script: Script): Sidebar | undefined {
  const walk = createWalk(resolver, readItem)
  const { declared } = namesOf(script)
  let found = false
  for (const node of eachNode(script.root)) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') continue
    const meaning = declared.get(node.callee.name)
    const specifier = meaning !== undefined && 'specifier' in meaning ? meaning.specifier : undefined
    const [options] = node.arguments
    // A common plugin replaces the sidebar by a list of topics, each with items of its own.
    if (specifier === 'starlight-sidebar-topics' && options !== undefined) {
      found = true
      walk.list({ script, node: options }, topPlace)
      continue
    }
    const isIntegration =
      meaning === undefined ? node.callee.name === 'starlight' : specifier === '@astrojs/starlight'
    if (!isIntegration) continue
    for (const object of options === undefined ? [] : objectsOf(resolver, { script, node: options })) {
      const sidebar = resolver.property(object, 'sidebar')
      if (sidebar === undefined) continue
      found = true
      walk.list(sidebar, topPlace)
    }
  }
  return found ? walk.sidebar : undefined
}

const readItem: ReadItem = (walk, item, at) => {
  const { resolver, sidebar } = walk
  const { script, node } = item
  const { list, holder } = at
  const groups = list.names
  const text = textOf(node)
  if (text !== undefined) {
    sidebar.pages.push({ file: script, node, text, form: 'slug', base: '', groups, holder, list })
    return
  }
  if (node.type === 'CallExpression') {
    readCall(walk, item, at)
    return
  }
  if (node.type !== 'ObjectExpression') {
    sidebar.complete = false
    return
  }
  const label = textProperty(resolver, item, 'label')?.text
  const slug = textProperty(resolver, item, 'slug')
  const link = textProperty(resolver, item, 'link')
  const named = slug ?? link
  if (named !== undefined) {
    const form = slug === undefined ? 'link' : 'slug'
    sidebar.pages.push({ ...named, form, base: '', label, groups, holder, list })
  }
  const autogenerate = resolver.property(item, 'autogenerate')
  const folder = autogenerate && textProperty(resolver, autogenerate, 'directory')?.text
  if (folder !== undefined)
    sidebar.folders.push({
      name: folder.replace(outerSlashes, ''),
      groups: label === undefined ? groups : [...groups, label],
      at: sidebar.pages.length,
    })
  const inner = resolver.property(item, 'items')
  if (inner !== undefined)
    walk.list(inner, { ...topPlace, names: label === undefined ? list.names : [...list.names, label] })
  if (named === undefined && folder === undefined && inner === undefined) sidebar.complete = false
}

/** `group('Label', { items: [...] })`: the function's result is unknown, but the list can be read. */
function readCall(walk: Walk, { script, node }: Value, { list }: Parameters<ReadItem>[2]): void {
  walk.sidebar.complete = false
  if (node.type !== 'CallExpression') return
  const label = node.arguments.map(textOf).find((text) => text !== undefined)
  for (const argument of node.arguments) {
    const own = propertyOf(argument, 'items')
    if (own === undefined) continue
    walk.list(
      { script, node: own.value },
      { ...topPlace, names: label === undefined ? list.names : [...list.names, label] },
    )
  }
}
