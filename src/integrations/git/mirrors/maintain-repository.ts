import type { Repository } from '../git.ts'
import { removeLeftoverPacks } from './leftover-packs.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { runGit } from '../process/run-git.ts'

/**
 * Joins packs and loose objects when there are many, and removes objects that nothing has referred to for two
 * weeks. It is cheap when there is nothing to do, and is called now and then, never during a job.
 */
export async function maintainRepository(repository: Repository, signal?: AbortSignal): Promise<void> {
  await withRepositoryLock(repository, async () => {
    await removeLeftoverPacks(repository.folder, 86_400_000)
    await runGit(repository.git, {
      args: ['gc', '--auto', '--quiet'],
      folder: repository.folder,
      config: [
        ['gc.auto', '5000'],
        ['gc.autoPackLimit', '30'],
        ['gc.autoDetach', 'false'],
        ['gc.pruneExpire', '2.weeks.ago'],
      ],
      signal,
      deadline: 3_600_000,
    })
  })
}
