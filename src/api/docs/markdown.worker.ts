import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import type { MarkdownThread } from './read-markdown.ts'
import { toTree } from './to-tree.ts'

/** Of a tree that the main thread can still print in an instant; no page that people read comes near. */
const mostCharacters = 3_000_000

answerTasks<MarkdownThread>(({ markdown, mdx }) => {
  try {
    const tree = toTree(markdown, mdx)
    const text = tree && JSON.stringify(tree, withoutPosition)
    return text !== undefined && text.length <= mostCharacters ? text : undefined
  } catch {
    // Nested beyond the stack: shown as its source.
    return undefined
  }
})

function withoutPosition(name: string, value: unknown): unknown {
  return name === 'position' ? undefined : value
}
