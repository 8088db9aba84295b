import { visit } from 'unist-util-visit'
import { closesFence, type Fence, readFence } from '../../markdown/fence.ts'
import { readLine } from '../../markdown/line.ts'
import { spanOf } from '../../markdown/page-tree.ts'
import type { Finding } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'

/** Code blocks that nothing closes, and those without a language where most others on the page have one. */
export function checkFences(file: FileVersion): Finding[] {
  const blocks = fencedBlocks(file)
  return [...unclosed(blocks), ...unlabelled(blocks)]
}

/** A fenced code block, with the lines of the source as they are. */
interface Block {
  /** Line of the opening fence, from 1. */
  line: number
  opening: string
  content: string[]
  isClosed: boolean
  isLabelled: boolean
}

export function fencedBlocks({ text, tree, mdx }: Pick<FileVersion, 'text' | 'tree' | 'mdx'>): Block[] {
  if (tree === undefined) return []
  const lines = text.split('\n')
  const quotes: (readonly [number, number])[] = []
  const blocks: Block[] = []
  visit(tree, (node) => {
    const [start, end] = spanOf(node)
    if (node.type === 'blockquote') quotes.push([start, end])
    if (node.type !== 'code' || !node.position || !'`~'.includes(text[start] ?? ' ')) return
    const { line } = node.position.start
    const [opening = '', ...content] = lines.slice(line - 1, node.position.end.line)
    const fence = readFence(readLine(opening), mdx !== undefined)
    const last = content.at(-1)
    const closes = fence !== undefined && last !== undefined && closesFence(readLine(last), fence)
    if (closes) content.pop()
    // Code in a quote ends with the quote.
    const isClosed = closes || quotes.some(([from, to]) => start > from && start < to)
    blocks.push({ line, opening, content, isClosed, isLabelled: (node.lang ?? '') !== '' })
  })
  return blocks
}

function unclosed(blocks: readonly Block[]): Finding[] {
  // The closing fence is missing in the block that contains the opening of the next one. All later blocks are wrong
  // because of it.
  for (const { line, opening, content } of blocks) {
    const fence = readFence(readLine(opening))
    const next =
      fence === undefined ? -1 : content.findIndex((one) => opensAlike(fence, readFence(readLine(one))))
    if (next !== -1) return [unclosedAt(line, line + 1 + next)]
  }
  const open = blocks.find(({ isClosed }) => !isClosed)
  return open === undefined ? [] : [unclosedAt(open.line, undefined)]
}

function opensAlike(one: Fence, other: Fence | undefined): boolean {
  return (
    other !== undefined &&
    /^[A-Za-z]/.test(other.info) &&
    (['marker', 'length', 'indent', 'quotes'] as const).every((key) => one[key] === other[key])
  )
}

function unclosedAt(line: number, next: number | undefined): Finding {
  return {
    check: 'fence',
    line,
    message:
      next === undefined
        ? 'The code block that starts here is never closed: all the rest of the page becomes code'
        : 'The code block that starts here is not closed before the next one starts',
    hint:
      next === undefined
        ? 'Close it with a line of as many backticks as open it'
        : `Close it before line ${next}; to show a code block inside another, open and close the outer one with more backticks`,
    same: 'unclosed',
  }
}

const maxLooked = 40
const command =
  /^\s*(?:\$ |#!|(?:sudo|npx|npm|pnpm|yarn|bun|deno|node|pip3?|uv|poetry|python3?|git|curl|wget|docker|kubectl|helm|brew|apt|apt-get|cargo|go|make|cd|mkdir|export)\s+[\w.@/-])/
const statement =
  /^\s*(?:(?:import|export|const|let|var|function|class|def|return|async|await|public|private|package|using|interface|type|from)\s+[\w{*'"].*[;{(=:'"]|#include\b|<\?php|<\/?[A-Za-z][\w.-]*(?:\s[^<>]*)?\/?>|(?:SELECT|INSERT|CREATE|UPDATE|DELETE)\s+\w)/
const setting = /^\s*(?:- )?["']?[\w.-]{1,80}["']?\s*[:=](?:\s|$)/
const ending = /[;{}]\s*$|^\s*[\])}]+[,;]?\s*$/

/** Whether most of what a block shows is a program, commands or settings. */
function isCode(content: readonly string[]): boolean {
  const looked = content.slice(0, maxLooked).map((line) => line.slice(0, 500))
  const written = looked.filter((line) => line.trim() !== '')
  const alike = written.filter((line) =>
    [command, statement, setting, ending].some((form) => form.test(line)),
  )
  return alike.length * 2 > written.length
}

function unlabelled(blocks: readonly Block[]): Finding[] {
  const bare = blocks.filter(({ isLabelled }) => !isLabelled)
  const others = blocks.length - bare.length
  // Nine in ten of the other blocks on the page have a language.
  const isUsual = others > 1 && others * 10 >= (blocks.length - 1) * 9
  return bare.map(({ line, content }) => ({
    check: 'fence',
    // Output, addresses and file trees need no language: there is nothing to highlight.
    ...(isUsual && isCode(content) ? {} : { severity: 'warning' as const }),
    line,
    message: 'Code block has no language',
    hint: 'Write the language after the opening backticks, such as ```bash, or ```text for plain text',
    same: `unlabelled ${content
      .slice(0, 5)
      .map((text) => text.trim().slice(0, 80))
      .join('\n')}`,
    counted: true,
  }))
}
