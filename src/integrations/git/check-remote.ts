import { AppError } from '../../lib/errors.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import type { Git } from './git.ts'
import { defaultBranchIn } from './read-default-branch.ts'
import { requireBranchName } from './reference-name.ts'
import { type Remote, remoteName, remoteOperand } from './remote.ts'
import { runGit } from './run-git.ts'

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
  const args = ['ls-remote', '--quiet', '--symref', '--', await remoteOperand(remote), 'HEAD', 'refs/heads/*']
  const { stdout } = await runGit(git, { args, remote, signal: options.signal }).catch((error: unknown) => {
    throw explainRemoteFailure(error, remote)
  })
  const text = stdout.toString()
  const branches = branchesIn(text)
  const defaultBranch = defaultBranchIn(text)
  if (branches.size === 0) {
    throw new AppError('invalid', `${remoteName(remote)} is empty: push a first commit to it`)
  }
  const branch = wanted ?? defaultBranch
  const commit = branch === undefined ? undefined : branches.get(branch)
  if (branch === undefined || commit === undefined) {
    const some = [...branches.keys()].slice(0, 5).join(', ')
    const missing = branch === undefined ? 'has no default branch' : `has no branch ${JSON.stringify(branch)}`
    throw new AppError('not_found', `${remoteName(remote)} ${missing}: name one of its branches (${some})`)
  }
  return { branch, commit, defaultBranch }
}

function branchesIn(text: string): Map<string, string> {
  const branches = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [value = '', name = ''] = line.split('\t')
    if (name.startsWith('refs/heads/')) branches.set(name.slice(11), value)
  }
  return branches
}
