import { elementsOf, textNode, type Tree, type TreeElement } from '../../../../api/render/markdown/tree.ts'
import { compareWords, runsOf, wordsOf } from './compare-words.ts'

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
 * Puts the words that one of two versions of a block lacks into `ins` and `del`, in place.
 * @returns false where the versions have so little in common that nothing is marked
 */
export function markWords(before: TreeElement, after: TreeElement): boolean {
  const [gone, come] = [partsOf(before), partsOf(after)]
  const marks = compareWords(
    gone.flatMap(({ words }) => words),
    come.flatMap(({ words }) => words),
  )
  if (!marks) return false
  markParts(gone, marks.before, 'del')
  markParts(come, marks.after, 'ins')
  return true
}

/** The later version with the words of the earlier one that it lacks before those that it has instead. Undefined as for `runsOf`. */
export function mergeWords(before: TreeElement, after: TreeElement): TreeElement | undefined {
  const merged = structuredClone(after)
  const [gone, come] = [partsOf(before), partsOf(merged)]
  const runs = runsOf(
    gone.flatMap(({ words }) => words),
    come.flatMap(({ words }) => words),
  )
  if (!runs) return undefined
  const old = gone.flatMap((part) => part.words.map((word) => ({ word, part })))
  const marks: boolean[] = []
  /** What was taken out before each word of the later version. */
  const taken = new Map<number, Node[]>()
  let at = 0
  for (const { isSame, before: lost, after: won } of runs) {
    if (!isSame && lost > 0) taken.set(marks.length, removedNodes(old.slice(at, at + lost)))
    at += lost
    for (let count = 0; count < won; count++) marks.push(!isSame)
  }
  markParts(come, marks, 'ins', taken)
  if (come.length === 0) merged.children.unshift(...((taken.get(0) ?? []) as typeof merged.children))
  return merged
}

function removedNodes(words: readonly { word: string; part: Part }[]): Node[] {
  const nodes: Node[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') nodes.push(...markedText('del', text))
    text = ''
  }
  for (const { word, part } of words) {
    if (part.what === 'text') {
      text += word
      continue
    }
    flush()
    if (part.what === 'image') nodes.push(marked('del', [part.node]))
    else if (part.node.type === 'element') nodes.push(targetOf(part.node, 'del'))
  }
  flush()
  return nodes
}

/** Without this a link that leads elsewhere would look the same. */
function targetOf({ properties }: TreeElement, tag: Tag): TreeElement {
  return marked(tag, [textNode(` → ${String(properties['href'])}`)], 'target')
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

/** @param inserted what is put before single words; after the last word under their number */
function markParts(
  parts: readonly Part[],
  marks: readonly boolean[],
  tag: Tag,
  inserted: ReadonlyMap<number, Node[]> = new Map(),
): void {
  let at = 0
  const replaced = new Map<TreeElement, Map<Node, Node[]>>()
  for (const [index, { words, node, parent, what }] of parts.entries()) {
    const start = at
    at += words.length
    const own = words.map((_, offset) => marks[start + offset] ?? false)
    const isLast = index === parts.length - 1
    const before = Array.from(
      { length: words.length + Number(isLast) },
      (_, n) => inserted.get(start + n) ?? [],
    )
    const isUntouched = !own.includes(true) && before.every((nodes) => nodes.length === 0)
    if (isUntouched) continue
    if (what === 'target') {
      parent.children.push(...(before.flat() as typeof parent.children))
      if (own[0] && node.type === 'element') parent.children.push(targetOf(node, tag))
      continue
    }
    const nodes =
      what === 'image'
        ? [...(before[0] ?? []), own[0] ? marked(tag, [node]) : node, ...(before[1] ?? [])]
        : piecesOf(words, own, tag, before)
    const others = replaced.get(parent) ?? new Map<Node, Node[]>()
    others.set(node, nodes)
    replaced.set(parent, others)
  }
  for (const [parent, nodes] of replaced)
    parent.children = parent.children.flatMap(
      (child) => (nodes.get(child) ?? [child]) as typeof parent.children,
    )
}

function piecesOf(
  words: readonly string[],
  marks: readonly boolean[],
  tag: Tag,
  before: readonly Node[][],
): Node[] {
  const pieces: Node[] = []
  let run = ''
  const flush = (isMarked: boolean): void => {
    if (run === '') return
    pieces.push(...(isMarked && run.trim() !== '' ? markedText(tag, run) : [textNode(run)]))
    run = ''
  }
  for (const [index, word] of words.entries()) {
    const isMarked = marks[index] ?? false
    const inserted = before[index] ?? []
    if (index > 0 && (isMarked !== marks[index - 1] || inserted.length > 0)) flush(marks[index - 1] ?? false)
    pieces.push(...inserted)
    run += word
  }
  flush(marks.at(-1) ?? false)
  pieces.push(...(before[words.length] ?? []))
  return pieces
}

/** Space around a phrase is not part of what has changed. */
function markedText(tag: Tag, text: string): Node[] {
  const phrase = text.trim()
  if (phrase === '') return [marked(tag, [textNode(text)])]
  const start = text.indexOf(phrase)
  const spaces = (space: string): Node[] => (space === '' ? [] : [textNode(space)])
  return [
    ...spaces(text.slice(0, start)),
    marked(tag, [textNode(phrase)]),
    ...spaces(text.slice(start + phrase.length)),
  ]
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
