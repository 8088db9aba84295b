import { answerTasks } from '../../../lib/threads/answer-tasks.ts'
import type { MarkdownThread } from './read-markdown.ts'
import { withHome } from './home-page.ts'
import { toPlacedTree } from './to-tree.ts'

/** Characters of the tree as JSON; more would keep the main thread busy when it prints them. */
const mostCharacters = 3_000_000

answerTasks<MarkdownThread>(({ markdown, mdx, images = false, isPage = false }) => {
  try {
    const tree = toPlacedTree(isPage ? withHome(markdown) : markdown, mdx, { images })?.tree
    const text = tree && JSON.stringify(tree, withoutPosition)
    return text !== undefined && text.length <= mostCharacters ? text : undefined
  } catch {
    // Nested deeper than the stack allows: the page is shown as its source.
    return undefined
  }
})

function withoutPosition(name: string, value: unknown): unknown {
  return name === 'position' ? undefined : value
}
