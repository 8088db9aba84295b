import type {
  BlockContent,
  ListItem,
  Paragraph,
  PhrasingContent,
  RootContent,
  TableCell,
  TableRow,
} from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown, type Options } from 'mdast-util-to-markdown'
import { toString } from 'mdast-util-to-string'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { withoutHidden } from '../../../lib/text/plain-text.ts'
import { hasHostSyntax, partsForCode, placesToBreak } from './host-syntax.ts'

export type Headings = Readonly<Record<string, number>>

/** Turns texts of a model or a client into Markdown that has no effect on a host. */
export interface Printer {
  /**
   * Blocks, at most `maxLength` characters.
   * @param headings depths of headings that keep their level, by their texts
   */
  block(text: string, maxLength: number, headings?: Headings): string
  /** One line, at most `maxLength` characters. */
  line(text: string, maxLength: number): string
}

/**
 * Prints untrusted texts as Markdown from an allow-list: readable, copied as it was written, and without effect on
 * a host. Headings are lowered to the fourth level and below, so that nothing looks like one of our sections; those of a
 * repository's own form keep their level.
 * Parsing takes long on some texts, so this runs in a thread with a deadline.
 */
export const printer: Printer = {
  block: (text, maxLength, headings) =>
    fitted(text, maxLength, (part) => checked(part, blocksOf(part, headings))),
  line: (text, maxLength) => fitted(oneLine(text), maxLength, (part) => checked(part, lineOf(part))),
}

/** The same without parsing, for texts that take too long to parse. */
export const plainPrinter: Printer = {
  block: (text, maxLength) => fitted(text, maxLength, (part) => print(codeOf(part, null))),
  line: (text, maxLength) => fitted(oneLine(text), maxLength, (part) => print([linesAsCode(part)])),
}

