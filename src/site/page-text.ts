import type { Nodes, Root, RootContent } from 'mdast'
import { toString } from 'mdast-util-to-string'
import { visit } from 'unist-util-visit'
import { readFrontMatter } from './markdown/front-matter.ts'
import { readHeadingId } from './markdown/heading-id.ts'
import { createFences } from './markdown/fence.ts'
import { readLine } from './markdown/line.ts'
import { endOf, type PageSyntax, type PageTree, startOf, treeOf } from './markdown/page-tree.ts'
import { zonesOf } from './markdown/zones.ts'
import { markupOf } from './text/markup.ts'
import { asciidocTree } from './asciidoc/tree.ts'
import { restructuredTree } from './restructured/tree.ts'
import { sentenceOf } from './markdown/first-sentence.ts'

export interface Heading {
  level: number
  text: string
  /** Offsets of the heading's block, and of its text. */
  start: number
  textStart: number
  /** Where its section ends: before the next heading, or before the next one of its level or a higher one. */
  ownEnd: number
  wholeEnd: number
}

interface PageLink {
  href: string
  line: number
  start: number
  end: number
  text: string
}

/** A page's text, and what is where in it. All offsets are into `text`. */
export interface PageText {
  text: string
  zones: Uint8Array
  headings: Heading[]
  /** Links with a text, by their own range and that of their text. */
  links: PageLink[]
  /** Front matter by key; `broken` when it exists but cannot be read. */
  fields: Readonly<Record<string, unknown>>
  broken: boolean
  /** It would take the parser too long, so nothing is known about the page. */
  unread: boolean
  /** Where the first and the last block begin and end, front matter and imports left out. */
  start: number
  end: number
  /** The first sentence of its text as a description; undefined where it does not begin with one. */
  sentence: string | undefined
}

/** Reads a page by its syntax tree. Parsing is slow, so each thread caches the pages that it has read. */
export type ReadPage = (text: string, path: string) => PageText

const mostKept = 16_000_000

/** @param reading called with the path of every page before it is parsed */
export function createPages(): (reading: (path: string) => void) => ReadPage {
  const kept = new Map<string, PageText>()
  let size = 0
  return (reading) => (text, path) => {
    const key = `${markupOf(path) ?? (path.endsWith('.mdx') ? 'mdx' : 'md')} ${text}`
    const known = kept.get(key)
    if (known) return known
    reading(path)
    const page = readPage(text, path)
    if (size > mostKept) {
      kept.clear()
      size = 0
    }
    kept.set(key, page)
    size += text.length
    return page
  }
}

function readPage(text: string, path: string): PageText {
  const read = markupTree(text, path) ?? treeOf(text, syntaxOf(text, path))
  const tree = read ?? { type: 'root', children: [] }
  const front = readFrontMatter(text)
  const blocks = tree.children.filter((node) => !['yaml', 'toml', 'mdxjsEsm'].includes(node.type))
  const [first] = blocks
  const last = tree.children.at(-1)
  return {
    text,
    zones: zonesOf(tree, text),
    headings: headingsIn(tree.children, text),
    links: linksIn(tree, text),
    fields: front.data,
    broken: front.problem !== undefined,
    unread: read === undefined,
    start: first === undefined ? text.length : startOf(first),
    end: last === undefined ? text.trimEnd().length : endOf(last),
    sentence: firstSentence(blocks, text),
  }
}

/** The tree of a page in another markup; undefined for Markdown, and for plain text. */
export function markupTree(text: string, path: string): Root | undefined {
  if (path.endsWith('.txt')) return undefined
  const markup = markupOf(path)
  return markup === 'asciidoc' ? asciidocTree(text) : markup && restructuredTree(text)
}

/** Markdown with the imports or expressions of MDX is MDX, as in Docusaurus. MDX that does not parse is parsed again. */
function syntaxOf(text: string, path: string): PageSyntax {
  return path.endsWith('.mdx') || hasMdx(text) ? 'docs-mdx' : 'markdown'
}

