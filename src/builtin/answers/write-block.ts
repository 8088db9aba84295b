import type { Block } from './read-blocks.ts'
import { safeText } from './safe-text.ts'

/** A block as Markdown of its own. */
export function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return safeText(block.text)
    case 'list':
      return block.items
        .map(({ indent, marker, text }) => `${' '.repeat(indent)}${marker} ${safeText(text)}`)
        .join('\n')
    case 'table': {
      const rows = [block.header, block.header.map(() => '---'), ...block.rows]
      return rows.map((row) => `| ${row.map(writeCell).join(' | ')} |`).join('\n')
    }
    case 'code': {
      const longest = block.lines.reduce(
        (most, line) => Math.max(most, /^\s*(`+)/.exec(line)?.[1]?.length ?? 0),
        2,
      )
      const fence = '`'.repeat(longest + 1)
      return [`${fence}${block.language}`, ...block.lines, fence].join('\n')
    }
  }
}

function writeCell(cell: string): string {
  return safeText(cell.replaceAll('\\|', '|')).replaceAll('|', '\\|')
}
