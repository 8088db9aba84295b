import type { Repository } from './git.ts'
import { requireBranchName } from './reference-name.ts'
import { runGit } from './run-git.ts'

/** The commits that branches stand at, in the given order and in one go; undefined for a branch that does not exist. */
export async function resolveBranches(
  repository: Repository,
  branches: readonly string[],
): Promise<(string | undefined)[]> {
  const names = branches.map((branch) => `refs/heads/${requireBranchName(branch)}`)
  const { stdout } = await runGit(repository.git, {
    args: ['for-each-ref', '--format=%(objectname) %(refname)', ...names],
    folder: repository.folder,
  })
  // A name also matches what stands below it.
  const found = new Map(
    stdout
      .toString()
      .split('\n')
      .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const),
  )
  return names.map((name) => found.get(name))
}
