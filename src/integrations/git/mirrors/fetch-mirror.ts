import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isSuspect } from '../corruption.ts'
import { type FetchOptions, type TimedFetch, fetchAll, isBroken, timed } from './fetch-references.ts'
import { fillMirror } from './fill-mirror.ts'
import type { Repository } from '../git.ts'
import { isOtherFormat } from '../remotes/explain-remote-failure.ts'
import { requireBranchName } from '../reference-name.ts'
import type { Remote } from '../remote.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { runGit } from '../process/run-git.ts'

/**
 * Updates the mirror's branches and tags from the remote, and removes those that were deleted there. Only changes
 * are transferred. Other references (`refs/docwright/…`) are left alone. A mirror that is empty or damaged is
 * fetched again into a folder beside it, which is kept and continued if the fetch breaks off. Takes the
 * repository's lock.
 * @param options `head`: the branch that the mirror's own HEAD names, which a clone of the mirror checks out
 * @throws AppError `unavailable` when the remote is away or the deadline has passed, `too_large` over the quota
 */
export async function fetchMirror(
  repository: Repository,
  remote: Remote,
  options: FetchOptions & { head?: string | undefined } = {},
): Promise<void> {
  const head = options.head === undefined ? undefined : requireBranchName(options.head)
  await withRepositoryLock(
    repository,
    async () => {
      const fetch = timed(options, await isFilled(repository))
      if (!(await update(repository, remote, fetch))) await fillMirror(repository, remote, fetch)
      if (head !== undefined) await setHead(repository, head)
    },
    { signal: options.signal },
  )
}

/** @returns whether there was something that could be brought up to date */
async function update(repository: Repository, remote: Remote, options: TimedFetch): Promise<boolean> {
  if (isSuspect(repository.folder)) return false
  try {
    if (!options.isKnown) return false
    await fetchAll(repository, remote, options)
    return true
  } catch (error) {
    // A repository that was made again with other names of objects has nothing in common with the mirror.
    if (!isBroken(error) && !isOtherFormat(error)) throw error
    return false
  }
}

// Only the folder is looked at: the fetch that follows finds out whether git can read it.
async function isFilled({ folder }: Repository): Promise<boolean> {
  if (existsSync(join(folder, 'packed-refs'))) return true
  const entries = await readdir(join(folder, 'refs'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return entries.some((entry) => entry.isFile())
}

async function setHead(repository: Repository, branch: string): Promise<void> {
  const target = `refs/heads/${branch}`
  const present = await readFile(join(repository.folder, 'HEAD'), 'utf8')
  if (present.trim() === `ref: ${target}`) return
  await runGit(repository.git, { args: ['symbolic-ref', 'HEAD', target], folder: repository.folder })
}
