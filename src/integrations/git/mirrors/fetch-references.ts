import { bytesText } from '../../../lib/text/bytes-text.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { AppError } from '../../../lib/errors.ts'
import { tellsCorruption } from '../corruption.ts'
import { explainRemoteFailure, RemoteUnreachable } from '../remotes/explain-remote-failure.ts'
import { listBranches } from '../remotes/check-remote.ts'
import { type GitProgress, progressReader } from '../remotes/git-progress.ts'
import type { Repository } from '../git.ts'
import { hasReferences } from './has-references.ts'
import { mirrorSize } from './leftover-packs.ts'
import { isOfPartialClone } from '../remotes/explain-remote-failure.ts'
import { type Fork, type Remote, remoteName, remoteOperand } from '../remote.ts'
import { GitError, runGit } from '../process/run-git.ts'

export type FetchOptions = {
  onProgress?: ((progress: GitProgress) => void) | undefined
  /** Most bytes that one fetch may receive; by default what is left of the mirror's quota. */
  maxBytes?: number | undefined
  /** Milliseconds for all of it; half an hour when not given. */
  deadline?: number | undefined
  signal?: AbortSignal | undefined
}

export type TimedFetch = FetchOptions & {
  /** The moment when its time is over, in milliseconds since 1970. */
  until: number
  /** The mirror has branches already: a remote that shows none is one in trouble, and takes nothing away. */
  isKnown: boolean
}

export function timed(options: FetchOptions, isKnown: boolean): TimedFetch {
  return { ...options, until: Date.now() + deadlineOf(options), isKnown }
}

/**
 * Fetches branches and tags of the remote, and from a fork only the branches that this server pushes. The mirror of a
 * shallow clone holds as much history as the clone does, also after somebody has deepened that. Of a partial clone,
 * which has the files of what is checked out, it holds the newest commits and those that come later.
 */
export async function fetchAll(repository: Repository, remote: Remote, options: TimedFetch): Promise<void> {
  const fork = forkOf(remote)
  // git refuses this flag where the history is complete already.
  const isShallow = (await historyEnds(repository)) !== ''
  try {
    const more = isShallow ? ['--unshallow'] : []
    await fetchReferences(repository, remote, [...branchesOf(remote), tags], options, more)
  } catch (error) {
    if (!isOfPartialClone(error)) throw error
    await fetchReferences(repository, remote, branchesOf(remote), options, isShallow ? [] : ['--depth=1'])
  }
  if (fork)
    await fetchReferences(
      repository,
      fork.remote,
      ownBranches(fork).map((own) => `+${own}:${own}`),
      options,
    )
}

const tags = '+refs/tags/*:refs/tags/*'

export function branchesOf(remote: Remote): string[] {
  const all = '+refs/heads/*:refs/heads/*'
  const fork = forkOf(remote)
  return fork === undefined ? [all] : [all, ...ownBranches(fork).map((own) => `^${own}`)]
}

function forkOf(remote: Remote): Fork | undefined {
  return remote.kind === 'url' ? remote.fork : undefined
}

function ownBranches({ prefixes }: Fork): string[] {
  return prefixes.map((prefix) => `refs/heads/${prefix}*`)
}

/**
 * Runs git once, or twice where a branch is gone that the remote is known by.
 * @throws AppError that names the remote; GitError when the local repository cannot be read
 */
export async function fetchReferences(
  repository: Repository,
  remote: Remote,
  specifications: readonly string[],
  options: TimedFetch,
  more: readonly string[] = [],
): Promise<void> {
  const isGuarded = options.isKnown && remote.kind === 'url'
  try {
    // git ends before it prunes where a reference that is asked for by name is missing, as every one is among none.
    const wanted = isGuarded ? [...specifications, await knownBranch(repository)] : specifications
    await fetchOnce(repository, remote, wanted, options, more)
  } catch (error) {
    if (!isGuarded || !lacksReference(error)) throw error
    const [branch] = await listBranches(repository.git, remote, { signal: options.signal })
    if (branch === undefined)
      throw new RemoteUnreachable(
        `${remoteName(remote)} shows no branch at all, though it had some: try again later`,
        { passing: true, cause: error },
      )
    await fetchOnce(repository, remote, [...specifications, `refs/heads/${branch}`], options, more)
  }
}

function lacksReference(error: unknown): boolean {
  return error instanceof GitError && /couldn't find remote ref /.test(error.stderr)
}

/** A branch that the remote had. HEAD would do, but over http git may read that from a file of its own. */
async function knownBranch(repository: Repository): Promise<string> {
  const head = await readFile(join(repository.folder, 'HEAD'), 'utf8').catch(() => '')
  const branch = /^ref: (refs\/heads\/\S+)/.exec(head)?.[1]
  return branch !== undefined && (await hasReferences(repository, branch)) ? branch : 'HEAD'
}

async function fetchOnce(
  repository: Repository,
  remote: Remote,
  specifications: readonly string[],
  options: TimedFetch,
  more: readonly string[],
): Promise<void> {
  const most = repository.git.mirrorBytes ?? 4 * 1024 ** 3
  const maxBytes = options.maxBytes ?? Math.max(0, most - (await mirrorSize(repository.folder)))
  const operand = await remoteOperand(remote)
  const stop = new AbortController()
  using fetching = endingSignal({ signals: [stop.signal, options.signal] })
  const onStderr = progressReader((progress) => {
    if (progress.bytes !== undefined && progress.bytes > maxBytes) {
      const limit = options.maxBytes === undefined ? most : maxBytes
      stop.abort(
        new AppError(
          'too_large',
          `${remoteName(remote)} is larger than the ${bytesText(limit)} allowed here: raise DOCWRIGHT_MIRROR_MAX_MB`,
        ),
      )
    }
    options.onProgress?.(progress)
  })
  await runGit(repository.git, {
    args: ['fetch', ...flags, ...more, '--', operand, ...specifications],
    folder: repository.folder,
    remote,
    // git only reports sizes for objects that go into a pack. `maintainRepository` joins the packs.
    config: [['fetch.unpackLimit', '1']],
    signal: fetching.signal,
    deadline: Math.max(1, options.until - Date.now()),
    overdue: `${remoteName(remote)} could not be fetched within ${deadlineOf(options) / 1000} s: its host or the network is slow, try again later`,
    onStderr,
  }).catch((error: unknown) => {
    throw isBroken(error) ? error : explainRemoteFailure(error, remote, options)
  })
}

/** Whether a fetch failed because of the local repository, and not because of the remote. */
export function isBroken(error: unknown): boolean {
  return error instanceof GitError && tellsCorruption(error.stderr)
}

/** The commits whose parents are not in the repository; empty when all are. */
export async function historyEnds({ folder }: Repository): Promise<string> {
  return readFile(join(folder, 'shallow'), 'utf8').catch(() => '')
}

function deadlineOf({ deadline = 1_800_000 }: FetchOptions): number {
  return deadline
}

const flags = [
  '--prune',
  '--no-tags',
  '--force',
  // Otherwise git leaves out the branches of a shallow clone without an error.
  '--update-shallow',
  '--progress',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
]
