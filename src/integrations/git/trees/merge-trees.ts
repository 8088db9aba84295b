import { AppError } from '../../../lib/errors.ts'
import { commitTree } from './commit-tree.ts'
import { splitAtNul } from './decode-path.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { resolveReference } from '../resolve-reference.ts'
import { GitError, runGit } from '../process/run-git.ts'

/**
 * `tree` of a merge that is not clean holds the conflicting files with conflict markers, which name the two sides by
 * their commits. What is no text, or was deleted or renamed on one side, is a conflict without markers.
 */
export type Merge = { clean: true; tree: string } | { clean: false; tree: string; conflicts: string[] }

/** Merges two commits without a checkout. @throws AppError `conflict` when their histories share no commit. */
export async function mergeTrees(repository: Repository, ours: string, theirs: string): Promise<Merge> {
  try {
    const { stdout, code } = await runGit(repository.git, {
      args: [
        'merge-tree',
        '--write-tree',
        '-z',
        '--name-only',
        '--no-messages',
        requireObjectId(ours),
        requireObjectId(theirs),
      ],
      folder: repository.folder,
      answers: [1],
    })
    const [tree = '', ...conflicts] = [...splitAtNul(stdout)].map((field) => field.toString('utf8'))
    requireObjectId(tree)
    return code === 0 ? { clean: true, tree } : { clean: false, tree, conflicts: [...new Set(conflicts)] }
  } catch (error) {
    if (error instanceof GitError && error.stderr.includes('unrelated histories')) {
      throw new AppError('conflict', 'The two branches share no history and cannot be merged', {
        cause: error,
      })
    }
    throw error
  }
}

/**
 * Applies the changes from `base` to `theirs` to `ours`. All three may be commits or trees without a common
 * history. `sides` are the names in conflict markers.
 */
export async function mergeContents(
  repository: Repository,
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
): Promise<Merge & { sides: [ours: string, theirs: string] }> {
  // git before 2.40 cannot be given a base: it gets one by temporary commits.
  const root = await bareCommit(repository, base, [])
  const [one, other] = await Promise.all([
    bareCommit(repository, ours, [root]),
    bareCommit(repository, theirs, [root]),
  ])
  return { ...(await mergeTrees(repository, one, other)), sides: [one, other] }
}

async function bareCommit(repository: Repository, id: string, parents: readonly string[]): Promise<string> {
  const tree = await resolveReference(repository, requireObjectId(id), 'tree')
  if (tree === undefined) throw new AppError('not_found', `The repository has no tree ${id}`)
  const nobody = { name: 'Docwright', email: 'docwright@localhost' }
  return commitTree(repository, tree, { parents, message: 'Merge', author: nobody, date: new Date(0) })
}
