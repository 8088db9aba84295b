import type { Edit } from '../tools.ts'

/** A stretch of a page's text and what takes its place. */
export interface Change {
  start: number
  end: number
  replace: string
}

/**
 * The edits of one page for changes that do not overlap. Each edit holds whole lines and its line number,
 * last line first, so that the numbers stay true while the edits are made one after another.
 */
export function lineEdits(text: string, changes: readonly Change[]): { edits: Edit[]; lines: number[] } {
  const starts = lineStarts(text)
  const blocks: { first: number; last: number; changes: Change[] }[] = []
  for (const change of [...changes].sort((a, b) => a.start - b.start)) {
    const first = lineAt(starts, change.start)
    const last = lineAt(starts, change.end)
    const block = blocks.at(-1)
    if (block && first <= block.last) {
      block.last = Math.max(block.last, last)
      block.changes.push(change)
    } else blocks.push({ first, last, changes: [change] })
  }
  const edits: Edit[] = []
  for (const block of blocks.reverse()) {
    const start = starts[block.first] ?? 0
    const next = starts[block.last + 1]
    const end = next === undefined ? text.length : next - 1
    const search = text.slice(start, end)
    let replace = ''
    let at = start
    for (const change of block.changes) {
      replace += text.slice(at, change.start) + change.replace
      at = change.end
    }
    replace += text.slice(at, end)
    if (search !== replace && search !== '') edits.push({ search, replace, line: block.first + 1 })
  }
  const lines = new Set(changes.map((change) => lineAt(starts, change.start) + 1))
  return { edits, lines: [...lines].sort((a, b) => a - b) }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Index of the line that holds an offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
