import type { BlockContent, ListItem, PhrasingContent, RootContent, TableCell, TableRow } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown, type Options } from 'mdast-util-to-markdown'
import { kinds, type ComponentKind } from './component-kinds.ts'
import { textOf, type Tree, type TreeElement } from './tree.ts'

type Children = TreeElement['children']
type Block = BlockContent

/** A part of a page, from one heading to before the next. */
export interface PagePart {
  /** The id that its heading has on the page; left out where none is known, and for the beginning. */
  anchor?: string
  /** Level and text of its heading; left out for the beginning. */
  heading?: { level: number; text: string }
  /** With its heading. */
  markdown: string
}

const options: Options = {
  bullet: '-',
  rule: '-',
  emphasis: '_',
  fences: true,
  listItemIndent: 'one',
  resourceLink: false,
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
}

/** Writes a tree of safe elements, whose components are marked, as Markdown, cut at its headings. */
export function writeTree(tree: Tree): PagePart[] {
  const parts: (Omit<PagePart, 'markdown'> & { nodes: Block[] })[] = [{ nodes: [] }]
  for (const block of blocksOf(tree.children)) {
    if (block.type === 'heading') {
      const anchor = anchors.get(block)
      const heading = { level: block.depth, text: plainTextOf(block.children) }
      parts.push({ ...(anchor !== undefined && { anchor }), heading, nodes: [] })
    }
    parts.at(-1)?.nodes.push(block)
  }
  return parts
    .map(({ nodes, ...part }) => ({ ...part, markdown: print(nodes) }))
    .filter(({ markdown }) => markdown !== '')
}

const anchors = new WeakMap<object, string>()

function print(children: RootContent[]): string {
  return toMarkdown({ type: 'root', children }, options).trim()
}

function plainTextOf(nodes: readonly PhrasingContent[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'children' in node ? plainTextOf(node.children) : ''))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Blocks; words between them become paragraphs. */
function blocksOf(children: Tree['children']): Block[] {
  const blocks: Block[] = []
  let words: PhrasingContent[] = []
  const close = (): void => {
    if (plainTextOf(words) !== '' || words.some(({ type }) => type === 'image'))
      blocks.push({ type: 'paragraph', children: trimmed(words) })
    words = []
  }
  for (const child of children) {
    if (child.type === 'text') words.push({ type: 'text', value: child.value })
    if (child.type !== 'element') continue
    if (isBlock(child)) {
      close()
      blocks.push(...blockOf(child))
    } else words.push(...phraseOf(child))
  }
  close()
  return blocks
}

const blockNames = new Set(
  'address article aside blockquote center details dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table ul'.split(
    ' ',
  ),
)

function isBlock({ tagName }: TreeElement): boolean {
  return blockNames.has(tagName)
}

function blockOf(element: TreeElement): Block[] {
  const { tagName, children } = element
  const kind = kinds.find((one) => one === element.properties['dataComponent'])
  if (kind !== undefined) return componentOf(kind, element)
  if (isNote(element)) return [{ type: 'blockquote', children: noteOf(element) }]
  switch (tagName) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return headingOf(element)
    case 'hr':
      return [{ type: 'thematicBreak' }]
    case 'blockquote':
      return [{ type: 'blockquote', children: blocksOf(children) }]
    case 'ul':
    case 'ol':
      return listOf(element)
    case 'pre':
      return [codeOf(element, '')]
    case 'figure':
      return figureOf(element)
    case 'table':
      return tableOf(element)
    case 'summary':
    case 'dt':
      return strong(phrasesOf(children))
    default:
      return blocksOf(children)
  }
}

function headingOf({ tagName, properties, children }: TreeElement): Block[] {
  const words = phrasesOf(children)
  if (plainTextOf(words) === '') return []
  // It stands above the footnotes, and is no heading of the page.
  if (properties['id'] === 'footnote-label') return strong(words)
  const depths = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 } as const
  const name = Object.keys(depths).find((one): one is keyof typeof depths => one === tagName) ?? 'h6'
  const heading: Block = { type: 'heading', depth: depths[name], children: trimmed(words) }
  if (typeof properties['id'] === 'string') anchors.set(heading, properties['id'])
  return [heading]
}

function isNote({ tagName, properties }: TreeElement): boolean {
  const { className } = properties
  return tagName === 'div' && Array.isArray(className) && className.includes('note')
}

function noteOf({ children }: TreeElement): Block[] {
  const [label, ...rest] = children
  return [...(label?.type === 'element' ? strong(phrasesOf(label.children)) : []), ...blocksOf(rest)]
}

