import {
  elementsOf,
  textNode,
  textOf,
  type Tree,
  type TreeElement,
} from '../../../../api/render/markdown/tree.ts'

/** Rows of a table, or lines of code, that are shown whole. */
const short = 10

/** Folds rows of long tables, lines of long code and blocks of containers that are not marked, in place. */
export function foldWithin(block: TreeElement): void {
  for (const element of elementsOf({ type: 'root', children: [block] })) {
    if (element.tagName === 'tbody') foldRows(element)
    if (element.tagName === 'pre') foldLines(element)
    if (containers.has(element.tagName)) foldBlocks(element)
  }
}

function foldRows(body: TreeElement): void {
  const rows = body.children.filter((child): child is TreeElement => child.type === 'element')
  if (rows.length <= short) return
  const marked = rows.map((row) => [...elementsOf({ type: 'root', children: [row] })].some(isMark))
  const columns = rows[0]?.children.filter(({ type }) => type === 'element').length ?? 1
  body.children = foldAround(rows, marked, (count) => ({
    type: 'element',
    tagName: 'tr',
    properties: {},
    children: [
      {
        type: 'element',
        tagName: 'td',
        properties: { colSpan: columns, className: ['review-gap'] },
        children: [textNode(said(count, 'row'))],
      },
    ],
  }))
}

function isMark({ tagName, properties: { className } }: TreeElement): boolean {
  return (
    tagName === 'ins' ||
    tagName === 'del' ||
    (Array.isArray(className) && (className.includes('old') || className.includes('new')))
  )
}

/** Blocks of a container, or items of a list, that are shown whole. */
const few = 4
const containers: ReadonlySet<string> = new Set([
  'div',
  'section',
  'aside',
  'details',
  'blockquote',
  'ul',
  'ol',
  'li',
  'dl',
  'dd',
])

function foldBlocks(container: TreeElement): void {
  const items = container.children.filter(
    (child): child is TreeElement =>
      child.type === 'element' || (child.type === 'text' && child.value.trim() !== ''),
  )
  if (items.length <= few || items.some(({ type }) => type !== 'element')) return
  const [first] = items
  const title = first?.type === 'element' && isTitle(first) ? [first] : []
  const rest = items.slice(title.length)
  const marked = rest.map((item) => [...elementsOf({ type: 'root', children: [item] })].some(isMark))
  const tagName = container.tagName === 'ul' || container.tagName === 'ol' ? 'li' : 'p'
  const blocks = foldAround<TreeElement['children'][number]>(rest, marked, (count) => ({
    type: 'element',
    tagName,
    properties: { className: ['review-gap'] },
    children: [textNode(said(count, tagName === 'li' ? 'item' : 'block'))],
  }))
  container.children = [...title, ...blocks]
}

/** What names a container is seen with whatever has changed in it. */
function isTitle({ tagName, properties: { className } }: TreeElement): boolean {
  const names = Array.isArray(className) ? className.map(String) : []
  return tagName === 'summary' || names.some((name) => /-(?:title|label|name)$/.test(name))
}

/** Code is text with marks in it: its lines are put together again. */
function foldLines(pre: TreeElement): void {
  const code = pre.children.find((child): child is TreeElement => child.type === 'element') ?? pre
  const lines: Tree['children'][] = [[]]
  for (const child of code.children) {
    const isPlain = child.type === 'text'
    if (!isPlain && child.type !== 'element') continue
    const pieces = (isPlain ? child.value : textOf(child)).split('\n')
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) lines.push([])
      if (piece === '') continue
      lines.at(-1)?.push(isPlain ? textNode(piece) : { ...child, children: [textNode(piece)] })
    }
  }
  if (lines.length <= short) return
  const marked = lines.map((line) => line.some((one) => one.type === 'element' && isMark(one)))
  const foldedLines = foldAround(lines, marked, (count): Tree['children'] => [
    {
      type: 'element',
      tagName: 'span',
      properties: { className: ['review-gap'] },
      children: [textNode(said(count, 'line'))],
    },
  ])
  code.children = foldedLines.flatMap((line, index) =>
    index === 0 ? line : [textNode('\n'), ...line],
  ) as TreeElement['children']
}

/** Keeps what is marked and what stands next to it; where nothing is, the beginning. */
function foldAround<Item>(
  items: readonly Item[],
  found: readonly boolean[],
  gap: (count: number) => Item,
): Item[] {
  const marked = found.includes(true) ? found : [true]
  const foldedItems: Item[] = []
  let skipped: Item[] = []
  const flush = (): void => {
    if (skipped.length > 1) foldedItems.push(gap(skipped.length))
    else foldedItems.push(...skipped)
    skipped = []
  }
  for (const [index, item] of items.entries()) {
    if (marked.slice(Math.max(0, index - 1), index + 2).includes(true)) {
      flush()
      foldedItems.push(item)
    } else skipped.push(item)
  }
  flush()
  return foldedItems
}

function said(count: number, noun: string): string {
  return `${count.toLocaleString('en')} unchanged ${noun}s`
}
