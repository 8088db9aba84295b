import { findFrontMatter, readFrontMatter } from '../../../../site/markdown/front-matter.ts'
import { toPlacedTree } from '../../../../api/render/markdown/to-tree.ts'
import {
  elementsOf,
  letKeysScroll,
  textNode,
  textOf,
  type Tree,
  type TreeElement,
} from '../../../../api/render/markdown/tree.ts'

/** A block of a page: one element of the tree. */
export interface PageBlock {
  element: TreeElement
  /** Lines of the file. */
  line: number
  end: number
}

/**
 * The blocks of a page in order, the title and description of its front matter first. Items of lists are blocks of
 * their own. Undefined when the page cannot be read as a tree.
 * @param origins the line of the file that each line of the text is made of, where that is another
 */
export function pageBlocks(text: string, mdx: boolean, origins?: readonly number[]): PageBlock[] | undefined {
  const bodyStart = findFrontMatter(text)?.bodyStart ?? 0
  const above = linesIn(text.slice(0, bodyStart))
  const placed = toPlacedTree(text.slice(bodyStart), mdx, { images: true })
  if (!placed) return undefined
  const { tree, lines } = placed
  const last = lines.length
  const lineOf = (line: number): number => above + (lines[Math.min(Math.max(line, 1), last) - 1] ?? line)
  for (const element of elementsOf(tree)) {
    withoutIds(element)
    // Code wraps here.
    if (element.tagName === 'table') letKeysScroll(element)
    unfold(element)
  }
  const blocks = frontMatterBlocks(text, above)
  let reached = above + 1
  for (const element of tree.children.flatMap(itemsOf)) {
    const span = spanOf(element)
    const line = Math.max(reached, span ? lineOf(span.start) : reached)
    const end = Math.max(line, span ? lineOf(span.end) : line)
    blocks.push({ element, line, end })
    reached = line
  }
  extend(blocks, text.split('\n'))
  return origins === undefined ? blocks : placedBlocks(blocks, origins)
}

/** Blocks of a text that was made of a file, at the lines of the file. */
function placedBlocks(blocks: readonly PageBlock[], origins: readonly number[]): PageBlock[] {
  return blocks.map(({ element, line, end }) => {
    const lines = origins.slice(line - 1, end)
    const first = lines[0] ?? line
    return { element, line: first, end: Math.max(first, ...lines) }
  })
}

/** Lines directly below a block that stand in no other, such as the end of a note, belong to it. */
function extend(blocks: readonly PageBlock[], lines: readonly string[]): void {
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1]?.line ?? lines.length + 1
    while (block.end + 1 < next && (lines[block.end] ?? '').trim() !== '') block.end++
  }
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}

// Two versions of many pages stand in one page of the dashboard.
function withoutIds(element: TreeElement): void {
  for (const name of ['id', 'ariaDescribedBy', 'ariaLabelledBy', 'name']) delete element.properties[name]
}

/** A change must not hide in a tab that is not chosen, or in a part that is folded. */
function unfold(element: TreeElement): void {
  const { tagName, properties, children } = element
  if (tagName === 'details') properties['open'] = true
  const { className } = properties
  if (!Array.isArray(className) || !className.includes('switched')) return
  properties['className'] = className.filter((name) => name !== 'switched')
  const [bar, ...panels] = children
  const titles = bar?.type === 'element' ? bar.children.map((label) => textOf(asElement(label))) : []
  element.children = panels.map((panel, index) => {
    const title = titles[index] ?? ''
    const heading: TreeElement = {
      type: 'element',
      tagName: 'p',
      properties: { className: ['tab-title'] },
      children: [textNode(title)],
    }
    const own = asElement(panel)
    return { ...own, children: [...(title === '' ? [] : [heading]), ...own.children] }
  })
}

function asElement(node: TreeElement['children'][number]): TreeElement {
  return node.type === 'element'
    ? node
    : { type: 'element', tagName: 'span', properties: {}, children: [node] }
}

function itemsOf(node: Tree['children'][number]): TreeElement[] {
  if (node.type === 'text' && node.value.trim() !== '')
    return [{ type: 'element', tagName: 'p', properties: {}, children: [node], ...placeOf(node) }]
  if (node.type !== 'element') return []
  const { tagName, properties, children } = node
  if (tagName !== 'ul' && tagName !== 'ol') return [node]
  const items = children.filter((child): child is TreeElement => child.type === 'element')
  if (items.length < 2 || items.some((item) => item.tagName !== 'li')) return [node]
  const first = typeof properties['start'] === 'number' ? properties['start'] : 1
  return items.map((item, index) => ({
    type: 'element',
    tagName,
    properties: { ...properties, ...(tagName === 'ol' && { start: first + index }) },
    children: [item],
    ...placeOf(item),
  }))
}

function placeOf({ position }: Pick<TreeElement, 'position'>): Pick<TreeElement, 'position'> {
  return position === undefined ? {} : { position }
}

/** The lines of an element, or of what stands in it. */
function spanOf(element: TreeElement): { start: number; end: number } | undefined {
  if (element.position) return { start: element.position.start.line, end: element.position.end.line }
  let span: { start: number; end: number } | undefined
  for (const { position } of elementsOf({ type: 'root', children: [element] })) {
    if (!position) continue
    const { start, end } = position
    span = { start: Math.min(span?.start ?? start.line, start.line), end: Math.max(span?.end ?? 0, end.line) }
  }
  return span
}

/** The front matter: what readers see of it, and the rest as source. */
function frontMatterBlocks(text: string, lines: number): PageBlock[] {
  const range = findFrontMatter(text)
  if (!range) return []
  const { data } = readFrontMatter(text)
  const source = text.slice(range.start, range.end).trimEnd().split(/\r?\n/)
  const blocks: PageBlock[] = []
  const show = (name: string, tagName: string, className: string[]): void => {
    const value = data[name]
    const at = source.findIndex((line) => line.startsWith(name) && /^\s*[:=]/.test(line.slice(name.length)))
    if (typeof value !== 'string' || value === '' || at === -1) return
    const next = source.findIndex((line, index) => index > at && /^\S/.test(line))
    const end = next === -1 ? source.length : next
    const properties = className.length === 0 ? {} : { className }
    blocks.push({
      element: { type: 'element', tagName, properties, children: [textNode(value)] },
      line: at + 2,
      end: end + 1,
    })
    source.fill('', at, end)
  }
  show('title', 'h1', [])
  show('description', 'p', ['lead'])
  const rest = source.filter((line) => line.trim() !== '')
  if (rest.length > 0)
    blocks.push({
      element: {
        type: 'element',
        tagName: 'pre',
        properties: { className: ['review-settings'] },
        children: [textNode(rest.join('\n'))],
      },
      line: source.findIndex((line) => line.trim() !== '') + 2,
      end: Math.max(2, lines - 1),
    })
  return blocks
}
