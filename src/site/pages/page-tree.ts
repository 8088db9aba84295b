import type { Root } from 'mdast'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { z } from 'zod'

/** How a page is read: as MDX, or as Markdown with HTML in it. */
export type PageSyntax = 'mdx' | 'markdown'

/** A page as a syntax tree (mdast). Every node has offsets into the page's text, front matter is a `yaml` or `toml` node. */
export type PageTree = Root

/** Why a page is no text of its syntax. Line and column count from 1. */
export interface PageProblem {
  reason: string
  line: number
  column: number
}

export type ReadPage = { tree: PageTree; problem?: never } | { tree?: never; problem: PageProblem }

const parsers = {
  markdown: unified().use(remarkParse).use(remarkFrontmatter, ['yaml', 'toml']).use(remarkGfm).freeze(),
  mdx: unified()
    .use(remarkParse)
    .use(remarkFrontmatter, ['yaml', 'toml'])
    .use(remarkGfm)
    .use(remarkMdx)
    .freeze(),
}
const maxDepth = 100
const maxKept = 200

/**
 * Reads pages as trees, and keeps the newest ones: judging, checking and editing look at the same few texts. Parsing takes
 * long on some texts of strangers, so this is for a thread with a deadline.
 */
export function createPageTrees(): { read: (text: string, syntax: PageSyntax) => ReadPage } {
  const kept = { markdown: new Map<string, ReadPage>(), mdx: new Map<string, ReadPage>() }
  return {
    read(text, syntax) {
      const known = kept[syntax]
      const found = known.get(text) ?? readPageTree(text, syntax)
      // The map keeps the order of insertion: what was read last is dropped last.
      known.delete(text)
      known.set(text, found)
      const [oldest] = known.keys()
      if (known.size > maxKept && oldest !== undefined) known.delete(oldest)
      return found
    },
  }
}

/** One page as a tree. Markdown has a problem only when it is nested too deep, MDX also where it does not parse. */
export function readPageTree(text: string, syntax: PageSyntax): ReadPage {
  const deep = deepLine(text)
  if (deep !== undefined) return { problem: { reason: 'it is nested too deep', line: deep, column: 1 } }
  try {
    return { tree: parsers[syntax].parse(text) }
  } catch (error) {
    return { problem: problemOf(error) }
  }
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
