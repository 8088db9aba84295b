import { type CommitInput, commitTree } from './commit-tree.ts'
import type { Repository } from './git.ts'
import type { FileChange } from './plan-changes.ts'
import { writeTree } from './write-tree.ts'

/**
 * Commits changes on top of a base, which is the first parent's tree unless `base` (a commit or tree) is given.
 * No checkout, no reference moved: point one at the result with `pushBranch` or `updateReference`.
 */
export async function writeCommit(
  repository: Repository,
  input: CommitInput & { base?: string | undefined; changes: readonly FileChange[] },
): Promise<{ commit: string; tree: string }> {
  const tree = await writeTree(repository, { base: input.base ?? input.parents[0], changes: input.changes })
  return { commit: await commitTree(repository, tree, input), tree }
}
