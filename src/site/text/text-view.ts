import { type Edit, endingAt } from './text-file.ts'

/**
 * A text as it is shown, without byte order mark and with `\n` after every line, and the mapping back to offsets of
 * the file.
 */
export interface TextView {
  text: string
  /** From an offset in the view to one in the file. */
  toFile(offset: number): number
}

export function viewText(file: string): TextView {
  const mark = file.startsWith('\uFEFF') ? 1 : 0
  if (!file.includes('\r\n')) return { text: file.slice(mark), toFile: (offset) => offset + mark }
  const text = file.slice(mark).replaceAll('\r\n', '\n')
  // Offsets in the view of line ends that have two characters in the file.
  const pairs: number[] = []
  let at = file.indexOf('\r\n', mark)
  for (; at !== -1; at = file.indexOf('\r\n', at + 2)) pairs.push(at - mark - pairs.length)
  return { text, toFile: (offset) => offset + mark + countBelow(pairs, offset) }
}

/**
 * The edit of the file that replaces `[start, end)` of its view by `replacement`. It changes as little as possible:
 * a common beginning and end stay, and lines keep their line endings in order.
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

/** Changes the line ends of `text`, all `\n`, to those of the file at that place. */
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
