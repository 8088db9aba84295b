import { rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from './git.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { runGit } from './run-git.ts'

const useMark = 'docwright-used'

/** Writes down that somebody needed this mirror now. */
export async function noteUse({ folder }: Repository): Promise<void> {
  const path = join(folder, useMark)
  const now = new Date()
  await utimes(path, now, now).catch(() => writeFile(path, '').catch(() => undefined))
}

/** When somebody last needed it; undefined when nobody has yet. */
export async function lastUse({ folder }: Repository): Promise<Date | undefined> {
  return (await stat(join(folder, useMark)).catch(() => undefined))?.mtime
}

/**
 * Deletes a mirror that can be fetched again, unless it holds commits that are nowhere else.
 * @returns whether it is gone
 */
export async function evictMirror(repository: Repository): Promise<boolean> {
  return withRepositoryLock(
    repository,
    async () => {
      const { stdout } = await runGit(repository.git, {
        args: ['for-each-ref', '--count=1', '--format=%(refname)', 'refs/docwright/'],
        folder: repository.folder,
      })
      if (stdout.length > 0) return false
      const away = `${repository.folder}.evicted-${Date.now()}`
      await rename(repository.folder, away)
      await rm(away, { recursive: true, force: true })
      return true
    },
    { patience: 5000 },
  )
}