/** The first 300 characters of any name or path as a Markdown code span. */
export function codeSpan(text: string): string {
  const value = withoutHidden(text.slice(0, 300).replaceAll(/[`\s]/g, (sign) => (sign === ' ' ? ' ' : '?')))
  return print([{ type: 'paragraph', children: codeNodes(value) }])
}

// Escapes make the output longer, so a text may have to be cut again.
function fitted(text: string, maxLength: number, printed: (part: string) => string): string {
  const whole = withoutHidden(text.slice(0, maxLength + 1)).trim()
  for (let length = maxLength; length > 0; length = Math.floor(length / 2)) {
    const isCut = whole.length > length || text.length > maxLength + 1
    const part = isCut
      ? `${whole
          .slice(0, length - 1)
          .toWellFormed()
          .replaceAll('\u{FFFD}', '')}…`
      : whole
    const result = printed(part)
    if (result.length <= maxLength) return result
  }
  return ''
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

// Parts without effect by themselves may have one next to each other.
function checked(text: string, nodes: readonly BlockContent[]): string {
  const printed = print(nodes)
  return hasHostSyntax(printed) ? print([linesAsCode(text)]) : printed
}

const options: Options = {
  bullet: '-',
  listItemIndent: 'one',
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  // Hosts render it as a formula.
  unsafe: [{ character: '$', inConstruct: 'phrasing' }],
}

function print(children: readonly BlockContent[]): string {
  return toMarkdown({ type: 'root', children: [...children] }, options).trimEnd()
}

function textNodes(value: string, atBreak: boolean): PhrasingContent[] {
  const places = placesToBreak(value, false)
  const text = (start: number, end: number): PhrasingContent[] => {
    const within = places.filter((place) => place >= start && place < end).map((place) => place - start)
    return broken(value.slice(start, end), within, plainText)
  }
  let at = 0
  const nodes = partsForCode(value, atBreak).flatMap(({ start, end }) => {
    const before = text(at, start)
    at = end
    return [...before, ...codeNodes(value.slice(start, end))]
  })
  return [...nodes, ...text(at, value.length)]
}

function codeNodes(value: string): PhrasingContent[] {
  return broken(value, placesToBreak(value, true), plainCode)
}

function plainText(value: string): PhrasingContent[] {
  return value === '' ? [] : [{ type: 'text', value }]
}

function plainCode(value: string): PhrasingContent[] {
  return value.trim() === '' ? plainText(value) : [{ type: 'inlineCode', value }]
}

// Replaces characters with character references, which render the same. Code has to be split around them.
function broken(
  value: string,
  places: readonly number[],
  shown: (value: string) => PhrasingContent[],
): PhrasingContent[] {
  let at = 0
  const nodes = places.flatMap((place): PhrasingContent[] => {
    const before = shown(value.slice(at, place))
    at = place + 1
    return [...before, { type: 'html', value: `&#${value.charCodeAt(place)};` }]
  })
  return [...nodes, ...shown(value.slice(at))]
}

const parser = unified().use(remarkParse).use(remarkGfm).freeze()

function blocksOf(text: string, headings?: Headings): BlockContent[] {
  return blocks(parser.parse(text).children, headings)
}

function lineOf(text: string): BlockContent[] {
  const { children } = parser.parse(text)
  return children.length === 1 && children[0]?.type === 'paragraph'
    ? blocks(children)
    : [paragraph(textNodes(text, true))]
}

function blocks(nodes: readonly RootContent[], headings: Headings = {}): BlockContent[] {
  return nodes.flatMap((node) => block(node, headings))
}

/** Returns blocks of allowed types, and the content of all others as paragraphs. */
function block(node: RootContent, headings: Headings): BlockContent[] {
  switch (node.type) {
    case 'paragraph':
      return [paragraph(inlines(node.children, true))]
    case 'heading': {
      const children = inlines(node.children, true)
      const lowered = node.depth < 3 ? 4 : node.depth === 3 ? 5 : 6
      const depth = depthIn(headings, toString(node)) ?? lowered
      return [{ type: 'heading', depth, children }]
    }
    case 'code':
      return codeOf(node.value, node.lang ?? null)
    case 'blockquote':
      return [{ type: 'blockquote', children: blocks(node.children) }]
    case 'list': {
      const { ordered, start, spread } = node
      const children = node.children.map((item): ListItem => ({
        type: 'listItem',
        checked: item.checked ?? null,
        spread: item.spread ?? false,
        children: blocks(item.children),
      }))
      return [
        { type: 'list', ordered: ordered ?? false, start: start ?? null, spread: spread ?? false, children },
      ]
    }
    case 'table': {
      const children = node.children.map((row): TableRow => {
        const cells = row.children.map((cell): TableCell => ({
          type: 'tableCell',
          children: inlines(cell.children, true),
        }))
        return { type: 'tableRow', children: cells }
      })
      return [{ type: 'table', align: node.align ?? null, children }]
    }
    case 'footnoteDefinition':
      return [paragraph(textNodes(`^${node.label ?? ''}:`, true)), ...blocks(node.children)]
    case 'definition': {
      const title = node.title ? ` ${node.title}` : ''
      const label = textNodes(`${node.label ?? ''}: `, true)
      return [paragraph([...label, ...codeNodes(node.url), ...textNodes(title, false)])]
    }
    case 'thematicBreak':
      return [paragraph(textNodes('---', true))]
    case 'html':
      return [paragraph(textNodes(node.value.trim().replaceAll(/\n\s*/g, '\n'), true))]
    default:
      return []
  }
}

function depthIn(headings: Headings, text: string): 1 | 2 | 3 | 4 | 5 | 6 | undefined {
  const depth = Object.hasOwn(headings, text) ? headings[text] : undefined
  return ([1, 2, 3, 4, 5, 6] as const).find((one) => one === depth)
}

function paragraph(children: PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children: joined(children) }
}