function strong(words: PhrasingContent[]): Block[] {
  if (plainTextOf(words) === '') return []
  return [{ type: 'paragraph', children: [{ type: 'strong', children: trimmed(words) }] }]
}

function componentOf(kind: ComponentKind, element: TreeElement): Block[] {
  const { children } = element
  const mark = (name: string): string => {
    const value = element.properties[name]
    return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : ''
  }
  const [title, text, href] = [mark('dataTitle'), mark('dataText'), mark('dataHref')]
  const words: PhrasingContent[] = title === '' ? [] : [{ type: 'text', value: title }]
  const note: PhrasingContent[] = text === '' ? [] : [{ type: 'text', value: text }]
  switch (kind) {
    case 'card': {
      const name: PhrasingContent[] =
        href === '' ? bold(words) : [{ type: 'link', url: href, children: words }]
      const between: PhrasingContent[] = note.length === 0 ? [] : [{ type: 'text', value: ': ' }, ...note]
      const head: PhrasingContent[] = [...(words.length === 0 ? [] : name), ...between]
      // Its own words are the link, where it has no title.
      const [only, ...more] = blocksOf(children)
      if (href !== '' && head.length === 0 && only?.type === 'paragraph')
        return [paragraph([{ type: 'link', url: href, children: only.children.filter(isLinkable) }]), ...more]
      return [...(head.length === 0 ? [] : [paragraph(head)]), ...blocksOf(children)]
    }
    case 'field': {
      const head: PhrasingContent[] = [{ type: 'inlineCode', value: title }]
      if (note.length > 0) head.push({ type: 'text', value: ' ' }, ...note)
      return [...(title === '' ? [] : [paragraph(head)]), ...blocksOf(children)]
    }
    case 'files':
    case 'folder':
    case 'file':
      return filesOf(element)
    case 'panel':
      return [...strong(words), ...(note.length === 0 ? [] : [paragraph(note)]), ...blocksOf(children)]
    case 'tabs':
    case 'steps':
    case 'cards':
      return blocksOf(children)
    case 'tab':
    case 'step':
    case 'fold':
      return [...strong(words), ...blocksOf(children)]
  }
}

function isLinkable({ type }: PhrasingContent): boolean {
  return type !== 'link'
}

function paragraph(children: PhrasingContent[]): Block {
  return { type: 'paragraph', children }
}

function bold(words: PhrasingContent[]): PhrasingContent[] {
  return words.length === 0 ? [] : [{ type: 'strong', children: words }]
}

/** A tree of files as nested lists. */
function filesOf(element: TreeElement): Block[] {
  const isEntry = (child: Children[number]): child is TreeElement =>
    child.type === 'element' && ['folder', 'file'].includes(String(child.properties['dataComponent']))
  const title = String(element.properties['dataTitle'] ?? '')
  const inside = element.children.filter((child) => isEntry(child))
  const items = inside
    .flatMap((child) => filesOf(child))
    .flatMap((one) => (one.type === 'list' ? one.children : []))
  const list: Block[] =
    items.length === 0 ? [] : [{ type: 'list', ordered: false, spread: false, children: items }]
  if (element.properties['dataComponent'] === 'files')
    return list.length === 0 ? blocksOf(element.children) : list
  const name = element.properties['dataComponent'] === 'folder' ? title.replace(/\/?$/, '/') : title
  const item: ListItem = {
    type: 'listItem',
    spread: false,
    children: [paragraph([{ type: 'text', value: name }]), ...list],
  }
  return [{ type: 'list', ordered: false, spread: false, children: [item] }]
}

function listOf({ tagName, properties, children }: TreeElement): Block[] {
  const items = children.flatMap((child): ListItem[] => {
    if (child.type !== 'element') return []
    const box = boxIn(child)
    const inside = blocksOf(child.children)
    return inside.length === 0 && box === undefined
      ? []
      : [{ type: 'listItem', spread: false, ...(box !== undefined && { checked: box }), children: inside }]
  })
  if (items.length === 0) return []
  const start = typeof properties['start'] === 'number' ? properties['start'] : 1
  return [{ type: 'list', ordered: tagName === 'ol', start, spread: false, children: items }]
}

/** Whether the box of a task is checked; undefined where there is none. */
function boxIn({ children }: TreeElement): boolean | undefined {
  for (const child of children) {
    if (child.type !== 'element') continue
    if (child.tagName === 'input') return child.properties['checked'] === true
    return child.tagName === 'p' ? boxIn(child) : undefined
  }
  return undefined
}

