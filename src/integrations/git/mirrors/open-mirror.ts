import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Git, Repository } from '../git.ts'
import { initialise } from './initialise.ts'
import { withRepositoryLock } from './repository-lock.ts'

/**
 * Opens the bare repository in `folder`, or creates an empty one. A new one is moved into place, so it is never
 * incomplete.
 */
export async function openMirror(git: Git, folder: string): Promise<Repository> {
  const repository: Repository = { git, folder: resolve(folder) }
  if (await exists(repository)) return repository
  return withRepositoryLock(repository, async () => {
    if (await exists(repository)) return repository
    await mkdir(dirname(repository.folder), { recursive: true })
    const draft = await mkdtemp(`${repository.folder}.draft-`)
    try {
      await initialise(git, draft)
      // A folder without a HEAD is damaged, or was made by a person.
      await rm(repository.folder, { recursive: true, force: true })
      await rename(draft, repository.folder)
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
    return repository
  })
}

async function exists(repository: Repository): Promise<boolean> {
  const head = await readFile(join(repository.folder, 'HEAD'), 'utf8').catch(() => undefined)
  return head !== undefined
}
