import { AppError } from '../../lib/errors.ts'
import { splitAtNul } from './decode-path.ts'
import type { Repository } from './git.ts'
import { requireObjectId } from './object-id.ts'
import { GitError, runGit } from './run-git.ts'

/** `tree` of a merge that is not clean holds the conflicting files with conflict markers. */
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
