import type { Repository } from '../git.ts'
import { runGit } from '../process/run-git.ts'

/** Whether the repository has any reference below `prefix`; a mirror without any was never fetched. */
export async function hasReferences(repository: Repository, prefix = 'refs/'): Promise<boolean> {
  const { stdout } = await runGit(repository.git, {
    args: ['for-each-ref', '--count=1', '--format=%(refname)', prefix],
    folder: repository.folder,
  })
  return stdout.length > 0
}
