import { answerTasks } from '../../../lib/threads/answer-tasks.ts'
import { colourCode } from './colour-code.ts'
import { withHome } from './home-page.ts'
import { printMarkdown } from './print-markdown.ts'
import { readingColours, type MarkdownThread } from './read-markdown.ts'
import { toPlacedTree } from './to-tree.ts'
import type { Tree } from './tree.ts'

/** Characters of the tree as JSON: what is larger would be a page that no browser shows. */
const mostCharacters = 3_000_000

answerTasks<MarkdownThread>(
  async ({ markdown, mdx, images = false, isPage = false, coloured, printed }, owner) => {
    try {
      const components = printed.form === 'parts' ? 'marked' : 'built'
      const tree = toPlacedTree(isPage ? withHome(markdown) : markdown, mdx, { images, components })?.tree
      if (tree === undefined) return undefined
      const plain = written(tree)
      if (plain === undefined) return undefined
      if (coloured && (printed.form === 'page' || printed.form === 'text')) {
        owner.reading(readingColours)
        await colourCode(tree)
        owner.reading(undefined)
      }
      const printable = written(tree) === undefined ? (JSON.parse(plain) as Tree) : tree
      return await printMarkdown(printable, printed, (addresses) => owner.ask(addresses))
    } catch {
      // Nested deeper than the stack allows: the page is shown as its source.
      return undefined
    }
  },
)

function written(tree: Tree): string | undefined {
  const text = JSON.stringify(tree, (name, value: unknown) => (name === 'position' ? undefined : value))
  return text.length <= mostCharacters ? text : undefined
}
