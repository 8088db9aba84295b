import { createProcessor } from '@mdx-js/mdx'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { Range } from './code-ranges.ts'

const markdown = unified().use(remarkParse).use(remarkGfm)
const mdx = createProcessor({ format: 'mdx', remarkPlugins: [remarkGfm] })

/**
 * What a parser of Markdown or MDX takes for code, in order; undefined for what it cannot read. It can take long: it is for
 * a thread.
 */
export function parseCode(text: string, kind: 'markdown' | 'mdx'): Range[] | undefined {
  if (kind === 'markdown') return attempt(() => markdown.parse(text))
  return attempt(() => mdx.parse(text)) ?? attempt(() => mdx.parse(withoutOwn(text)))
}

/** What sites allow beside MDX: comments and ids of headings. */
function withoutOwn(text: string): string {
  return text
    .replaceAll(/<!--(?:[^]*?-->|[^]*$)/g, (comment) =>
      comment.length >= '<!---->'.length && comment.endsWith('-->')
        ? comment.replaceAll(/[^\n]/g, ' ')
        : comment,
    )
    .replaceAll(/\{#[\w:.-]+\}[ \t]*$/gm, (id) => ' '.repeat(id.length))
}

function attempt(parse: () => unknown): Range[] | undefined {
  try {
    const found: Range[] = []
    collect(parse(), found)
    return found
  } catch {
    return undefined
  }
}

function collect(root: unknown, found: Range[]): void {
  const open: unknown[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue
    if ('type' in node && (node.type === 'code' || node.type === 'inlineCode')) {
      const range = 'position' in node ? rangeOf(node.position) : undefined
      if (range !== undefined) found.push(range)
    } else if ('children' in node && Array.isArray(node.children)) open.push(...node.children.toReversed())
  }
}

function rangeOf(position: unknown): Range | undefined {
  if (typeof position !== 'object' || position === null || !('start' in position) || !('end' in position))
    return undefined
  const [start, end] = [offsetOf(position.start), offsetOf(position.end)]
  return start === undefined || end === undefined ? undefined : [start, end]
}

function offsetOf(point: unknown): number | undefined {
  return typeof point === 'object' && point !== null && 'offset' in point && typeof point.offset === 'number'
    ? point.offset
    : undefined
}
