import type { Finding } from './problem.ts'
import type { FileVersion } from './tree-change.ts'

/** Code blocks that nothing closes, and those without a language where most others on the page have one. */
export function checkFences({ lines }: FileVersion): Finding[] {
  return [...unclosed(lines), ...unlabelled(lines)]
}

type Lines = FileVersion['lines']

function unclosed(lines: Lines): Finding[] {
  const last = lines.findLast(({ kind, text }) => kind !== 'code' || text.trim() !== '')
  if (last?.kind !== 'opening' && last?.kind !== 'code') return []
  const opened = lines.findLastIndex(({ kind }) => kind === 'opening')
  // A block that swallows the opening of the next one is where the closing is missing; all after it go wrong.
  for (let at = 0, start = -1; at < lines.length; at++) {
    const line = lines[at]
    if (line?.kind === 'opening') start = at
    if (line?.kind !== 'code' || !/^[\s>]*(?:`{3,}|~{3,})\s*[A-Za-z]/.test(line.text)) continue
    const opening = lines[start]?.text.trim() ?? ''
    if (markerOf(line.text) === markerOf(opening)) return [unclosedAt(start + 1, at + 1)]
  }
  return [unclosedAt(opened + 1, undefined)]
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

function markerOf(text: string): string {
  return /[`~]{3,}/.exec(text)?.[0] ?? ''
}

function unlabelled(lines: Lines): Finding[] {
  const blocks = lines.flatMap((line, at) => (line.kind === 'opening' ? [{ line, at }] : []))
  const bare = blocks.filter(({ line }) => (line.info ?? '') === '')
  const labelled = blocks.length - bare.length
  // Of the other blocks on the page, three in four.
  const isUsual = labelled > 0 && labelled * 4 >= (blocks.length - 1) * 3
  return bare.map(({ at }) => ({
    check: 'fence',
    ...(isUsual ? {} : { severity: 'warning' as const }),
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
