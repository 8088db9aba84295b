import type { Root } from 'mdast'
import remarkDirective from 'remark-directive'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { z } from 'zod'
import { nearFences } from './fence-syntax.ts'
import { isHostileMarkdown } from './hostile-markdown.ts'

/**
 * The syntax of a page. `markdown`: CommonMark and GFM, with HTML in it. `flat-markdown`: the same, but indented
 * text is never code, as in MDX and inside of admonitions and tabs. `mdx`: plain MDX. `directive-mdx`: with
 * `:::note{…}` and formulas, which plugins handle. `docs-mdx`: also with what frameworks remove before MDX parses a
 * page: HTML comments, `{#id}` after a heading, fences that only hide MDX from translators. `broken-mdx`: Markdown
 * in which tags are text, for MDX that does not parse.
 */
export type PageSyntax = 'markdown' | 'flat-markdown' | 'mdx' | 'directive-mdx' | 'docs-mdx' | 'broken-mdx'

/** A page as a syntax tree (mdast). Every node has offsets into the page's text, front matter is a `yaml` or `toml` node. */
export type PageTree = Root

/** Why a page does not parse in its syntax. Line and column count from 1. */
export interface PageProblem {
  reason: string
  line: number
  column: number
}

export type ReadPage = { tree: PageTree; problem?: never } | { tree?: never; problem: PageProblem }

const markdown = unified().use(remarkParse).use(remarkFrontmatter, ['yaml', 'toml']).use(remarkGfm).freeze()
const mdx = markdown().use(remarkMdx).freeze()
const parsers = {
  markdown,
  'flat-markdown': markdown()
    .data('micromarkExtensions', [{ disable: { null: ['codeIndented'] } }, nearFences])
    .freeze(),
  'broken-mdx': markdown()
    .data('micromarkExtensions', [{ disable: { null: ['codeIndented', 'htmlFlow', 'htmlText'] } }])
    .freeze(),
  mdx,
  'directive-mdx': mdx().use(remarkDirective).freeze(),
}

const maxDepth = 100
const maxKept = 200
const maxKeptLength = 4_000_000

/**
 * Reads pages as trees, and keeps the newest ones: judging, checking and editing look at the same few texts. Parsing takes
 * long on some texts of strangers, so this is for a thread with a deadline.
 */
export function createPageTrees(): { read: (text: string, syntax: PageSyntax) => ReadPage } {
  const kept = new Map<string, ReadPage>()
  let length = 0
  return {
    read(text, syntax) {
      const key = `${syntax} ${text}`
      const known = kept.get(key)
      const tree = known ?? readPageTree(text, syntax)
      // The map keeps the order of insertion: what was read last is dropped last.
      kept.delete(key)
      kept.set(key, tree)
      if (known === undefined) length += key.length
      for (const [oldest] of kept) {
        if (oldest === key || (kept.size <= maxKept && length <= maxKeptLength)) break
        kept.delete(oldest)
        length -= oldest.length
      }
      return tree
    },
  }
}

/** The trees of this thread. */
export const pageTrees = createPageTrees()

/** The tree of a page, also of MDX that does not parse: there, tags are text. Undefined for what is not parsed at all. */
export function treeOf(text: string, syntax: PageSyntax): PageTree | undefined {
  return pageTrees.read(text, syntax).tree ?? pageTrees.read(text, 'broken-mdx').tree
}

/**
 * One page as a tree. Markdown has a problem only when it is nested too deep or would take very long to read, MDX also
 * where it does not parse.
 */
export function readPageTree(text: string, syntax: PageSyntax): ReadPage {
  const problem = objectionTo(text)
  if (problem !== undefined) return { problem }
  if (syntax === 'docs-mdx') return parseWithFormulas(withoutExtras(text))
  return syntax === 'directive-mdx' ? parseWithFormulas(text) : parse(text, syntax)
}

/** Why a page is not parsed at all. Markdown has no other problem. */
export function objectionTo(text: string): PageProblem | undefined {
  const deep = deepLine(text)
  if (deep !== undefined) return { reason: 'it is nested too deep', line: deep, column: 1 }
  return isHostileMarkdown(text)
    ? { reason: 'it would take too long to read', line: 1, column: 1 }
    : undefined
}

