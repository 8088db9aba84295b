import { answerTasks } from '../../../lib/threads/answer-tasks.ts'
import { colourCode } from './colour-code.ts'
import { withHome } from './home-page.ts'
import { readingColours, type MarkdownThread } from './read-markdown.ts'
import { toPlacedTree } from './to-tree.ts'
import type { Tree } from './tree.ts'

/** Characters of the tree as JSON; more would keep the main thread busy when it prints them. */
const mostCharacters = 3_000_000

answerTasks<MarkdownThread>(async ({ markdown, mdx, images = false, isPage = false, coloured }, owner) => {
  try {
    const tree = toPlacedTree(isPage ? withHome(markdown) : markdown, mdx, { images })?.tree
    if (tree === undefined) return undefined
    const plain = written(tree)
    if (plain === undefined || !coloured) return plain
    owner.reading(readingColours)
    await colourCode(tree)
    return written(tree) ?? plain
  } catch {
    // Nested deeper than the stack allows: the page is shown as its source.
    return undefined
  }
})

function written(tree: Tree): string | undefined {
  const text = JSON.stringify(tree, (name, value: unknown) => (name === 'position' ? undefined : value))
  return text.length <= mostCharacters ? text : undefined
}
