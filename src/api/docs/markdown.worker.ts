import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import type { MarkdownThread } from './read-markdown.ts'
import { stripComponents } from './strip-components.ts'
import { toTree } from './to-tree.ts'

answerTasks<MarkdownThread>(({ markdown, mdx }) => {
  try {
    const tree = toTree(stripComponents(markdown, mdx))
    return tree && JSON.stringify(tree, withoutPosition)
  } catch {
    // Nested beyond the stack: shown as its source.
    return undefined
  }
})

function withoutPosition(name: string, value: unknown): unknown {
  return name === 'position' ? undefined : value
}
