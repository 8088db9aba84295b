import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import type { Git } from './git.ts'
import { type Remote, remoteOperand } from './remote.ts'
import { runGit } from './run-git.ts'

/**
 * What the remote calls its default branch, without fetching anything: the smallest question there is. Undefined where
 * it has none, and for a folder that people work in: there it is only what they have checked out just now.
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
export function defaultBranchIn(text: string): string | undefined {
  const [start, end] = ['ref: refs/heads/', '\tHEAD']
  const line = text.split('\n').find((one) => one.startsWith(start) && one.endsWith(end))
  return line?.slice(start.length, -end.length)
}

async function isCheckout(folder: string): Promise<boolean> {
  const inside = await stat(join(folder, '.git')).catch(() => undefined)
  return inside !== undefined || basename(folder) === '.git'
}