// Languages that hosts render as code; other languages draw a picture, or offer a change of the file.
const languages = new Set(
  'bash c console cpp csharp css diff dockerfile go graphql html http ini java javascript js json jsonc jsx kotlin markdown md mdx php powershell python py rb rs ruby rust scss sh shell sql swift text toml ts tsx txt typescript xml yaml yml zsh'.split(
    ' ',
  ),
)

function codeOf(value: string, language: string | null): BlockContent[] {
  // A code block cannot be split, but lines of code can.
  if (hasHostSyntax(value)) return [linesAsCode(value)]
  return [
    {
      type: 'code',
      lang: language !== null && languages.has(language.toLowerCase()) ? language : null,
      value,
    },
  ]
}

function linesAsCode(text: string): BlockContent {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return paragraph(
    lines.flatMap((line, index): PhrasingContent[] =>
      index === 0 ? codeNodes(line) : [{ type: 'break' }, ...codeNodes(line)],
    ),
  )
}

/** @param atBreak whether these nodes begin a line */
function inlines(nodes: readonly PhrasingContent[], atBreak: boolean): PhrasingContent[] {
  const printed: PhrasingContent[] = []
  let text = ''
  let isStart = atBreak
  const add = (...more: PhrasingContent[]): void => {
    if (text !== '') printed.push(...textNodes(text, isStart))
    if (text !== '') isStart = text.endsWith('\n')
    text = ''
    printed.push(...more)
  }
  for (const node of nodes.flatMap(withoutAddresses)) {
    switch (node.type) {
      case 'text':
      case 'html':
        text += node.value
        break
      case 'break':
        add(node)
        isStart = true
        break
      case 'inlineCode':
        add()
        add(...codeNodes(node.value))
        isStart = false
        break
      case 'emphasis':
      case 'strong':
      case 'delete': {
        add()
        const children = inlines(node.children, isStart)
        if (children.length > 0) add({ type: node.type, children })
        isStart = false
        break
      }
      case 'link':
        add()
        add({ type: 'link', url: node.url, children: inlines(node.children, isStart) })
        isStart = false
        break
      case 'linkReference': {
        text += '['
        add()
        add(...inlines(node.children, isStart))
        isStart = false
        text += node.referenceType === 'full' ? `][${node.label ?? ''}]` : ']'
        break
      }
      case 'imageReference':
        text += `${node.alt ?? ''} [${node.label ?? ''}]`
        break
      case 'footnoteReference':
        text += `[^${node.label ?? ''}]`
        break
      default:
    }
  }
  add()
  return joined(printed)
}

// Prefixes that an address may be written without.
const schemes = ['', 'http://', 'https://', 'mailto:']

// Writes the address of a link next to its text, which could claim anything. A link whose text is its address
// becomes that alone.
function withoutAddresses(node: PhrasingContent): PhrasingContent[] {
  if (node.type !== 'image' && (node.type !== 'link' || isWithin(node.url))) return [node]
  const words = toString(node)
  if (node.type === 'link' && schemes.some((scheme) => node.url === scheme + words))
    return [{ type: 'text', value: words }]
  const content: PhrasingContent[] = node.type === 'link' ? node.children : [{ type: 'text', value: words }]
  return [
    ...content.flatMap(withoutAddresses),
    { type: 'text', value: ' (' },
    { type: 'inlineCode', value: node.url },
    { type: 'text', value: ')' },
  ]
}

/** Whether a link stays within the folder of its page and has no special characters. */
function isWithin(url: string): boolean {
  return /^(?!\/)[\w./#?=%~+-]+$/.test(url) && !url.includes('..') && partsForCode(url, false).length === 0
}

// Adjacent code spans are joined, because their backticks would form a fence.
function joined(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = []
  for (const node of nodes) {
    const last = result.at(-1)
    if (node.type === 'inlineCode' && last?.type === 'inlineCode')
      result[result.length - 1] = { type: 'inlineCode', value: last.value + node.value }
    else result.push(node)
  }
  return result
}
