import { parentPort } from 'node:worker_threads'
import type { MarkdownTask } from './read-markdown.ts'
import { stripComponents } from './strip-components.ts'
import { toTree } from './to-tree.ts'

parentPort?.on('message', ({ markdown, mdx }: MarkdownTask) => {
  let tree
  try {
    tree = toTree(stripComponents(markdown, mdx))
  } catch {
    // Nested beyond the stack: shown as its source.
  }
  parentPort?.postMessage(tree)
})
