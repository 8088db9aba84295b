import { rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { halfFolder } from './fill-mirror.ts'
import type { Repository } from '../git.ts'
import { hasReferences } from './has-references.ts'
import { withRepositoryLock } from './repository-lock.ts'

const useMark = 'docwright-used'

/** Records that the mirror is used now. */
export async function noteUse({ folder }: Repository): Promise<void> {
  const path = join(folder, useMark)
  const now = new Date()
  await utimes(path, now, now).catch(() => writeFile(path, '').catch(() => undefined))
}

/** When the mirror was last used, or when it was made if it never was; undefined when there is no mirror. */
export async function lastUse({ folder }: Repository): Promise<Date | undefined> {
  const stats = await stat(join(folder, useMark)).catch(() =>
    stat(join(folder, 'HEAD')).catch(() => undefined),
  )
  return stats?.mtime
}

/**
 * Deletes a mirror that can be fetched again, unless it holds commits that exist nowhere else, or was used after
 * `unusedSince`.
 * @returns whether a mirror was deleted
 */
export async function evictMirror(repository: Repository, unusedSince = new Date()): Promise<boolean> {
  return withRepositoryLock(
    repository,
    async () => {
      const used = await lastUse(repository)
      if (used === undefined || used > unusedSince) return false
      if (await hasReferences(repository, 'refs/docwright/')) return false
      await remove(repository)
      return true
    },
    { patience: 5000 },
  )
}

/** Deletes a mirror that is not needed any more, with everything in it. */
export async function removeMirror(repository: Repository): Promise<void> {
  await withRepositoryLock(repository, () => remove(repository))
}

// It is renamed first, so that no process sees it half deleted.
async function remove({ folder }: Repository): Promise<void> {
  const away = `${folder}.evicted-${Date.now()}`
  await rename(folder, away).catch(() => undefined)
  await rm(halfFolder(folder), { recursive: true, force: true })
  await rm(away, { recursive: true, force: true })
}
