import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../lib/errors.ts'
import { clearSuspicion } from '../corruption.ts'
import { branchesOf, fetchAll, fetchReferences, historyEnds, type TimedFetch } from './fetch-references.ts'
import type { Repository } from '../git.ts'
import { initialise, type ObjectFormat } from './initialise.ts'
import { isOtherFormat } from '../remotes/explain-remote-failure.ts'
import { registeredFolder, type Remote } from '../remote.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { GitError, runGit } from '../process/run-git.ts'
import { hasReferences } from './has-references.ts'
import { removeLeftoverPacks } from './leftover-packs.ts'

/**
 * Fetches everything into a repository beside the mirror, and replaces the mirror only when that is complete:
 * nothing is lost when the host is away, and no process sees half a history. References that this server made are
 * copied as far as they can be read. A fetch that breaks off is kept, and the next call continues it in steps.
 */
export async function fillMirror(repository: Repository, remote: Remote, options: TimedFetch): Promise<void> {
  await withRepositoryLock(repository, async () => {
    const { git, folder } = repository
    const half: Repository = { git, folder: halfFolder(folder) }
    const old = `${folder}.broken-${Date.now()}`
    const goesOn = (await readFile(join(half.folder, 'HEAD')).catch(() => undefined)) !== undefined
    let hasBegun = goesOn
    const fetch: TimedFetch = {
      ...options,
      onProgress(progress) {
        hasBegun = true
        options.onProgress?.(progress)
      },
    }
    try {
      if (goesOn) await fillInSteps(half, remote, fetch)
      else await begin(half, 'sha1')
      await fetchAll(half, remote, fetch).catch(async (error: unknown) => {
        if (!isOtherFormat(error)) throw error
        await begin(half, (await isSha256(half)) ? 'sha1' : 'sha256')
        await fetchAll(half, remote, fetch)
      })
      await takeOwn(half, folder)
      await rename(folder, old).catch(() => undefined)
      await rename(half.folder, folder)
      clearSuspicion(folder)
    } catch (error) {
      const mayGoOn = hasBegun && remote.kind === 'url' && (isPassing(error) || isAborted(options.signal))
      if (!mayGoOn) await rm(half.folder, { recursive: true, force: true })
      throw error
    } finally {
      clearSuspicion(half.folder)
      await rm(old, { recursive: true, force: true })
    }
  })
}

/** The folder of a mirror whose fetch is not complete. */
export function halfFolder(mirror: string): string {
  return `${mirror}.half`
}

async function begin({ git, folder }: Repository, format: ObjectFormat): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await initialise(git, folder, { format })
}

async function isSha256({ folder }: Repository): Promise<boolean> {
  return /objectformat\s*=\s*sha256/i.test(await readFile(join(folder, 'config'), 'utf8'))
}

// Neither a quota nor something that git does not understand is solved by continuing.
function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.code !== 'too_large' && error.code !== 'internal'
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

async function takeOwn(fresh: Repository, from: string): Promise<void> {
  await runGit(fresh.git, {
    args: [
      'fetch',
      '--quiet',
      '--no-tags',
      '--update-shallow',
      '--',
      from,
      '+refs/docwright/*:refs/docwright/*',
    ],
    folder: fresh.folder,
    remote: registeredFolder(from),
    deadline: 300_000,
  }).catch(() => undefined)
}

const firstStep = 100

/**
 * Fetches the newest commit of every branch and then older ones in steps, so that each step is kept when the next
 * one breaks off. It can take four times as long as a single fetch, because the host packs each step separately, so
 * it is only used after a fetch broke off. Afterwards the mirror has the history that the remote has. Where the host does
 * not support steps, nothing changes.
 */
async function fillInSteps(repository: Repository, remote: Remote, options: TimedFetch): Promise<void> {
  const step = (flag: string): Promise<void> =>
    fetchReferences(repository, remote, branchesOf(remote), options, [flag])
  await removeLeftoverPacks(repository.folder, 0)
  if (!(await hasReferences(repository))) {
    try {
      await step('--depth=1')
    } catch (error) {
      if (isUnknown(error)) return
      throw error
    }
  }
  let commits = firstStep
  for (let ends = await historyEnds(repository); ends !== '';) {
    const began = performance.now()
    await step(`--deepen=${commits}`).catch((error: unknown) => {
      if (!isUnknown(error)) throw error
    })
    const now = await historyEnds(repository)
    if (now === ends) return step('--unshallow')
    ends = now
    commits *= growth(performance.now() - began)
  }
}

// Steps grow, so that there are few of them, but none is so long that much is lost when it breaks off.
function growth(milliseconds: number): number {
  if (milliseconds < 10_000) return 10
  return milliseconds < 60_000 ? 3 : 1
}

function isUnknown(error: unknown): boolean {
  const cause = error instanceof AppError && error.cause instanceof GitError ? error.cause : error
  return cause instanceof GitError && /does not support (?:shallow|--)/.test(cause.stderr)
}
