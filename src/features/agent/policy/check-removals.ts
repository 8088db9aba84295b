import { decodeText } from '../text/encoding.ts'
import type { Violation } from './violation.ts'
import type { FileDifference } from './file-difference.ts'

const page = /\.(?:md|mdx|markdown|rst|adoc)$/i
const fewPages = 20
const fewLines = 40

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
  if (!suspects.some(({ before, after }) => (after?.length ?? 0) < (before?.length ?? 0))) return []
  const kept = new Set(changes.flatMap(({ after }) => linesOf(after)))
  const violations: Violation[] = []
  let deleted = 0
  for (const { path, before, after } of suspects) {
    const lines = linesOf(before)
    const lost = lines.filter((line) => !kept.has(line))
    if (after === undefined) {
      // Moved pages have their lines elsewhere; those few that were mended on the way do not count.
      if (lost.length > 0 && lost.length * 2 >= lines.length) deleted++
      continue
    }
    const isMost = sizeOf(lost) > sizeOf(lines) * 0.7 && after.length < (before?.length ?? 0) * 0.3
    if (!isMost || lost.length <= fewLines || allows(path)) continue
    violations.push({
      code: 'removal',
      path,
      message: `It would remove most of the page: ${lost.length} of its ${lines.length} lines. Delete the page if it is not needed, or keep its text`,
    })
  }
  const limit = Math.max(fewPages, Math.floor(pages * 0.2))
  if (deleted > limit) {
    violations.push({
      code: 'removal',
      path: '',
      message: `${deleted} pages would be deleted; ${limit} is the limit of one job`,
    })
  }
  return violations
}

function linesOf(content: Uint8Array | undefined): string[] {
  const text = content === undefined ? '' : (decodeText(content)?.text ?? '')
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}
