import { difference } from '../workspace/tree-difference.ts'
import { mergeContents } from '../../../integrations/git/trees/merge-trees.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { writeTree } from '../../../integrations/git/trees/write-tree.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Reader } from '../../../store/database.ts'
import type { ConflictColumn, MaterialColumn } from '../../../store/columns.ts'
import { sortConflicts, type Start } from './bring-up-to-date.ts'
import { conflictIn } from '../workspace/merge-conflicts.ts'
import { keptBase } from '../workspace/job-work.ts'
import { readOverlay } from '../workspace/overlay.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import { keptTurn, type TurnRow } from '../turns.ts'
import type { Change } from '../workspace/base-tree.ts'
import type { DirtyEntry } from '../workspace/workspace.ts'

export interface Carried {
  from: TurnRow
  entries: DirtyEntry[]
  material: NonNullable<MaterialColumn['carried']>
  /** Commits that the conflict markers in the entries name. */
  markers: string[]
}

/**
 * Merges the changes that an earlier turn left unpublished, however it ended, into what this one starts from.
 * Undefined when there are none.
 */
export async function carryWork(run: TurnRun, start: Start, reader: Reader): Promise<Carried | undefined> {
  const { repository } = run.project
  const from = await keptTurn(reader, run.job.id)
  if (from === undefined) return undefined
  const overlay = await readOverlay(reader, from.id)
  const base = await keptBase(repository, from)
  const ours = await resolveReference(repository, start.commit, 'tree')
  if (overlay.length === 0 || base === undefined || ours === undefined) return undefined
  const before = from.material?.markers ?? []
  if (base === ours) return carried(from, overlay, before, [])
  // A text with markers and its resolution cannot be merged: the markers of the newer merge stay.
  const entangled = [start.merge, from.material?.merge].flatMap((merge) =>
    (merge?.conflicts ?? []).filter(({ state }) => state === 'markers').map(({ path }) => path),
  )
  const theirs = await writeTree(repository, { base, changes: overlay })
  const merged = await mergeContents(repository, { base, ours, theirs })
  if (merged.clean) {
    return carried(from, await difference(repository, ours, merged.tree, []), before, [])
  }
  try {
    const { changes, conflicts } = await sortConflicts(repository, merged, merged.sides)
    const left = conflicts.filter(({ path, state }) => state === 'kept' || entangled.includes(path))
    const skipped = [...left, ...changes].map(({ path }) => path)
    const entries = await difference(repository, ours, merged.tree, skipped)
    return carried(from, entries, [...before, ...merged.sides], left)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error
    return undefined
  }
}

function carried(
  from: TurnRow,
  changes: readonly Change[],
  commits: readonly string[],
  left: readonly ConflictColumn[],
): Carried | undefined {
  if (changes.length === 0 && left.length === 0) return undefined
  const marked = changes.flatMap(({ path, content }) => (content && conflictIn(path, content, commits)) ?? [])
  return {
    from,
    entries: changes.map(({ path, content }) =>
      content === undefined ? { path, state: 'removed' } : { path, state: 'written', content },
    ),
    material: {
      turn: from.n,
      reason: reasonOf(from),
      paths: changes.map(({ path }) => path),
      conflicts: [...marked, ...left.map(({ path }) => ({ path, state: 'kept' as const, rules: 0 }))],
    },
    markers: commits.slice(),
  }
}

// A turn that only tried to publish says nothing about why the work before it had ended.
function reasonOf({ publishes, material, failure, outcome }: TurnRow): string {
  const ended = {
    needs_input: 'It asked the person a question',
    changed: 'They were refused, and only the others were published',
    no_change: 'It ended without publishing them',
    nothing_done: 'It ended without publishing them',
  }[outcome ?? 'no_change']
  return (publishes ? material?.carried?.reason : undefined) ?? failure?.message ?? ended
}
