import type { AnyNode } from 'acorn'

/**
 * Every node of a tree, a node before what is in it; without recursion, as hostile trees are deep. What is in nodes
 * that `isClosed` names is left out.
 */
export function* eachNode(root: AnyNode, isClosed?: (node: AnyNode) => boolean): Generator<AnyNode> {
  const open: AnyNode[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node
    if (isClosed?.(node) === true) continue
    const inner: AnyNode[] = []
    for (const value of Object.values(node) as unknown[]) {
      if (Array.isArray(value)) {
        for (const one of value as unknown[]) if (isNode(one)) inner.push(one)
      } else if (isNode(value)) inner.push(value)
    }
    for (const one of inner.reverse()) open.push(one)
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