function parse(text: string, syntax: keyof typeof parsers): ReadPage {
  // The parser leaves a byte order mark out of its offsets.
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  try {
    const tree = parsers[syntax].parse(text.slice(mark))
    if (mark === 1) visit(tree, shiftOffsets)
    return { tree }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

function shiftOffsets({ position }: Placed): void {
  for (const point of position ? [position.start, position.end] : [])
    if (point.offset !== undefined) point.offset++
}

/** Blanks everything that frameworks remove before MDX parses a page. */
function withoutExtras(text: string): string {
  if (!/<!--|\{\s*#|mdx-code-block/.test(text)) return text
  const { tree } = parse(text, 'flat-markdown')
  if (tree === undefined) return text
  const spans: Span[] = []
  visit(tree, (node) => {
    const [start, end] = spanOf(node)
    const source = text.slice(start, end)
    if (node.type === 'html') spans.push(...commentsIn(text, [start, end]))
    else if (node.type === 'heading') {
      const id = /\{\s*#[^{}]*\}\s*$/.exec(source)
      // Without its end it is text: Docusaurus escapes the first one of every heading.
      const [from, to] = id ? [id.index, source.length] : [source.indexOf('{#'), source.indexOf('{#') + 2]
      if (from !== -1) spans.push([start + from, start + to])
    } else if (node.type === 'code' && node.lang === 'mdx-code-block') {
      spans.push([start, start + source.indexOf('\n') + 1], [start + source.lastIndexOf('\n') + 1, end])
    }
  })
  return blankSpans(text, spans)
}

/** The HTML comments in a part of the text that holds HTML. */
function commentsIn(text: string, [from, to]: Span): Span[] {
  const comments: Span[] = []
  for (let at = text.indexOf('<!--', from); at !== -1 && at < to;) {
    const close = text.indexOf('-->', at)
    if (close === -1 || close >= to) break
    comments.push([at, close + 3])
    at = text.indexOf('<!--', close)
  }
  return comments
}

/** From an offset to another. */
export type Span = readonly [start: number, end: number]

interface Placed {
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined
}

/** Where a node stands in the text that it was read from. */
export function spanOf({ position }: Placed): Span {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0]
}

/** Where a node begins; 0 for none. */
export function startOf(node: Placed | undefined): number {
  return node?.position?.start.offset ?? 0
}

/** Where a node ends; 0 for none. */
export function endOf(node: Placed | undefined): number {
  return node?.position?.end.offset ?? 0
}

/** The text with spaces in the place of some spans, which may overlap. Line ends stay, and so do all offsets. */
export function blankSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let at = 0
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    if (end <= at) continue
    parts.push(text.slice(at, start), text.slice(Math.max(at, start), end).replace(/[^\r\n]/g, ' '))
    at = end
  }
  return parts.join('') + text.slice(at)
}

/**
 * Formulas hold braces that only a plugin for them understands, and dollars may be prices: where a page does not parse, the
 * signs of MDX within what looks like formulas are hidden from the parser.
 */
function parseWithFormulas(text: string): ReadPage {
  const plain = parse(text, 'directive-mdx')
  if (plain.tree || !text.includes('$') || /[\uE000-\uE07F]/.test(text)) return plain
  const { line, reason } = plain.problem
  const hidden = hideFormulas(text)
  const lineIn = (page: string) => page.split('\n', line)[line - 1]
  if (lineIn(hidden) === lineIn(text) && !reason.startsWith('Unexpected end of file')) return plain
  const other = parse(hidden, 'directive-mdx')
  if (!other.tree) return other.problem.line > plain.problem.line ? other : plain
  visit(other.tree, (node) => {
    if ('value' in node && typeof node.value === 'string') node.value = showFormulas(node.value)
  })
  return other
}

function hideFormulas(text: string): string {
  const hide = (formula: string): string =>
    formula.replace(/[{}<>_*\\`[\]:&]/g, (sign) => String.fromCharCode(0xe000 + sign.charCodeAt(0)))
  return text
    .replace(/(?<!\\)\$\$(?:(?!\$\$)[\s\S]){1,10000}\$\$/g, hide)
    .replace(/(?<![\\$])\$(?=[^\s$])[^$\n]{1,1000}\$/g, hide)
}

function showFormulas(text: string): string {
  return text.replace(/[\uE000-\uE07F]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000))
}

/** The line whose markers of quotations and lists nest too deep: each level costs the parser a pass over the line. */
function deepLine(text: string): number | undefined {
  let line = 0
  for (const one of text.split('\n')) {
    line++
    let depth = 0
    for (const sign of one.slice(0, 4 * maxDepth)) {
      if (sign === '>' || sign === '-' || sign === '*' || sign === '+' || sign === '.' || sign === ')')
        depth++
      else if (!/[\s\d]/.test(sign)) break
    }
    if (depth > maxDepth && /[>\s]/.test(one)) return line
  }
  return undefined
}

const point = z.object({ line: z.number(), column: z.number() })
const complaint = z.object({
  reason: z.string(),
  line: z.number().optional().catch(undefined),
  column: z.number().optional().catch(undefined),
  place: point
    .or(z.object({ start: point }).transform(({ start }) => start))
    .optional()
    .catch(undefined),
})

function problemOf(error: unknown): PageProblem {
  const parsed = complaint.safeParse(error)
  if (!parsed.success) return { reason: 'it is nested too deep', line: 1, column: 1 }
  const { reason, line, column, place } = parsed.data
  // Where a tag is still open at the end of the page, only the reason says where it was opened.
  const [, openLine = 1, openColumn = 1] = /\((\d+):(\d+)-/.exec(reason) ?? []
  return {
    reason,
    line: line ?? place?.line ?? Number(openLine),
    column: column ?? place?.column ?? Number(openColumn),
  }
}
