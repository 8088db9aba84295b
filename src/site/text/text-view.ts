import { type Edit, endingAt } from './text-file.ts'

/** A text as it is shown: without byte order mark, every line ended by `\n`; and the way back to the file's offsets. */
export interface TextView {
  text: string
  /** From an offset in the view to one in the file. */
  toFile(offset: number): number
}

export function viewText(file: string): TextView {
  const mark = file.startsWith('\uFEFF') ? 1 : 0
  if (!file.includes('\r\n')) return { text: file.slice(mark), toFile: (offset) => offset + mark }
  const text = file.slice(mark).replaceAll('\r\n', '\n')
  // Where in the view a line end stands that has two characters in the file.
  const pairs: number[] = []
  let at = file.indexOf('\r\n', mark)
  for (; at !== -1; at = file.indexOf('\r\n', at + 2)) pairs.push(at - mark - pairs.length)
  return { text, toFile: (offset) => offset + mark + countBelow(pairs, offset) }
}

/**
 * The edit of the file that puts `replacement` in the place of `[start, end)` of its view. It touches as little as
 * it can: what both have in common at the ends stays, and lines keep the endings that they had, in order.
 */
export function editThroughView(
  file: string,
  view: TextView,
  range: { start: number; end: number },
  replacement: string,
): Edit | undefined {
  const wanted = replacement.replaceAll('\r\n', '\n')
  const present = view.text.slice(range.start, range.end)
  if (wanted === present) return undefined
  const most = Math.min(wanted.length, present.length)
  let head = 0
  while (head < most && wanted[head] === present[head]) head++
  let tail = 0
  while (tail < most - head && wanted[wanted.length - 1 - tail] === present[present.length - 1 - tail]) tail++
  const start = view.toFile(range.start + head)
  const end = view.toFile(range.end - tail)
  return { start, end, text: withEndings(file, start, end, wanted.slice(head, wanted.length - tail)) }
}

/** Gives the line ends of `text`, all `\n`, the form that the file has where the text goes. */
function withEndings(file: string, start: number, end: number, text: string): string {
  if (!text.includes('\n')) return text
  const known = file.slice(start, end).match(/\r?\n/g) ?? []
  const usual = known.at(-1) ?? endingAt(file, start)
  let nth = 0
  return text.replaceAll('\n', () => known[nth++] ?? usual)
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
