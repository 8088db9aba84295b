import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import { type FetchProgress, progressReader } from './fetch-progress.ts'
import type { Repository } from './git.ts'
import { requireBranchName } from './reference-name.ts'
import { type Remote, remoteName, remoteOperand } from './remote.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { runGit } from './run-git.ts'

type FetchOptions = {
  /** The branch that the mirror's own HEAD names: what a clone of the mirror checks out. */
  head?: string | undefined
  onProgress?: ((progress: FetchProgress) => void) | undefined
  /** Bytes that one fetch may receive; 4 GiB when not given. */
  maxBytes?: number | undefined
  /** Milliseconds; half an hour when not given. */
  deadline?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Brings branches and tags of the remote into the mirror, and removes those that are gone there. Only what changed travels.
 * Other references (`refs/docwright/…`) are left alone. Takes the repository's lock.
 */
export async function fetchMirror(
  repository: Repository,
  remote: Remote,
  options: FetchOptions = {},
): Promise<void> {
  const head = options.head === undefined ? undefined : requireBranchName(options.head)
  const maxBytes = options.maxBytes ?? 4 * 1024 ** 3
  const operand = await remoteOperand(remote)
  const stop = new AbortController()
  const onStderr = progressReader((progress) => {
    if (progress.bytes !== undefined && progress.bytes > maxBytes) {
      stop.abort(
        new AppError('too_large', `${remoteName(remote)} is larger than the ${maxBytes} bytes allowed here`),
      )
    }
    options.onProgress?.(progress)
  })
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal])
  await withRepositoryLock(
    repository,
    async () => {
      await runGit(repository.git, {
        args: ['fetch', ...flags, '--', operand, '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
        folder: repository.folder,
        remote,
        // Only what goes into a pack is reported with its size. `maintainRepository` joins the packs.
        config: [['fetch.unpackLimit', '1']],
        signal,
        deadline: options.deadline ?? 1_800_000,
        onStderr,
      }).catch((error: unknown) => {
        throw explainRemoteFailure(error, remote)
      })
      if (head !== undefined) await setHead(repository, head)
    },
    { signal },
  )
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
