import type { ObjectSource } from '../navigation/edit-container.ts'
import type { Container, Holder, NamedPage, PageList } from '../navigation/navigation-tree.ts'
import type { AnyNode, ArrayExpression, ObjectExpression } from 'acorn'
import type { Script } from './parse-script.ts'
import { type Resolver, type Value, isInside, textOf, keyOf } from './resolve.ts'

/** A text of the configuration that names a page. */
export interface CodeName extends NamedPage<CodeList> {
  file: Script
  /** The literal. */
  node: AnyNode
  form: 'id' | 'slug' | 'link'
  /** The prefix of a link's text. */
  base: string
  holder: CodeHolder | undefined
}

export interface CodeHolder extends Holder {
  child: AnyNode
}

export interface CodeList extends PageList {
  base: string
}

/** A part of a file that the agent may change: the text of an entry, entries, groups. */
export interface Region {
  file: Script
  node: AnyNode
  kind: 'items' | 'redirects' | 'address'
}

/** The pages and lists of one sidebar. */
export interface Sidebar {
  pages: CodeName[]
  lists: CodeList[]
  /** Folders whose pages are all in it. */
  folders: MadeFolder[]
  /** False where code may add entries that cannot be read. */
  complete: boolean
  regions: Region[]
}

interface MadeFolder {
  /** Without a slash at the end; `''` for the whole site. */
  name: string
  /** The groups that the pages stand in. */
  groups: readonly string[]
  /** How many of the sidebar's pages come before them. */
  at: number
}

/** What a list inherits from the group that it is in. */
export type Place = Pick<CodeList, 'names' | 'key' | 'base' | 'owner'>

export const topPlace: Place = { names: [], key: undefined, base: '', owner: undefined }

const maxDepth = 40
const maxItems = 50_000

export interface Walk {
  sidebar: Sidebar
  resolver: Resolver
  /** Reads a list and those that are spread into it. */
  list(value: Value | undefined, place: Place): void
  object(value: Value<ObjectExpression>): void
}

/** Reads one element of a list. */
export type ReadItem = (walk: Walk, item: Value, at: { list: CodeList; holder: CodeHolder }) => void

export function createWalk(resolver: Resolver, readItem: ReadItem): Walk {
  const sidebar: Sidebar = { pages: [], lists: [], folders: [], complete: true, regions: [] }
  const open: AnyNode[] = []
  let items = 0
  const walk: Walk = {
    sidebar,
    resolver,
    object: ({ script, node, changed }) => {
      if (changed === true) sidebar.complete = false
      sidebar.regions.push({ file: script, node, kind: 'items' })
    },
    list: (given, place) => {
      const value = given && resolver.resolve(unfiltered(resolver.resolve(given)))
      if (value?.node.type !== 'ArrayExpression' || open.length > maxDepth || open.includes(value.node)) {
        sidebar.complete = false
        return
      }
      const { script, node } = value
      if (value.changed === true) sidebar.complete = false
      const container = containerOf(script, node)
      const list: CodeList = { container, ...place }
      sidebar.lists.push(list)
      sidebar.regions.push({ file: script, node, kind: 'items' })
      open.push(node)
      for (const child of node.elements) {
        items += 1
        if (child === null || items > maxItems) sidebar.complete = false
        else if (child.type === 'SpreadElement')
          walk.list({ script, node: child.argument }, { ...place, owner: undefined })
        else {
          const item = resolver.resolve({ script, node: child })
          // An entry that another part of the code defines may be changed there.
          if (item.node !== child && item.node.type === 'ObjectExpression')
            sidebar.regions.push({ file: item.script, node: item.node, kind: 'items' })
          readItem(walk, item, { list, holder: { container, child } })
        }
      }
      open.pop()
    },
  }
  return walk
}

export function containerOf(file: Script, node: ArrayExpression | ObjectExpression): Container {
  const children =
    node.type === 'ArrayExpression' ? node.elements.filter((child) => child !== null) : node.properties
  const { start, end } = node
  return { file, start, end, children, layout: 'brackets', trailing: !file.path.endsWith('.json') }
}

/** An object as it is written; undefined for any other value. */
export function objectSource(text: string, node: AnyNode): ObjectSource | undefined {
  if (node.type !== 'ObjectExpression') return undefined
  const properties = node.properties.map((property) => {
    const { start, end } = property
    if (property.type !== 'Property' || property.shorthand)
      return { start, end, name: undefined, key: property, value: property }
    return { start, end, name: keyOf(property), key: property.key, value: property.value }
  })
  return { text, start: node.start, end: node.end, properties }
}

/** `[…].filter(Boolean)` has all entries of its list. */
function unfiltered(value: Value): Value {
  const { node } = value
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return value
  const { object, property } = node.callee
  const [test] = node.arguments
  const isFilter = property.type === 'Identifier' && property.name === 'filter'
  return isFilter && test?.type === 'Identifier' && test.name === 'Boolean'
    ? { ...value, node: object }
    : value
}

/** A property's text with its literal; undefined where it is no string literal. */
export function textProperty(
  resolver: Resolver,
  value: Value,
  name: string,
): { file: Script; node: AnyNode; text: string } | undefined {
  const own = resolver.property(value, name)
  const text = textOf(own?.node)
  return own === undefined || text === undefined ? undefined : { file: own.script, node: own.node, text }
}

/** Whether a link leads to another site, or into the same page. */
export function leadsAway(text: string): boolean {
  return text === '' || /^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?)/i.test(text)
}

/** Only the outermost regions, in the order of each file, each once. */
export function outermost(regions: readonly Region[]): Region[] {
  const kept: Region[] = []
  const sorted = [...regions].sort(
    (one, other) => one.node.start - other.node.start || other.node.end - one.node.end,
  )
  const last = new Map<Script, Region>()
  for (const region of sorted) {
    const before = last.get(region.file)
    if (before !== undefined && isInside(region.node, before.node)) continue
    last.set(region.file, region)
    kept.push(region)
  }
  return kept
}