const mdxLine =
  /^import\s.{0,300}["']|^export\s{1,9}(?:default|const|let|var|function|async|class|[{*])|<[A-Za-z][^<>]{0,300}=\{|^\s{0,40}[\w:-]{1,60}=\{/

function hasMdx(text: string): boolean {
  if (!/^(?:import|export)\s|=\{/m.test(text)) return false
  const fences = createFences()
  return text
    .split('\n')
    .some((line) => !fences.holds(readLine(line)) && mdxLine.test(line.replaceAll(/`[^`]{0,300}`/g, '')))
}

/** Why a page that is `unread` stays unchanged. */
export const tooMuchMarkup = 'it has more markup in one paragraph than can be read'

export function textField(page: PageText, name: string): string | undefined {
  const value = page.fields[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** The title that readers see: that of the front matter, otherwise the first heading of level 1. */
export function titleOf(page: PageText): string | undefined {
  return textField(page, 'title') ?? page.headings.find((heading) => heading.level === 1)?.text
}

function headingsIn(nodes: readonly RootContent[], text: string): Heading[] {
  const endBefore = (from: number, ends: (node: Nodes) => boolean) => {
    const next = nodes.findIndex((node, index) => index > from && ends(node))
    return endOf(nodes[(next < 0 ? nodes.length : next) - 1])
  }
  return nodes.flatMap((node, index) => {
    if (node.type === 'mdxJsxFlowElement' || node.type === 'containerDirective')
      return headingsIn(node.children, text)
    if (node.type !== 'heading') return []
    const parts = node.children.filter((child) => child.type !== 'html' && child.type !== 'mdxTextExpression')
    const [first, last] = [parts[0], parts.at(-1)]
    if (!first || !last) return []
    const headingText = readHeadingId(text.slice(startOf(first), endOf(last)).trimEnd()).text.trimEnd()
    const [level, start, textStart] = [node.depth, startOf(node), startOf(first)]
    const ownEnd = endBefore(index, (other) => other.type === 'heading')
    const wholeEnd = endBefore(index, (other) => other.type === 'heading' && other.depth <= level)
    return [{ level, text: headingText, start, textStart, ownEnd, wholeEnd }]
  })
}

function linksIn(tree: PageTree, text: string): PageLink[] {
  const links: PageLink[] = []
  visit(tree, 'link', (node) => {
    const [start, end] = [startOf(node), endOf(node)]
    if (text[start] !== '[') return
    const linkText = text.slice(startOf(node.children[0]) || start, endOf(node.children.at(-1)))
    // Attributes of the link (`{.external}`) belong to it.
    const more = /^\{[:.#][^{}\n]*\}/.exec(text.slice(end, end + 200))?.[0].length ?? 0
    const line = node.position?.start.line ?? 0
    links.push({ href: node.url, line, start, end: end + more, text: linkText })
  })
  return links
}

/** Admonitions, components and images are not the beginning of the text. */
function firstSentence(blocks: readonly RootContent[], text: string): string | undefined {
  let depth = 0
  for (const block of blocks) {
    if (block.type !== 'paragraph') continue
    const source = text.slice(startOf(block), endOf(block))
    const marks = source.split('\n').filter((line) => /^(?::{3,}|\/{3,})/.test(line))
    for (const mark of marks) depth += /\w/.test(mark) ? 1 : -Math.min(1, depth)
    const aside = depth > 0 || marks.length > 0 || /^(?:!!!|\?\?\?|===|[<{]|\[\[|\[?!\[)|\{[{%]/.test(source)
    if (aside || block.children.some((child) => child.type === 'mdxTextExpression')) continue
    const texts = block.children.filter((child) => child.type !== 'html').map((child) => toString(child))
    const sentence = sentenceOf(texts.join('').replace(/\{[:.#][^{}\n]*\}/g, ''))
    if (sentence !== undefined) return sentence
  }
  return undefined
}
