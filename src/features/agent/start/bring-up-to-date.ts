import { mergeBase } from '../../../integrations/git/trees/ancestry.ts'
import { commitTree } from '../../../integrations/git/trees/commit-tree.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { mergeTrees } from '../../../integrations/git/trees/merge-trees.ts'
import { readBlobs } from '../../../integrations/git/trees/blob-reader.ts'
import { treeEntries } from '../../../integrations/git/trees/tree-entries.ts'
import { writeTree } from '../../../integrations/git/trees/write-tree.ts'
import { AppError } from '../../../lib/errors.ts'
import type { ConflictColumn, MaterialColumn } from '../../../store/columns.ts'
import { conflictIn } from '../workspace/merge-conflicts.ts'
import { isLanguageModel } from '../model/reminders.ts'
import { pathViolation } from '../policy/check-changes.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import type { TurnRow } from '../turns.ts'
import type { Change } from '../workspace/base-tree.ts'

export interface Start {
  commit: string
  /** Parents of the commit to publish, when `commit` is our own merge, which is never pushed itself. */
  parents: [branch: string, base: string] | undefined
  merge: MaterialColumn['merge']
}

const maxConflicts = 200

/**
 * Makes the commit that a turn starts from: the branch, with the base merged in where that has moved. Conflicts in
 * text are marked in the tree for the model to resolve; other conflicts keep the version of the branch. The same
 * input gives the same commit.
 */
export async function bringUpToDate(
  run: TurnRun,
  turn: TurnRow,
  { branchCommit, baseCommit }: { branchCommit: string | undefined; baseCommit: string },
): Promise<Start> {
  const { repository } = run.project
  const plain = (commit: string): Start => ({ commit, parents: undefined, merge: null })
  if (branchCommit === undefined) return plain(baseCommit)
  const common = await mergeBase(repository, branchCommit, baseCommit)
  if (common === branchCommit) return plain(baseCommit)
  if (common === baseCommit) return plain(branchCommit)
  const { base } = run.job
  const merged = await merge(run, branchCommit, baseCommit)
  const isMarked = merged.conflicts.some(({ state }) => state === 'markers')
  if (merged.tree === undefined || (isMarked && (turn.publishes || !isLanguageModel(run.job.model)))) {
    return { ...plain(branchCommit), merge: { base, state: 'refused', conflicts: merged.conflicts } }
  }
  const parents: [string, string] = [branchCommit, baseCommit]
  return {
    commit: await mergeCommit(run, turn, merged.tree, parents),
    parents,
    merge: { base, state: 'merged', conflicts: merged.conflicts },
  }
}

/** Makes the commit of an earlier `bringUpToDate` again, in a mirror that does not have it. */
export async function remakeStart(run: TurnRun, turn: TurnRow, parents: readonly string[]): Promise<string> {
  const [branchCommit = '', baseCommit = ''] = parents
  const { tree } = await merge(run, branchCommit, baseCommit)
  if (tree === undefined) throw new AppError('internal', 'A merge that was made before cannot be made again')
  return mergeCommit(run, turn, tree, [branchCommit, baseCommit])
}

async function mergeCommit(run: TurnRun, turn: TurnRow, tree: string, parents: string[]): Promise<string> {
  return commitTree(run.project.repository, tree, {
    parents,
    message: `Merge ${run.job.base} into the branch`,
    // It is never pushed. Without a signature it stays the same also when the key changes meanwhile.
    author: { ...run.ports.author, signingKey: undefined },
    // Fixed when the turn was queued, so that every process makes the same commit.
    date: turn.created_at,
  })
}

async function merge(
  { project }: TurnRun,
  ours: string,
  theirs: string,
): Promise<{ tree: string | undefined; conflicts: ConflictColumn[] }> {
  const { repository } = project
  try {
    const merged = await mergeTrees(repository, ours, theirs)
    if (merged.clean) return { tree: merged.tree, conflicts: [] }
    const { changes, conflicts } = await sortConflicts(repository, merged, [ours, theirs])
    // The agent could not resolve conflicts in files that it may not write: that is for a person.
    const scope = (path: string) => ({ root: project.root, configPaths: [path] })
    const isBeyond = ({ path, state }: ConflictColumn): boolean =>
      state === 'markers' && pathViolation(path, scope(path)) !== undefined
    if (conflicts.length > maxConflicts || conflicts.some(isBeyond)) return { tree: undefined, conflicts }
    const tree =
      changes.length === 0 ? merged.tree : await writeTree(repository, { base: merged.tree, changes })
    return { tree, conflicts }
  } catch (error) {
    // There is no common history, or a link or folder is in the way.
    if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'invalid')) throw error
    return { tree: undefined, conflicts: [] }
  }
}

/**
 * Keeps text with conflict markers, and restores the first side's version of everything else.
 * @throws AppError `invalid` for what cannot be restored
 */
export async function sortConflicts(
  repository: Repository,
  merged: { tree: string; conflicts: readonly string[] },
  sides: readonly [ours: string, theirs: string],
): Promise<{ changes: Change[]; conflicts: ConflictColumn[] }> {
  const [now, ours, theirs] = await Promise.all(
    [merged.tree, ...sides].map((tree) => treeEntries(repository, tree, merged.conflicts)),
  )
  const contents = await readFiles(repository, [...(now?.values() ?? []), ...(ours?.values() ?? [])])
  const changes: Change[] = []
  const conflicts: ConflictColumn[] = []
  for (const path of merged.conflicts) {
    const present = now?.get(path)
    const own = ours?.get(path)
    const content = present && contents.get(present.oid)
    const marked = content && conflictIn(path, content, sides)
    conflicts.push(marked ?? { path, state: 'kept', rules: 0 })
    if (marked !== undefined || present?.oid === own?.oid) continue
    const kept = own && contents.get(own.oid)
    // git renames a file whose path is a folder on the other side.
    const displaced = own === undefined && theirs?.get(path) === undefined
    if (displaced || (own !== undefined && kept === undefined)) {
      throw new AppError('invalid', `${JSON.stringify(path)} cannot be kept as it is`)
    }
    changes.push({ path, content: kept })
  }
  return { changes, conflicts }
}

async function readFiles(
  repository: Repository,
  entries: readonly { oid: string; mode: string }[],
): Promise<Map<string, Buffer>> {
  const files = entries.filter(({ mode }) => mode.startsWith('100')).map(({ oid }) => oid)
  const contents = new Map<string, Buffer>()
  for await (const blob of readBlobs(repository, new Set(files))) {
    if (blob.state === 'read') contents.set(blob.oid, blob.content)
  }
  return contents
}
