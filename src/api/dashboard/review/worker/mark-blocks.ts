import { elementsOf, textNode, type Tree, type TreeElement } from '../../../render/markdown/tree.ts'
import { compareWords, wordsOf } from './words.ts'

type Node = Tree['children'][number]
type Tag = 'ins' | 'del'

/** Something in a block that is compared as one word: the place of a text, or an image, or where a link leads. */
interface Part {
  words: string[]
  node: Node
  parent: TreeElement
  what: 'text' | 'image' | 'target'
}

/** The words of a block, as they are compared. */
export function blockWords(element: TreeElement): string[] {
  return partsOf(element).flatMap(({ words }) => words)
}

/**
 * Puts the words that one of two versions of a block lacks into `ins` and `del`, in place. Where the versions have
 * little in common, everything is marked.
 */
export function markWords(before: TreeElement, after: TreeElement): void {
  const [gone, come] = [partsOf(before), partsOf(after)]
  const marks = compareWords(
    gone.flatMap(({ words }) => words),
    come.flatMap(({ words }) => words),
  )
  markParts(gone, marks?.before, 'del')
  markParts(come, marks?.after, 'ins')
}

function partsOf(element: TreeElement): Part[] {
  const parts: Part[] = []
  const collect = (parent: TreeElement): void => {
    for (const node of parent.children) {
      if (node.type === 'text') {
        const words = wordsOf(node.value)
        if (words.length > 0) parts.push({ words, node, parent, what: 'text' })
      } else if (node.type === 'element' && node.tagName === 'img') {
        const { src, alt, dataAddress } = node.properties
        parts.push({
          words: [`image ${String(src)} ${String(alt)} ${String(dataAddress)}`],
          node,
          parent,
          what: 'image',
        })
      } else if (node.type === 'element') {
        collect(node)
        const { href } = node.properties
        if (node.tagName === 'a' && typeof href === 'string')
          parts.push({ words: [`link ${href}`], node, parent: node, what: 'target' })
      }
    }
  }
  collect({ type: 'element', tagName: 'div', properties: {}, children: [element] })
  return parts
}

function markParts(parts: readonly Part[], marks: readonly boolean[] | undefined, tag: Tag): void {
  let at = 0
  const replaced = new Map<TreeElement, Map<Node, Node[]>>()
  for (const { words, node, parent, what } of parts) {
    const own = words.map((_, index) => marks?.[at + index] ?? marks === undefined)
    at += words.length
    if (!own.includes(true)) continue
    if (what === 'target') {
      // Without this a link that leads elsewhere would look the same.
      if (marks !== undefined && node.type === 'element')
        parent.children.push(marked(tag, [textNode(` → ${String(node.properties['href'])}`)], 'target'))
      continue
    }
    const nodes = what === 'image' ? [marked(tag, [node])] : piecesOf(words, own, tag)
    const others = replaced.get(parent) ?? new Map<Node, Node[]>()
    others.set(node, nodes)
    replaced.set(parent, others)
  }
  for (const [parent, nodes] of replaced)
    parent.children = parent.children.flatMap(
      (child) => (nodes.get(child) ?? [child]) as typeof parent.children,
    )
}

function piecesOf(words: readonly string[], marks: readonly boolean[], tag: Tag): Node[] {
  const pieces: Node[] = []
  let run = ''
  const flush = (isMarked: boolean): void => {
    if (run === '') return
    pieces.push(isMarked && run.trim() !== '' ? marked(tag, [textNode(run)]) : textNode(run))
    run = ''
  }
  for (const [index, word] of words.entries()) {
    const isMarked = marks[index] ?? false
    if (index > 0 && isMarked !== marks[index - 1]) flush(!isMarked)
    run += word
  }
  flush(marks.at(-1) ?? false)
  return pieces
}

function marked(tag: Tag, children: Node[], className?: string): TreeElement {
  return {
    type: 'element',
    tagName: tag,
    properties: className === undefined ? {} : { className: [className] },
    children: children as TreeElement['children'],
  }
}

/** The addresses that blocks name: of links, and of images. */
export function addressesIn(elements: readonly TreeElement[]): { links: string[]; images: string[] } {
  const links = new Set<string>()
  const images = new Set<string>()
  for (const element of elementsOf({ type: 'root', children: [...elements] })) {
    const { href, src } = element.properties
    if (element.tagName === 'a' && typeof href === 'string') links.add(href)
    if (element.tagName === 'img' && typeof src === 'string') images.add(src)
  }
  return { links: [...links], images: [...images] }
}
