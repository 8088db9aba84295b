import type { Finding } from './problem.ts'
import type { FileVersion } from './tree-change.ts'

/** Code blocks that nothing closes, and those without a language where most others on the page have one. */
export function checkFences({ lines }: FileVersion): Finding[] {
  return [...unclosed(lines), ...unlabelled(lines)]
}

type Lines = FileVersion['lines']

function unclosed(lines: Lines): Finding[] {
  // A block that swallows the opening of the next one is where the closing is missing; all after it go wrong.
  let opening = ''
  let opened = 0
  for (const [at, { kind, text }] of lines.entries()) {
    if (kind === 'opening') {
      opening = text
      opened = at + 1
    } else if (kind === 'code' && labelled.test(text) && markerOf(opening) === markerOf(text))
      return [unclosedAt(opened, at + 1)]
  }
  const last = lines.findLast(({ kind, text }) => kind !== 'code' || text.trim() !== '')
  return last?.kind === 'opening' || last?.kind === 'code' ? [unclosedAt(opened, undefined)] : []
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

function contentOf(lines: Lines, opening: number): string[] {
  const end = lines.findIndex(({ kind }, at) => at > opening && kind !== 'code')
  return lines
    .slice(opening + 1, Math.min(end === -1 ? lines.length : end, opening + 1 + maxLooked))
    .map(({ text }) => text.slice(0, 500))
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
  const written = content.filter((line) => line.trim() !== '')
  const alike = written.filter((line) =>
    [command, statement, setting, ending].some((form) => form.test(line)),
  )
  return alike.length * 2 > written.length
}

const labelled = /^[\s>]*(?:`{3,}|~{3,})\s*[A-Za-z][^`]*$/

/** With its indentation. */
function markerOf(text: string): string {
  return /^[\s>]*(?:`{3,}|~{3,})/.exec(text)?.[0] ?? ''
}

function unlabelled(lines: Lines): Finding[] {
  const blocks = lines.flatMap((line, at) => (line.kind === 'opening' ? [{ line, at }] : []))
  const bare = blocks.filter(({ line }) => (line.info ?? '') === '')
  const others = blocks.length - bare.length
  // Of the other blocks on the page, nine in ten.
  const isUsual = others > 1 && others * 10 >= (blocks.length - 1) * 9
  return bare.map(({ at }) => ({
    check: 'fence',
    // Output, addresses and trees of files need no language: nothing would be coloured.
    ...(isUsual && isCode(contentOf(lines, at)) ? {} : { severity: 'warning' as const }),
    line: at + 1,
    message: 'The code block does not say what language it is in',
    hint: 'Write the language behind the opening backticks, such as ```bash, or ```text for plain text',
    same: `unlabelled ${lines
      .slice(at + 1, at + 6)
      .map(({ text }) => text.trim().slice(0, 80))
      .join('\n')}`,
    counted: true,
  }))
}
