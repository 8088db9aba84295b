import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { showNotes } from './show-notes.ts'
import { become, elementsOf, textNode } from './tree.ts'
import type { Tree } from './tree.ts'

/** Characters; beyond it Markdown costs more time than a request may take. */
const maximumLength = 200_000
/** Nesting that no honest text has; the parsers below work recursively. */
const maximumNesting = 40

// Raw HTML is dropped before this; what is left cannot hold scripts, styles, classes or frames.
const schema = {
  ...defaultSchema,
  protocols: { href: ['http', 'https'] },
  // The only ids until here are those of footnotes, which have their prefix.
  clobberPrefix: '',
}

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSanitize, schema)
const printer = unified().use(rehypeStringify)

/** Markdown as a tree of safe elements, or undefined for text that is too large or too deep to read in time. */
export function toTree(markdown: string): Tree | undefined {
  if (markdown.length > maximumLength || isHostile(markdown)) return undefined
  try {
    const tree = parser.runSync(parser.parse(markdown))
    if (tree.type !== 'root') return undefined
    showImagesAsText(tree)
    showNotes(tree)
    return tree
  } catch {
    return undefined
  }
}

export function printTree(tree: Tree): string {
  return printer.stringify(tree)
}

/** Pages load nothing from elsewhere, and serve no files of the repository: the words for an image stand for it. */
function showImagesAsText(tree: Tree): void {
  for (const element of elementsOf(tree)) {
    if (element.tagName !== 'img') continue
    const alt = typeof element.properties['alt'] === 'string' ? element.properties['alt'].trim() : ''
    const shown = alt === '' ? 'Image' : `Image: ${alt}`
    become(element, 'span', { className: ['image'] }, [textNode(shown)])
  }
}

function isHostile(markdown: string): boolean {
  const nested = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*)+/gm
  for (const [markers] of markdown.matchAll(nested))
    if (markers.replaceAll(/[\s\d]/g, '').length > maximumNesting) return true
  // Runs of brackets and emphasis that never close make the inline parser quadratic.
  return /(?:\[[^\]\n]?){100}|(?:[*_~]{1,3}[^\s*_~]{0,2}){400}/.test(markdown)
}
