import type { AnyNode } from 'acorn'
import { keyOf } from './names.ts'
import { type Value, textOf } from './resolve.ts'

/** One redirect as it is written: nodes are what edits replace. */
export interface RedirectEntry {
  from: string
  fromNode: AnyNode
  /** Undefined where it is no plain text. */
  to: string | undefined
  toNode: AnyNode
  /** The whole entry; undefined where it redirects other addresses too. */
  whole: AnyNode | undefined
}

/** The plain redirects of a list of `{from, to}` or of an object from address to address. */
export function redirectEntries({ node }: Value): RedirectEntry[] {
  if (node.type === 'ArrayExpression') return node.elements.flatMap((entry) => (entry ? listed(entry) : []))
  if (node.type !== 'ObjectExpression') return []
  return node.properties.flatMap((property) => {
    const from = property.type === 'Property' ? keyOf(property) : undefined
    if (property.type !== 'Property' || from === undefined) return []
    const toNode = destinationOf(property.value)
    return [{ from, fromNode: property.key, to: textOf(toNode), toNode, whole: property }]
  })
}

function listed(entry: AnyNode): RedirectEntry[] {
  const find = (name: string): AnyNode | undefined => {
    const properties = entry.type === 'ObjectExpression' ? entry.properties : []
    for (const one of properties) if (one.type === 'Property' && keyOf(one) === name) return one.value
    return undefined
  }
  const [from, toNode] = [find('from'), find('to')]
  if (from === undefined || toNode === undefined) return []
  const sources = from.type === 'ArrayExpression' ? from.elements : [from]
  const whole = sources.length === 1 ? entry : undefined
  return sources.flatMap((source) => {
    const text = textOf(source ?? undefined)
    return source === null || text === undefined
      ? []
      : [{ from: text, fromNode: source, to: textOf(toNode), toNode, whole }]
  })
}

/** Astro takes `{ status, destination }` as well. */
function destinationOf(node: AnyNode): AnyNode {
  const properties = node.type === 'ObjectExpression' ? node.properties : []
  for (const one of properties) if (one.type === 'Property' && keyOf(one) === 'destination') return one.value
  return node
}
