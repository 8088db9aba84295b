import type { Tree } from './tree.ts'

let printer: Promise<(tree: Tree) => string> | undefined

/** Prints the tree as HTML. The printer is loaded when the first page is read. */
export async function printTree(tree: Tree): Promise<string> {
  printer ??= loadPrinter()
  return (await printer)(tree)
}

async function loadPrinter(): Promise<(tree: Tree) => string> {
  const [{ unified }, { default: rehypeStringify }] = await Promise.all([
    import('unified'),
    import('rehype-stringify'),
  ])
  const processor = unified().use(rehypeStringify)
  return (tree) => processor.stringify(tree)
}
