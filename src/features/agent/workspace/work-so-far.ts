import { diffTrees } from '../../../integrations/git/trees/diff-trees.ts'
import { writeTree } from '../../../integrations/git/trees/write-tree.ts'
import type { Reader } from '../../../store/database.ts'
import type { ChangeColumn } from '../../../store/columns.ts'
import { readTurn } from '../turns.ts'
import { keptBase, type DiffedProject } from './job-work.ts'
import { readOverlay } from './overlay.ts'
import { describeChanges } from './tree-difference.ts'

/** What a turn under way has changed so far, since it started; undefined while that is nothing. */
export async function workSoFar(
  reader: Reader,
  project: DiffedProject,
  turnId: string,
): Promise<{ changes: ChangeColumn[]; diff: string } | undefined> {
  const turn = await readTurn(reader, turnId)
  const changed = turn ? await readOverlay(reader, turnId) : []
  if (turn === undefined || changed.length === 0) return undefined
  const repository = await project.open(turn.start_commit === null ? [] : [turn.start_commit])
  const base = await keptBase(repository, turn)
  if (base === undefined) return undefined
  const tree = await writeTree(repository, { base, changes: changed })
  const [changes, diff] = await Promise.all([
    describeChanges(repository, base, tree),
    diffTrees(repository, base, tree),
  ])
  return { changes, diff: diff.text }
}
