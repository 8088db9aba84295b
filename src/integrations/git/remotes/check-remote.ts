import { AppError } from '../../../lib/errors.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import type { Git } from '../git.ts'
import { requireBranchName } from '../reference-name.ts'
import { remoteName, remoteOperand, type Remote } from '../remote.ts'
import { runGit } from '../process/run-git.ts'
import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'

export type RemoteBranch = { branch: string; commit: string; defaultBranch: string | undefined }

/**
 * Asks the remote for one branch, or its default one, without fetching anything.
 * @throws AppError that says: not found, login needed, not a repository, empty, no such branch, unreachable.
 */
export async function checkRemote(
  git: Git,
  remote: Remote,
  options: { branch?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<RemoteBranch> {
  const wanted = options.branch === undefined ? undefined : requireBranchName(options.branch)
  const text = await readHeads(git, remote, options.signal)
  const branches = branchesIn(text)
  const defaultBranch = defaultBranchIn(text)
  if (branches.size === 0) {
    throw new AppError('invalid', `${remoteName(remote)} is empty: push a first commit to it`)
  }
  // A checkout without a branch, as CI makes it, has no default branch.
  const [only, ...others] = branches.keys()
  const branch = wanted ?? defaultBranch ?? (others.length === 0 ? only : undefined)
  const commit = branch === undefined ? undefined : branches.get(branch)
  if (branch === undefined || commit === undefined) {
    const some = [...branches.keys()].slice(0, 5).join(', ')
    const missing = branch === undefined ? 'has no default branch' : `has no branch ${JSON.stringify(branch)}`
    throw new AppError('not_found', `${remoteName(remote)} ${missing}: name one of its branches (${some})`)
  }
  return { branch, commit, defaultBranch }
}

/** The names of the remote's branches. @throws AppError as `checkRemote`, but not for an empty repository */
export async function listBranches(
  git: Git,
  remote: Remote,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string[]> {
  return [...branchesIn(await readHeads(git, remote, options.signal)).keys()]
}

async function readHeads(git: Git, remote: Remote, signal: AbortSignal | undefined): Promise<string> {
  const args = ['ls-remote', '--quiet', '--symref', '--', await remoteOperand(remote), 'HEAD', 'refs/heads/*']
  const { stdout } = await runGit(git, { args, remote, signal }).catch(async (error: unknown) => {
    throw (await outerRepository(remote)) ?? explainRemoteFailure(error, remote)
  })
  return stdout.toString()
}

function branchesIn(text: string): Map<string, string> {
  const branches = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [value = '', name = ''] = line.split('\t')
    if (name.startsWith('refs/heads/')) branches.set(name.slice(11), value)
  }
  return branches
}

/**
 * The remote's default branch, asked without fetching anything. Undefined where it has none, and for a folder with
 * a checkout, where HEAD is only the branch that is checked out at the moment.
 * @throws AppError as `checkRemote`
 */
export async function readDefaultBranch(
  git: Git,
  remote: Remote,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  const operand = await remoteOperand(remote)
  if (remote.kind === 'folder' && (await isCheckout(remote.folder))) return undefined
  const args = ['ls-remote', '--quiet', '--symref', '--', operand, 'HEAD']
  const { stdout } = await runGit(git, { args, remote, signal: options.signal }).catch((error: unknown) => {
    throw explainRemoteFailure(error, remote)
  })
  return defaultBranchIn(stdout.toString())
}

/** The default branch in what `ls-remote --symref` prints; undefined while it has no commit. */
function defaultBranchIn(text: string): string | undefined {
  const [start, end] = ['ref: refs/heads/', '\tHEAD']
  const line = text.split('\n').find((one) => one.startsWith(start) && one.endsWith(end))
  return line?.slice(start.length, -end.length)
}

/** The error for a folder that lies inside of a checkout; undefined for others. */
async function outerRepository(remote: Remote): Promise<AppError | undefined> {
  if (remote.kind === 'url') return undefined
  const { folder } = remote
  const present = (path: string) => stat(path).catch(() => undefined)
  if ((await present(join(folder, '.git'))) ?? (await present(join(folder, 'HEAD')))) return undefined
  for (let outer = dirname(folder); outer !== dirname(outer); outer = dirname(outer)) {
    if (!(await present(join(outer, '.git')))) continue
    const root = relative(outer, folder)
    return new AppError(
      'invalid',
      `${folder} is a folder of the repository ${outer}: add that one, with ${root} as the folder of its pages, \`root\``,
    )
  }
  return undefined
}

async function isCheckout(folder: string): Promise<boolean> {
  const inside = await stat(join(folder, '.git')).catch(() => undefined)
  return inside !== undefined || basename(folder) === '.git'
}