function codeOf(pre: TreeElement, title: string): Block {
  const code = pre.children.find((child) => child.type === 'element')
  const classes = code?.type === 'element' ? code.properties['className'] : undefined
  const language = (Array.isArray(classes) ? classes.map(String) : []).find((name) =>
    name.startsWith('language-'),
  )
  const meta = title === '' ? null : `title="${title.replaceAll('"', "'")}"`
  const lang = language?.slice('language-'.length) ?? (meta === null ? null : 'text')
  return { type: 'code', lang, meta, value: textOf(pre).replace(/\n$/, '') }
}

function figureOf(figure: TreeElement): Block[] {
  const caption = figure.children.find((child) => child.type === 'element' && child.tagName === 'figcaption')
  const words = caption?.type === 'element' ? textOf(caption).replaceAll(/\s+/g, ' ').trim() : ''
  const pre = figure.children.find((child) => child.type === 'element' && child.tagName === 'pre')
  if (pre?.type === 'element') return [codeOf(pre, words)]
  return blocksOf(figure.children)
}

function tableOf(table: TreeElement): Block[] {
  const rows: TreeElement[] = []
  const gather = ({ children }: TreeElement): void => {
    for (const child of children)
      if (child.type === 'element' && child.tagName === 'tr') rows.push(child)
      else if (child.type === 'element' && child.tagName !== 'caption') gather(child)
  }
  gather(table)
  const cells = rows.map((row) =>
    row.children.filter((child): child is TreeElement => child.type === 'element'),
  )
  const width = Math.max(0, ...cells.map(({ length }) => length))
  if (width === 0) return []
  const filled = cells.map((row): TableRow => ({
    type: 'tableRow',
    children: Array.from({ length: width }, (_, at): TableCell => {
      const cell = row[at]
      return { type: 'tableCell', children: cell ? trimmed(inLine(cell.children)) : [] }
    }),
  }))
  return [{ type: 'table', children: filled }]
}

/** What a cell holds, in one line. */
function inLine(children: Children): PhrasingContent[] {
  return children.flatMap((child): PhrasingContent[] => {
    if (child.type === 'text') return [{ type: 'text', value: child.value.replaceAll(/\s+/g, ' ') }]
    if (child.type !== 'element') return []
    if (child.tagName === 'br') return [{ type: 'text', value: ' ' }]
    if (child.tagName === 'pre')
      return [{ type: 'inlineCode', value: textOf(child).replaceAll(/\s+/g, ' ').trim() }]
    if (isBlock(child)) return [...inLine(child.children), { type: 'text', value: ' ' }]
    return phraseOf(child, inLine)
  })
}

function phrasesOf(children: Children): PhrasingContent[] {
  return children.flatMap((child): PhrasingContent[] => {
    if (child.type === 'text') return [{ type: 'text', value: child.value }]
    return child.type === 'element' ? phraseOf(child) : []
  })
}

function phraseOf(
  element: TreeElement,
  inside: (children: Children) => PhrasingContent[] = phrasesOf,
): PhrasingContent[] {
  const { tagName, properties, children } = element
  switch (tagName) {
    case 'a': {
      const { href } = properties
      if (properties['dataFootnoteBackref'] !== undefined) return []
      const words = trimmed(inside(children))
      if (String(href).startsWith('#user-content-fn'))
        return [{ type: 'text', value: `[${plainTextOf(words)}]` }]
      if (typeof href !== 'string' || words.length === 0) return words
      return [{ type: 'link', url: href, children: words }]
    }
    case 'code':
      return [{ type: 'inlineCode', value: textOf(element).replaceAll(/\s+/g, ' ') }]
    case 'em':
    case 'i':
      return wrapped('emphasis', inside(children))
    case 'strong':
    case 'b':
      return wrapped('strong', inside(children))
    case 'del':
    case 's':
      return wrapped('delete', inside(children))
    case 'br':
      return [{ type: 'break' }]
    case 'img': {
      const [src, alt] = [properties['src'], properties['alt']]
      return typeof src === 'string' && src !== ''
        ? [{ type: 'image', url: src, alt: typeof alt === 'string' ? alt : '' }]
        : []
    }
    case 'input':
      return []
    default:
      return inside(children)
  }
}

function wrapped(type: 'emphasis' | 'strong' | 'delete', words: PhrasingContent[]): PhrasingContent[] {
  const inside = trimmed(words)
  return inside.length === 0 ? [] : [{ type, children: inside }]
}

/** Without blanks at the ends, which would be markup there. */
function trimmed(words: PhrasingContent[]): PhrasingContent[] {
  const [first] = words
  const last = words.at(-1)
  const cut = words.map((word) => {
    if (word.type !== 'text') return word
    let { value } = word
    if (word === first) value = value.trimStart()
    if (word === last) value = value.trimEnd()
    return { ...word, value }
  })
  return cut.filter((word) => word.type !== 'text' || word.value !== '')
}
