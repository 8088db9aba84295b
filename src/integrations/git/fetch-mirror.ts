import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { isSuspect, tellsCorruption } from './corruption.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import { type FetchProgress, progressReader } from './fetch-progress.ts'
import type { Repository } from './git.ts'
import { mirrorSize } from './mirror-size.ts'
import { rebuildMirror } from './rebuild-mirror.ts'
import { requireBranchName } from './reference-name.ts'
import { type Remote, remoteName, remoteOperand } from './remote.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { GitError, runGit } from './run-git.ts'

type FetchOptions = {
  /** The branch that the mirror's own HEAD names: what a clone of the mirror checks out. */
  head?: string | undefined
  onProgress?: ((progress: FetchProgress) => void) | undefined
  /** Bytes that one fetch may receive; what the mirror may still grow by when not given. */
  maxBytes?: number | undefined
  /** Milliseconds; half an hour when not given. */
  deadline?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Brings branches and tags of the remote into the mirror, and removes those that are gone there. Only what changed travels.
 * Other references (`refs/docwright/…`) are left alone. A mirror that cannot be read any more is made anew, once.
 * Takes the repository's lock.
 */
export async function fetchMirror(
  repository: Repository,
  remote: Remote,
  options: FetchOptions = {},
): Promise<void> {
  const head = options.head === undefined ? undefined : requireBranchName(options.head)
  await withRepositoryLock(
    repository,
    async () => {
      const fill = (fresh: Repository): Promise<void> => fetchAll(fresh, remote, options)
      if (isSuspect(repository.folder)) await rebuildMirror(repository, fill)
      else {
        await fill(repository).catch(async (error: unknown) => {
          if (!isBroken(error)) throw error
          await rebuildMirror(repository, fill)
        })
      }
      if (head !== undefined) await setHead(repository, head)
    },
    { signal: options.signal },
  )
}

const ownBranches = 'refs/heads/docwright/*'
const tags = '+refs/tags/*:refs/tags/*'

// With a fork, branches of ours are there and no others are wanted of it.
async function fetchAll(repository: Repository, remote: Remote, options: FetchOptions): Promise<void> {
  const fork = remote.kind === 'url' ? remote.fork : undefined
  if (fork === undefined) return fetchFrom(repository, remote, ['+refs/heads/*:refs/heads/*', tags], options)
  await fetchFrom(repository, remote, ['+refs/heads/*:refs/heads/*', tags, `^${ownBranches}`], options)
  await fetchFrom(repository, fork, [`+${ownBranches}:${ownBranches}`], options)
}

async function fetchFrom(
  repository: Repository,
  remote: Remote,
  specifications: readonly string[],
  options: FetchOptions,
): Promise<void> {
  const most = repository.git.mirrorBytes ?? 4 * 1024 ** 3
  const maxBytes = options.maxBytes ?? Math.max(0, most - (await mirrorSize(repository.folder)))
  const operand = await remoteOperand(remote)
  const stop = new AbortController()
  const onStderr = progressReader((progress) => {
    if (progress.bytes !== undefined && progress.bytes > maxBytes) {
      const limit = options.maxBytes === undefined ? most : maxBytes
      stop.abort(
        new AppError(
          'too_large',
          `${remoteName(remote)} is larger than the ${limit} bytes allowed here: raise DOCWRIGHT_MIRROR_MAX_MB`,
        ),
      )
    }
    options.onProgress?.(progress)
  })
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal])
  await runGit(repository.git, {
    args: ['fetch', ...flags, '--', operand, ...specifications],
    folder: repository.folder,
    remote,
    // Only what goes into a pack is reported with its size. `maintainRepository` joins the packs.
    config: [['fetch.unpackLimit', '1']],
    signal,
    deadline: options.deadline ?? 1_800_000,
    onStderr,
  }).catch((error: unknown) => {
    throw isBroken(error) ? error : explainRemoteFailure(error, remote)
  })
}

function isBroken(error: unknown): boolean {
  return error instanceof GitError && tellsCorruption(error.stderr)
}

const flags = [
  '--prune',
  '--no-tags',
  '--force',
  '--progress',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
]

async function setHead(repository: Repository, branch: string): Promise<void> {
  const target = `refs/heads/${branch}`
  const present = await readFile(join(repository.folder, 'HEAD'), 'utf8')
  if (present.trim() === `ref: ${target}`) return
  await runGit(repository.git, { args: ['symbolic-ref', 'HEAD', target], folder: repository.folder })
}
