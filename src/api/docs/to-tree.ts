import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { showNotes } from './show-notes.ts'
import { become, elementsOf, textNode } from './tree.ts'
import type { Tree } from './tree.ts'

/** Nesting that no honest text has; what comes after works recursively. */
const maximumDepth = 100

// Raw HTML is dropped before this; what is left cannot hold scripts, styles, classes or frames.
const schema = {
  ...defaultSchema,
  protocols: { href: ['http', 'https'] },
  // The only ids until here are those of footnotes, which have their prefix.
  clobberPrefix: '',
}

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSanitize, schema)

/** Markdown as a tree of safe elements; undefined when it is nested too deeply. Takes long on hostile text. */
export function toTree(markdown: string): Tree | undefined {
  if (markersNestTooDeep(markdown)) return undefined
  const tree = parser.runSync(parser.parse(markdown))
  if (tree.type !== 'root' || depthOf(tree) > maximumDepth) return undefined
  showImagesAsText(tree)
  showNotes(tree)
  return tree
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

// Before parsing, where each level of quotations and lists costs a pass over the line.
function markersNestTooDeep(markdown: string): boolean {
  for (const [markers] of markdown.matchAll(/^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*)+/gm))
    if (markers.replaceAll(/[\s\d]/g, '').length > maximumDepth && /[>\s]/.test(markers)) return true
  return false
}

function depthOf(tree: Tree): number {
  let level: Tree['children'] = tree.children
  let depth = 0
  while (level.length > 0) {
    depth++
    level = level.flatMap((node) => (node.type === 'element' ? node.children : []))
  }
  return depth
}
