import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { commitTree, type CommitInput } from '../trees/commit-tree.ts'
import type { Git, Repository } from '../git.ts'
import { initialise } from './initialise.ts'
import { requireBranchName } from '../reference-name.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { resolveReference } from '../resolve-reference.ts'
import { runGit } from '../process/run-git.ts'
import type { FileChange } from '../trees/plan-changes.ts'
import { writeTree } from '../trees/write-tree.ts'

/**
 * A bare repository in `folder` whose one commit holds the files; the same input gives the same commit.
 * A repository that is already there is returned as it is, so that several processes may try at once.
 */
export async function createRepository(
  git: Git,
  folder: string,
  input: Omit<CommitInput, 'parents'> & { branch: string; files: readonly FileChange[] },
): Promise<{ repository: Repository; created: boolean }> {
  const branch = requireBranchName(input.branch)
  const repository: Repository = { git, folder: resolve(folder) }
  return withRepositoryLock(repository, async () => {
    if (await resolveReference(repository, `refs/heads/${branch}`)) return { repository, created: false }
    await mkdir(dirname(repository.folder), { recursive: true })
    const draft: Repository = { git, folder: await mkdtemp(`${repository.folder}.draft-`) }
    try {
      await initialise(git, draft.folder, { branch })
      const { commit } = await writeCommit(draft, { ...input, parents: [], changes: input.files })
      await runGit(git, { args: ['update-ref', `refs/heads/${branch}`, commit], folder: draft.folder })
      await rename(draft.folder, repository.folder)
    } finally {
      await rm(draft.folder, { recursive: true, force: true })
    }
    return { repository, created: true }
  })
}

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
