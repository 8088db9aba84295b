import { structuredPatch } from 'diff'
import { isRecord } from '../../../../lib/is-record.ts'
import { viewText } from '../../../../site/text/text-view.ts'

/** From `line` on, as lines were numbered before, some lines went and some came. */
export interface LineChange {
  line: number
  removed: number
  added: number
}

const timeout = 1000
const mostChanges = 2000

/** The lines in which two texts differ, in order; undefined where that cannot be said. */
export function lineChanges(before: string, after: string): LineChange[] | undefined {
  const patch = structuredPatch('', '', viewText(before).text, viewText(after).text, '', '', {
    context: 0,
    timeout,
  })
  if (patch === undefined || patch.hunks.length > mostChanges) return undefined
  return patch.hunks.map(({ oldStart, oldLines, newLines }) => ({
    line: oldStart,
    removed: oldLines,
    added: newLines,
  }))
}

/** The same from an output of a tool. */
export function readLineChanges(value: unknown): LineChange[] | undefined {
  if (!Array.isArray(value)) return undefined
  const changes: LineChange[] = []
  for (const item of value) {
    const { line, removed, added } = isRecord(item) ? item : {}
    if (typeof line !== 'number' || typeof removed !== 'number' || typeof added !== 'number') return undefined
    changes.push({ line, removed, added })
  }
  return changes
}

/** The number of a line after a change; undefined for a line that it took out. */
export function shiftedLine(changes: readonly LineChange[], line: number): number | undefined {
  let by = 0
  for (const change of changes) {
    if (change.line > line) break
    if (line < change.line + change.removed) return undefined
    by += change.added - change.removed
  }
  return line + by
}
