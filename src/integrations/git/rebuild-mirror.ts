import { mkdtemp, rename, rm } from 'node:fs/promises'
import type { Repository } from './git.ts'
import { clearSuspicion } from './corruption.ts'
import { initialise } from './open-mirror.ts'
import { registeredFolder } from './remote.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { runGit } from './run-git.ts'

/**
 * Takes a new mirror in place of one that cannot be read. `fill` fetches into it; only when that has worked the old one
 * goes, so that a host that is away costs nothing. What we had made ourselves is taken along as far as it can be read.
 */
export async function rebuildMirror(
  repository: Repository,
  fill: (fresh: Repository) => Promise<void>,
): Promise<void> {
  await withRepositoryLock(repository, async () => {
    const { git, folder } = repository
    const fresh: Repository = { git, folder: await mkdtemp(`${folder}.draft-`) }
    const broken = `${folder}.broken-${Date.now()}`
    try {
      await initialise(git, fresh.folder)
      await fill(fresh)
      await takeOwn(fresh, folder)
      await rename(folder, broken).catch(() => undefined)
      await rename(fresh.folder, folder)
      clearSuspicion(folder)
    } finally {
      await rm(fresh.folder, { recursive: true, force: true })
      await rm(broken, { recursive: true, force: true })
    }
  })
}

async function takeOwn(fresh: Repository, from: string): Promise<void> {
  await runGit(fresh.git, {
    args: ['fetch', '--quiet', '--no-tags', '--', from, '+refs/docwright/*:refs/docwright/*'],
    folder: fresh.folder,
    remote: registeredFolder(from),
    deadline: 300_000,
  }).catch(() => undefined)
}
