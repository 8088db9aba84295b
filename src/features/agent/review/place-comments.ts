import type { Change } from '../workspace/job-work.ts'
import type { LineComment } from './comments.ts'
import { readLines } from './lines.ts'

export interface PlacedComment extends LineComment {
  /** Where its lines are now; undefined when they were changed since, or are gone. */
  now: { line: number; endLine: number } | undefined
}

/** Finds the lines of comments in a change as it is now. Lines that moved within their file are followed. */
export async function placeComments(
  change: Pick<Change, 'repository' | 'from' | 'to'> | undefined,
  comments: readonly LineComment[],
): Promise<PlacedComment[]> {
  if (change === undefined || comments.length === 0)
    return comments.map((comment) => ({ ...comment, now: undefined }))
  const { repository, from, to } = change
  const pathsOf = (side: LineComment['side']): string[] =>
    comments.filter((comment) => comment.side === side).map(({ path }) => path)
  const sides = {
    old: await readLines(repository, from, pathsOf('old')),
    new: await readLines(repository, to, pathsOf('new')),
  }
  return comments.map((comment) => {
    const { path, side, line, endLine, file, quote } = comment
    const present = sides[side].get(path)
    if (present === undefined) return { ...comment, now: undefined }
    if (present.file === file) return { ...comment, now: { line, endLine } }
    const start = nearest(present.lines, quote.split('\n'), line - 1)
    const now = start === undefined ? undefined : { line: start + 1, endLine: start + 1 + endLine - line }
    return { ...comment, now }
  })
}

/** Where the wanted lines stand together, as near as possible to where they were. */
function nearest(lines: readonly string[], wanted: readonly string[], at: number): number | undefined {
  // Empty lines are everywhere: only their own place says which one was meant.
  const isBlank = wanted.every((line) => line.trim() === '')
  const isAt = (start: number): boolean => wanted.every((line, index) => lines[start + index] === line)
  if (isBlank) return isAt(at) ? at : undefined
  let best: number | undefined
  for (let start = 0; start + wanted.length <= lines.length; start++)
    if (lines[start] === wanted[0] && isAt(start))
      if (best === undefined || Math.abs(start - at) < Math.abs(best - at)) best = start
  return best
}
