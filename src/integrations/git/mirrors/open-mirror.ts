import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Git, Repository } from '../git.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { runGit } from '../process/run-git.ts'

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

/** How a repository names its objects. */
export type ObjectFormat = 'sha1' | 'sha256'

/** Makes an empty repository in formats that do not depend on git's own defaults, which newer versions change. */
export async function initialise(
  git: Git,
  folder: string,
  { branch = 'main', format = 'sha1' }: { branch?: string; format?: ObjectFormat } = {},
): Promise<void> {
  await runGit(git, {
    args: [
      'init',
      '--quiet',
      '--bare',
      '--template=',
      `--object-format=${format}`,
      `--initial-branch=${branch}`,
      '--',
      folder,
    ],
    // Some of our own code reads references as files. Older versions know nothing else.
    environment: { GIT_DEFAULT_REF_FORMAT: 'files' },
  })
}

async function exists(repository: Repository): Promise<boolean> {
  const head = await readFile(join(repository.folder, 'HEAD'), 'utf8').catch(() => undefined)
  return head !== undefined
}
