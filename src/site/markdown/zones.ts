import type { Nodes } from 'mdast'
import { visit } from 'unist-util-visit'
import { isScalar, visit as visitYaml } from 'yaml'
import { openYaml } from '../text/yaml-source.ts'
import { endOf, type PageTree, readPageTree, startOf } from './page-tree.ts'
import { readTag } from './tag.ts'

/**
 * The kind of a range of a page. Prose may be changed freely, code and link targets only when a request means them,
 * markup never.
 */
export type Zone = 'prose' | 'code' | 'link' | 'markup'

/** From free to strict: a range in several zones counts as the strictest of them. */
const zones: readonly Zone[] = ['prose', 'code', 'link', 'markup']
/** Added to a zone inside of quotes, where not every text is allowed. */
const quoted = 8

/** The zone of each character of a page. */
export function zonesOf(tree: PageTree, text: string): Uint8Array {
  const canvas: Canvas = { text, zones: new Uint8Array(text.length).fill(zones.indexOf('markup')), at: same }
  paintTree(tree, canvas)
  return canvas.zones
}

/** The strictest zone of a range. */
export function zoneOf({ zones: painted }: Zoned, start: number, end: number): Zone {
  let strictest = 0
  for (let at = start; at < end; at++) strictest = Math.max(strictest, (painted[at] ?? 0) % quoted)
  return zones[strictest] ?? 'markup'
}

/** Whether the text at an offset is part of a quoted value, of front matter or of a tag. */
export function isQuoted({ zones: painted }: Zoned, start: number): boolean {
  return (painted[start] ?? 0) >= quoted
}

interface Zoned {
  /** As `zonesOf` gives them. */
  zones: Uint8Array
}

interface Canvas {
  text: string
  zones: Uint8Array
  /** Converts an offset of `text` to one of the page. */
  at: (offset: number) => number
}

const same = (offset: number) => offset
/** Front matter fields that readers see; all other fields stay unchanged. */
const shownField =
  /^(?:title|sidebarTitle|sidebar_label|description|summary|tagline|label|lead|excerpt|og:title|og:description|hero|text|details|name|pagination_label)$/
/** Attributes of components that readers see. */
const shownAttribute =
  /^(?:title|sidebarTitle|label|description|caption|alt|summary|text|heading|subtitle|content|placeholder|cta|tag)$/i
