import { decodeText } from '../../../site/text/encoding.ts'
import type { Violation } from './violation.ts'
import type { FileDifference } from './file-difference.ts'

const page = /\.(?:md|mdx|markdown|rst|adoc)$/i
const fewPages = 20
const fewLines = 40
const mostMerged = 5

/**
 * What a diff takes away beyond what edits do: most of a page, or a large share of all pages. Text that has gone to
 * another file of the same diff is not lost.
 */
export function removalViolations(
  changes: readonly FileDifference[],
  pages: number,
  allows: (path: string) => boolean = () => false,
): Violation[] {
  const suspects = changes.filter(({ path, before }) => page.test(path) && before !== undefined)
  const kept = keptLines(changes)
  const violations: Violation[] = []
  const absorbed = new Map<string, number>()
  let deleted = 0
  let emptied = 0
  for (const { path, before, after } of suspects) {
    const lines = linesOf(before)
    const lost = lines.filter((line) => !kept.has(line))
    if (after === undefined) {
      // Moved pages have their lines elsewhere; those few that were mended on the way do not count.
      if (lost.length > 0 && lost.length * 2 >= lines.length) deleted++
      else {
        const to = whereTo(lines, kept, absorbed)
        absorbed.set(to, (absorbed.get(to) ?? 0) + 1)
      }
      continue
    }
    const now = linesOf(after)
    const isMost = sizeOf(lost) > sizeOf(lines) * 0.7 && sizeOf(now) < sizeOf(lines) * 0.3
    // A page whose text is written anew is still a page; one that is mostly gone counts as deleted.
    const old = new Set(lines)
    const written = now.filter((line) => !old.has(line))
    if (sizeOf(lost) > sizeOf(lines) * 0.7 && sizeOf(written) * 2 < sizeOf(lost)) emptied++
    if (!isMost || lost.length <= fewLines || allows(path)) continue
    violations.push({
      code: 'removal',
      path,
      message: `It would remove most of the page: ${lost.length} of its ${lines.length} lines. Delete the page if it is not needed, or keep its text`,
    })
  }
  // A page takes in a few others; one that takes in many only hides that they are gone.
  for (const count of absorbed.values()) if (count > mostMerged) deleted += count - mostMerged
  const limit = Math.max(fewPages, Math.floor(pages * 0.2))
  if (deleted + emptied > limit) {
    violations.push({
      code: 'removal',
      path: '',
      message: `${deleted + emptied} pages would be deleted${emptied > 0 ? ' or emptied' : ''}; ${limit} is the limit of one job`,
    })
  }
  return violations
}

/** The lines of pages as they would be, with some of the pages that they stand on. What is no page keeps nothing. */
function keptLines(changes: readonly FileDifference[]): ReadonlyMap<string, string[]> {
  const kept = new Map<string, string[]>()
  for (const { path, after } of changes) {
    if (!page.test(path)) continue
    for (const line of new Set(linesOf(after))) {
      const paths = kept.get(line)
      if (paths === undefined) kept.set(line, [path])
      else if (paths.length < 20) paths.push(path)
    }
  }
  return kept
}

/** The page that holds at least half of some lines and has taken in the fewest others. */
function whereTo(
  lines: readonly string[],
  kept: ReadonlyMap<string, readonly string[]>,
  absorbed: ReadonlyMap<string, number>,
): string {
  const counts = new Map<string, number>()
  for (const line of lines)
    for (const path of kept.get(line) ?? []) counts.set(path, (counts.get(path) ?? 0) + 1)
  const most = Math.min(lines.length / 2, Math.max(0, ...counts.values()))
  const able = [...counts].filter(([, count]) => count >= most).map(([path]) => path)
  return able.reduce(
    (best, one) => ((absorbed.get(one) ?? 0) < (absorbed.get(best) ?? 0) ? one : best),
    able[0] ?? '',
  )
}

function linesOf(content: Uint8Array | undefined): string[] {
  const text = content === undefined ? '' : (decodeText(content)?.text ?? '')
  return withoutComments(withoutComments(text, '<!--', '-->'), '{/*', '*/}')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

// What is commented out is gone for readers.
function withoutComments(text: string, open: string, close: string): string {
  let plain = ''
  let at = 0
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start + open.length)
    if (end === -1) break
    plain += text.slice(at, start)
    at = end + close.length
  }
  return plain + text.slice(at)
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}
