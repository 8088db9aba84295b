import rehypeRaw from 'rehype-raw'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { type PageTree, readPageTree } from '../../../site/markdown/page-tree.ts'
import { buildComponents } from './build-components.ts'
import { markScheme, schemeClasses } from './colour-scheme.ts'
import { showAdmonitions } from './show-admonitions.ts'
import { hiddenElements, showComponents } from './show-components.ts'
import { showShortcodes } from './show-shortcodes.ts'
import { type Tree, type TreeElement, become, elementsOf, textNode } from './tree.ts'

/** Deeper trees are refused because the following steps are recursive. */
const maximumDepth = 100

const marks = ['dataLines', 'dataComponent', 'dataTitle', 'dataText', 'dataHref']

// A list of our own: with a `name`, an image would take the place of a function of `document`; keys and places in the order
// of the keyboard would belong to the text instead of the page.
const attributes =
  'abbr align alt checked colSpan dateTime dir headers height id lang open rowSpan scope start title vAlign value width'.split(
    ' ',
  )

const classes: [string, ...string[]] = ['className', ...schemeClasses]

// Scripts, styles, other classes, frames and event handlers are removed, and what names other files of an image than `src`.
const schema = {
  ...defaultSchema,
  tagNames: [
    ...(defaultSchema.tagNames ?? []).filter((name) => name !== 'picture' && name !== 'source'),
    'figure',
    'figcaption',
  ],
  strip: hiddenElements,
  protocols: { href: ['http', 'https'] },
  // No prefix is needed: only the ids of footnotes are kept, which already have one.
  clobberPrefix: '',
  attributes: {
    ...defaultSchema.attributes,
    '*': [...attributes, ...marks, classes],
  },
}

const converter = unified()
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize, schema)
  .freeze()

/**
 * Parses a page, or Markdown, into a tree of safe elements; undefined when it is nested too deeply. MDX that does
 * not parse is read as Markdown. This can take long on malicious text.
 */
export function toTree(body: string, mdx: boolean): Tree | undefined {
  return toPlacedTree(body, mdx, { images: false })?.tree
}

/**
 * The same, with the line of `body` that each line of the tree's positions comes from.
 * @param options.images keep images, for a caller that knows where they are
 * @param options.components leave components as elements that are only marked
 */
export function toPlacedTree(
  body: string,
  mdx: boolean,
  { images, components = 'built' }: { images: boolean; components?: 'built' | 'marked' },
): { tree: Tree; lines: readonly number[] } | undefined {
  const page = (mdx ? readAs(body, 'mdx') : undefined) ?? readAs(body, mdx ? 'loose' : 'markdown')
  if (page === undefined) return undefined
  showComponents(page.tree, page.text)
  const tree = converter.runSync(page.tree)
  if (tree.type !== 'root' || depthOf(tree) > maximumDepth) return undefined
  tree.children = tree.children.filter((child) => !isEmptyParagraph(child))
  for (const element of elementsOf(tree)) tidy(element, images)
  for (const element of elementsOf(tree)) if (element.tagName === 'blockquote') showNote(element)
  if (components === 'built') buildComponents(tree)
  return { tree, lines: page.lines }
}

const syntaxes = { mdx: 'docs-mdx', loose: 'flat-markdown', markdown: 'markdown' } as const

function readAs(
  body: string,
  reading: keyof typeof syntaxes,
): { tree: PageTree; text: string; lines: number[] } | undefined {
  const written = reading === 'mdx' ? body : showShortcodes(body)
  const { text, lines } = showAdmonitions(written, reading)
  const { tree } = readPageTree(text, syntaxes[reading])
  return tree && { tree, text, lines }
}

function tidy(element: TreeElement, images: boolean): void {
  markScheme(element)
  const { tagName, properties } = element
  const { id, alt, className } = properties
  // Other ids could collide with those of the layout. Headings get their ids from the index.
  if (typeof id === 'string' && !/^(?:user-content-fn|footnote-label$)/.test(id)) delete properties['id']
  // Pages load nothing from other sites and serve no files of the repository, so an image is replaced by its
  // alternative text.
  if (tagName === 'img' && !images) showAsText(element, typeof alt === 'string' ? alt : '')
  // The box of a task stands before its text, and is not its label.
  if (tagName === 'input') properties['ariaLabel'] = properties['checked'] === true ? 'Done' : 'Not done'
  if (Array.isArray(className) && className.length === 0) delete properties['className']
  element.children = element.children.filter((child) => !isEmptyParagraph(child))
}

/** Shows an image as its alternative text. */
export function showAsText(image: TreeElement, alt: string): void {
  const words = alt.trim()
  become(image, 'span', { className: ['image'] }, [textNode(words === '' ? 'Image' : `Image: ${words}`)])
}

function isEmptyParagraph(node: Tree['children'][number]): boolean {
  return (
    node.type === 'element' &&
    node.tagName === 'p' &&
    node.children.every((child) => child.type === 'text' && child.value.trim() === '')
  )
}

const marker = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*/

/**
 * Turns a block quote that starts with `[!NOTE]` or the like into a box. What stands behind that word on its line is the
 * title, if there is something below; without a title, the word is shown.
 */
function showNote(element: TreeElement): void {
  const first = element.children.find((child): child is TreeElement => child.type === 'element')
  const text = first?.tagName === 'p' ? first.children[0] : undefined
  const kind = text?.type === 'text' ? marker.exec(text.value)?.[1] : undefined
  if (!first || text?.type !== 'text' || kind === undefined) return
  text.value = text.value.replace(marker, '')
  const { line: title, rest } = cutLine(first.children)
  const others = element.children.filter((child) => child !== first)
  const isAlone = rest.length === 0 && others.every(({ type }) => type === 'text')
  const isTitled = title.length > 0 && !isAlone
  first.children = isAlone ? title : rest
  if (first.children.length === 0) element.children = others
  const word = kind.charAt(0) + kind.slice(1).toLowerCase()
  const label = isTitled ? [hidden(`${word}: `), ...title] : [textNode(word)]
  become(element, 'div', { className: ['note', kind.toLowerCase()], role: 'note' }, [
    {
      type: 'element',
      tagName: 'p',
      properties: { className: ['note-label'] },
      children: label,
    },
    ...element.children,
  ])
}

type Nodes = TreeElement['children']

/** The first line of a paragraph without its break, and what stands below. */
function cutLine(nodes: Nodes): { line: Nodes; rest: Nodes } {
  const at = nodes.findIndex((node) => node.type === 'text' && node.value.includes('\n'))
  const last = nodes[at]
  const [end = '', ...below] = last?.type === 'text' ? last.value.split('\n') : []
  const before = nodes.slice(0, at === -1 ? undefined : at).filter((node) => !isBreak(node))
  const after = at === -1 ? [] : [textNode(below.join('\n')), ...nodes.slice(at + 1)]
  return { line: [...before, textNode(end)].filter(isWritten), rest: after.filter(isWritten) }
}

function isWritten(node: Nodes[number]): boolean {
  return node.type !== 'text' || node.value !== ''
}

function isBreak(node: Nodes[number]): boolean {
  return node.type === 'element' && node.tagName === 'br'
}

/** For screen readers only. */
function hidden(text: string): TreeElement {
  return {
    type: 'element',
    tagName: 'span',
    properties: { className: ['hidden'] },
    children: [textNode(text)],
  }
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
