import type { Tree } from './tree.ts'

let printer: Promise<(tree: Tree) => string> | undefined

/** The tree as HTML. What prints is loaded with the first page that somebody reads. */
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
