import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { clearSuspicion } from './corruption.ts'
import { type TimedFetch, fetchAll } from './fetch-references.ts'
import { fillInSteps } from './fill-in-steps.ts'
import type { Repository } from './git.ts'
import { initialise } from './open-mirror.ts'
import { type Remote, registeredFolder } from './remote.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { runGit } from './run-git.ts'

/**
 * Fetches everything into a repository beside the mirror, and only then puts it in its place: a host that is away costs
 * nothing, and nobody sees half a history. What we had made ourselves is taken along as far as it can be read.
 * When it breaks off, the half stays, and the next time goes on with it in steps.
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
      else await begin(half)
      await fetchAll(half, remote, fetch)
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

/** Where what has arrived of a mirror waits for the rest. */
export function halfFolder(mirror: string): string {
  return `${mirror}.half`
}

async function begin({ git, folder }: Repository): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await initialise(git, folder)
}

// Neither a quota nor something that git does not understand gets better by going on.
function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.code !== 'too_large' && error.code !== 'internal'
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

async function takeOwn(fresh: Repository, from: string): Promise<void> {
  await runGit(fresh.git, {
    args: ['fetch', '--quiet', '--no-tags', '--', from, '+refs/docwright/*:refs/docwright/*'],
    folder: fresh.folder,
    remote: registeredFolder(from),
    deadline: 300_000,
  }).catch(() => undefined)
}
