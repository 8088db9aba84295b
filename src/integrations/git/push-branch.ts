import { explainRemoteFailure } from './explain-remote-failure.ts'
import type { Repository } from './git.ts'
import { requireObjectId } from './object-id.ts'
import { requireBranchName } from './reference-name.ts'
import { type Remote, pushTarget, remoteOperand } from './remote.ts'
import { runGit } from './run-git.ts'
import { type PushResult, readPushReport } from './push-report.ts'

/**
 * Points the remote's branch at a commit, if it is still where `expected` says (undefined: it does not exist yet).
 * Repeats safely: a branch that is already there counts as success, whatever was expected.
 * Refusals of the remote are results; @throws AppError when it could not be asked at all.
 */
export async function pushBranch(
  repository: Repository,
  remote: Remote,
  input: { branch: string; commit: string; expected: string | undefined; signal?: AbortSignal | undefined },
): Promise<PushResult> {
  return push(repository, remote, { ...input, source: requireObjectId(input.commit) })
}

/** Deletes the remote's branch if it is still at `expected`; one that is gone already counts as success. */
export async function deleteBranch(
  repository: Repository,
  remote: Remote,
  input: { branch: string; expected: string; signal?: AbortSignal | undefined },
): Promise<PushResult> {
  const result = await push(repository, remote, { ...input, source: '' })
  if (result.state !== 'moved') return result
  // git says the same of a branch that has moved and of one that is gone.
  const target = pushTarget(remote)
  const args = ['ls-remote', '--quiet', '--', await remoteOperand(target), `refs/heads/${input.branch}`]
  const { stdout } = await runGit(repository.git, { args, remote: target, signal: input.signal })
  return stdout.toString().includes(`\trefs/heads/${input.branch}\n`) ? result : { state: 'up_to_date' }
}

type Push = { branch: string; source: string; expected: string | undefined; signal?: AbortSignal | undefined }

// A registered folder's own configuration is another's: what it could run, or loosen, is overruled here.
const receivePack = [
  'git',
  '-c core.hooksPath=/dev/null',
  '-c core.fsmonitor=false',
  '-c core.alternateRefsCommand=true',
  '-c receive.denyCurrentBranch=refuse',
  '-c receive.denyDeleteCurrent=refuse',
  '-c receive.autogc=false',
  'receive-pack',
].join(' ')

async function push(repository: Repository, upstream: Remote, input: Push): Promise<PushResult> {
  const remote = pushTarget(upstream)
  const reference = `refs/heads/${requireBranchName(input.branch)}`
  const expected = input.expected === undefined ? '' : requireObjectId(input.expected)
  const flags = ['--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no']
  if (remote.kind === 'folder') flags.push(`--receive-pack=${receivePack}`)
  const operand = await remoteOperand(remote)
  try {
    const { stdout, stderr } = await runGit(repository.git, {
      args: [
        'push',
        ...flags,
        `--force-with-lease=${reference}:${expected}`,
        '--',
        operand,
        `${input.source}:${reference}`,
      ],
      folder: repository.folder,
      remote,
      signal: input.signal,
      deadline: 300_000,
      maxBytes: 1024 * 1024,
      answers: [1],
    })
    return readPushReport(stdout.toString(), reference, stderr)
  } catch (error) {
    throw explainRemoteFailure(error, remote)
  }
}
