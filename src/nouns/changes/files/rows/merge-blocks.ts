import { sha256 } from '../../../../lib/ids.ts'
import type { TreeElement } from '../../../../api/render/markdown/tree.ts'
import { align, type Comparable } from './align.ts'
import { blockWords, markWords, mergeWords } from './mark-blocks.ts'

type Node = TreeElement['children'][number]

/** An element of a container, or text between its elements, as it is compared. */
interface Part extends Comparable {
  element: TreeElement
}

/** Elements that stand on lines of their own. */
const blocks: ReadonlySet<string> = new Set(
  `address article aside blockquote dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table
  tbody td tfoot th thead tr ul`.split(/\s+/),
)
/** What stands for text between blocks while it is compared. */
const run = 'run'

/**
 * One tree of two versions of a block: what is in one of them alone is marked, words by `del` and `ins`, elements by the
 * classes `old` and `new`. Undefined where they have so little in common that marks would only confuse.
 */
export function mergeBlocks(before: TreeElement, after: TreeElement): TreeElement | undefined {
  const kind = comparedAs(before, after)
  if (kind === 'words') return mergeWords(before, after)
  if (kind === undefined) return undefined
  const children = align(partsOf(before), partsOf(after)).flatMap((pair): Node[] => {
    const [old, now] = [pair.before?.element, pair.after?.element]
    if (old && now)
      return pair.before?.key === pair.after?.key
        ? unwrapped(now)
        : (unwrapped(mergeBlocks(old, now)) ?? [...onlyIn(old, 'old'), ...onlyIn(now, 'new')])
    if (old) return onlyIn(old, 'old')
    return now ? onlyIn(now, 'new') : []
  })
  return { ...after, children }
}

/**
 * Marks the same in each of the versions, in place, where they stand beside each other.
 * @returns false where `mergeBlocks` makes nothing of them
 */
export function markBlocks(before: TreeElement, after: TreeElement): boolean {
  const kind = comparedAs(before, after)
  if (kind === 'words') return markWords(before, after)
  if (kind === undefined) return false
  const [left, right] = [before, after].map(partsOf)
  const sides: [Node[], Node[]] = [[], []]
  for (const pair of align(left ?? [], right ?? [])) {
    const [old, now] = [pair.before?.element, pair.after?.element]
    const isMarked = old && now && (pair.before?.key === pair.after?.key || markBlocks(old, now))
    if (old) sides[0].push(...(isMarked ? unwrapped(old) : onlyIn(old, 'old')))
    if (now) sides[1].push(...(isMarked ? unwrapped(now) : onlyIn(now, 'new')))
  }
  ;[before.children, after.children] = sides
  return true
}

/** How two versions of a block are compared; undefined where they are no versions of each other. */
function comparedAs(before: TreeElement, after: TreeElement): 'words' | 'blocks' | undefined {
  if (before.tagName !== after.tagName && !(isHeading(before) && isHeading(after))) return undefined
  const isContainer = [before, after].map((one) => one.children.some(isBlock))
  if (!isContainer.includes(true)) return 'words'
  return isContainer.includes(false) ? undefined : 'blocks'
}

function isHeading({ tagName }: TreeElement): boolean {
  return /^h[1-6]$/.test(tagName)
}

function isBlock(node: Node): boolean {
  return node.type === 'element' && blocks.has(node.tagName)
}

function partsOf({ children }: TreeElement): Part[] {
  const parts: TreeElement[] = []
  let between: Node[] = []
  const flush = (): void => {
    if (between.some((node) => node.type !== 'text' || node.value.trim() !== ''))
      parts.push({ type: 'element', tagName: run, properties: {}, children: between })
    between = []
  }
  for (const child of children) {
    if (child.type === 'element' && isBlock(child)) {
      flush()
      parts.push(child)
    } else between.push(child)
  }
  flush()
  return parts.map((element) => ({
    element,
    kind: element.tagName.replace(/^h[1-6]$/, 'heading'),
    words: blockWords(element),
    key: sha256(JSON.stringify(element, (name, value: unknown) => (name === 'position' ? undefined : value))),
  }))
}

function unwrapped(element: TreeElement): Node[]
function unwrapped(element: TreeElement | undefined): Node[] | undefined
function unwrapped(element: TreeElement | undefined): Node[] | undefined {
  if (element === undefined) return undefined
  return element.tagName === run ? element.children : [element]
}

function onlyIn(element: TreeElement, side: 'old' | 'new'): Node[] {
  if (element.tagName === run)
    return [{ ...element, tagName: side === 'old' ? 'del' : 'ins', properties: {} }]
  const { className } = element.properties
  const names = Array.isArray(className) ? className : []
  return [{ ...element, properties: { ...element.properties, className: [...names, side] } }]
}