const linkAttribute = /^(?:href|src|to|url|link)$/i
const codeElement = /^(?:code|pre|kbd|samp|script|style|svg|textarea)$/i
/** Templates, ids of headings, and the markers of admonitions; in Markdown also invalid tags. */
const signs = [
  /<!--[^<]*-->/g,
  /<[A-Za-z/][^<>]*>/g,
  /\{[{%#:.][^{}\n]*\}{1,2}/g,
  /\{\/\*[^*]*\*\/\}/g,
  /^[ \t>]*(?::::+|!!!|\?\?\?\+?|\/\/\/+)[ \t]*[\w-]*/gm,
  /^(?:import|export) (?:[{*"']|(?:const|let|default|async|function|class) |\w+(?:,| from) )[^\n]*/gm,
]

function paint({ zones: painted, at }: Canvas, zone: Zone, start: number, end: number, extra = 0): void {
  if (end > start) painted.fill(zones.indexOf(zone) + extra, at(start), at(end))
}

/** Outer nodes first, so that inner nodes overwrite their zones. */
function paintTree(tree: PageTree, canvas: Canvas): void {
  visit(tree, (node, index, parent) => {
    const at = index ?? 0
    paintNode(node, canvas, parent?.children.slice(at, at + 50) ?? [])
    const before = parent?.children[at - 1]
    if (node.type === 'code' && before) paintBox(node, before, canvas)
  })
}

function paintNode(node: Nodes, canvas: Canvas, siblings: readonly Nodes[]): void {
  const [start, end] = [startOf(node), endOf(node)]
  const source = () => canvas.text.slice(start, end)
  switch (node.type) {
    case 'paragraph':
    case 'heading':
    case 'tableCell':
      return paintProse(canvas, start, end)
    case 'code':
    case 'inlineCode':
      return paint(canvas, 'code', start, end)
    case 'link': {
      // The text of a bare address is the address.
      const inner = canvas.text[start] === '[' ? (node.children.at(-1) ?? undefined) : undefined
      const from = inner ? endOf(inner) : start
      paint(canvas, 'link', from, end)
      return paintWord(canvas, node.title, from, end)
    }
    case 'image':
      paint(canvas, 'link', start, end)
      paintWord(canvas, node.title, start, end)
      return paintWord(canvas, node.alt, start, end)
    case 'linkReference': {
      // Without a separate label, the text is the label.
      const inner = node.referenceType === 'full' ? node.children.at(-1) : undefined
      return paint(canvas, 'link', inner ? endOf(inner) : start, end)
    }
    case 'imageReference':
    case 'definition':
      return paint(canvas, 'link', start, end)
    case 'html':
      return paintHtml(canvas, start, source(), siblings)
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement': {
      const [first, last] = [node.children[0], node.children.at(-1)]
      paint(canvas, 'markup', start, first ? startOf(first) : end)
      if (last) paint(canvas, 'markup', endOf(last), end)
      if (codeElement.test(node.name ?? '') && first && last)
        paint(canvas, 'code', startOf(first), endOf(last))
      for (const attribute of node.attributes) {
        if (attribute.type !== 'mdxJsxAttribute' || typeof attribute.value !== 'string') continue
        const stop = (attribute.position?.end.offset ?? 0) - 1
        const value = canvas.text.slice(attribute.position?.start.offset ?? 0, stop).search(/["']/)
        if (value >= 0)
          paintAttribute(canvas, attribute.name, (attribute.position?.start.offset ?? 0) + value + 1, stop)
      }
      return
    }
    case 'mdxTextExpression':
    case 'mdxFlowExpression':
    case 'mdxjsEsm':
    case 'footnoteReference':
      return paint(canvas, 'markup', start, end)
    case 'yaml':
      return paintFrontMatter(canvas, canvas.text.indexOf('\n', start) + 1, node.value)
    default:
  }
}

function paintProse(canvas: Canvas, start: number, end: number): void {
  paint(canvas, 'prose', start, end)
  const source = canvas.text.slice(start, end)
  for (const match of signs.flatMap((sign) => [...source.matchAll(sign)]))
    paint(canvas, 'markup', start + match.index, start + match.index + match[0].length)
}

/** A link's title or an image's alternative text, if the source contains it literally. */
function paintWord(canvas: Canvas, word: string | null | undefined, start: number, end: number): void {
  if (typeof word !== 'string' || word === '') return
  const at = canvas.text.slice(start, end).lastIndexOf(word)
  if (at >= 0 && /["'([]/.test(canvas.text[start + at - 1] ?? ''))
    paint(canvas, 'prose', start + at, start + at + word.length, quoted)
}

function paintAttribute(canvas: Canvas, name: string, start: number, end: number): void {
  if (shownAttribute.test(name)) paint(canvas, 'prose', start, end, quoted)
  else if (linkAttribute.test(name)) paint(canvas, 'link', start, end, quoted)
}

/** HTML in Markdown: tags are markup except for the attributes that readers see, and code elements are code. */
function paintHtml(canvas: Canvas, offset: number, source: string, siblings: readonly Nodes[]): void {
  paint(canvas, 'markup', offset, offset + source.length)
  for (let at = source.indexOf('<'); at >= 0;) {
    if (source.startsWith('<!--', at)) {
      const close = source.indexOf('-->', at)
      at = close < 0 ? -1 : source.indexOf('<', close)
      continue
    }
    const tag = readTag(source, at)
    if ('failedAt' in tag) {
      at = source.indexOf('<', Math.max(tag.failedAt, at + 1))
      continue
    }
    for (const attribute of tag.attributes)
      if (attribute.value !== undefined)
        paintAttribute(canvas, attribute.name, offset + attribute.start, offset + attribute.stop)
    let next = source.indexOf('<', tag.end)
    if (codeElement.test(tag.name) && !tag.closing && !tag.selfClosing) {
      const isEnd = (text: string) => text.toLowerCase().startsWith(`</${tag.name.toLowerCase()}`)
      while (next >= 0 && !isEnd(source.slice(next, next + 20))) next = source.indexOf('<', next + 1)
      paint(canvas, 'code', offset + tag.end, offset + (next < 0 ? source.length : next))
      // `<code>x</code>` in a paragraph: the text is a node of its own.
      const closing = siblings.find((node) => node.type === 'html' && isEnd(node.value))
      if (next < 0 && closing) paint(canvas, 'code', offset + source.length, startOf(closing))
    } else paintProse(canvas, offset + tag.end, offset + (next < 0 ? source.length : next))
    at = next
  }
}

function paintFrontMatter(canvas: Canvas, offset: number, source: string): void {
  const document = openYaml(source)
  if (!document) return
  visitYaml(document, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || !isScalar(value) || typeof value.value !== 'string' || !value.range) return
      const inside = value.type === 'QUOTE_DOUBLE' || value.type === 'QUOTE_SINGLE' ? 1 : 0
      const [start, end] = [offset + value.range[0] + inside, offset + value.range[1] - inside]
      if (shownField.test(String(key.value))) paint(canvas, 'prose', start, end, quoted)
      else if (value.value.includes('://')) paint(canvas, 'link', start, end, quoted)
    },
  })
}

/** The indented text below `!!! note` and `=== "Tab"` is Markdown again, which the parser takes for code. */
function paintBox(node: Nodes, before: Nodes, canvas: Canvas): void {
  if (!/^(?:!!!|\?\?\?|===)/.test(canvas.text.slice(startOf(before), startOf(before) + 3))) return
  const from = canvas.text.lastIndexOf('\n', startOf(node) - 1) + 1
  const lines = canvas.text.slice(from, endOf(node)).split('\n')
  if (!lines.every((line) => /^(?: {4}|\t|\s*$)/.test(line))) return
  const moved: number[] = []
  let inner = ''
  let outer = from
  for (const line of lines) {
    const indent = line.startsWith('\t') ? 1 : Math.min(4, line.length)
    for (let at = indent; at <= line.length; at++) moved.push(outer + at)
    inner += `${line.slice(indent)}\n`
    outer += line.length + 1
  }
  const tree = readPageTree(inner, 'markdown').tree
  if (!tree) return
  paint(canvas, 'markup', from, endOf(node))
  const at = (offset: number) => canvas.at(moved[offset] ?? endOf(node))
  paintTree(tree, { text: inner, zones: canvas.zones, at })
}
