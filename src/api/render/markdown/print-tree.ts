import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import type { Tree } from './tree.ts'

const printer = unified().use(rehypeStringify).freeze()

/** Prints the tree as HTML. */
export function printTree(tree: Tree): string {
  return printer.stringify(tree)
}
