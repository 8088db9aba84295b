import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MachineTrouble, reasonIn, troubleFor } from '../../../lib/machine-trouble.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import type { Git, Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { requireBranchName } from '../reference-name.ts'
import { isProgress, progressReader, type GitProgress } from './git-progress.ts'
import { pushTarget, remoteName, remoteOperand, type Remote } from '../remote.ts'
import { runGit } from '../process/run-git.ts'
import { AppError } from '../../../lib/errors.ts'

type PushInput = {
  branch: string
  onProgress?: ((progress: GitProgress) => void) | undefined
  /** Milliseconds; five minutes when not given. */
  deadline?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Points the remote's branch at a commit, if it is still where `expected` says (undefined: it does not exist yet).
 * Repeats safely: a branch that is already there counts as success, whatever was expected.
 * Refusals of the remote are results; @throws AppError when it could not be asked at all, and `unavailable` when the
 * deadline has passed.
 */
export async function pushBranch(
  repository: Repository,
  remote: Remote,
  input: PushInput & { commit: string; expected: string | undefined },
): Promise<PushResult> {
  return push(repository, remote, { ...input, source: requireObjectId(input.commit) })
}

/** The work tree of a folder that has a branch checked out, to which git therefore takes no push. */
export async function checkoutOf(git: Git, remote: Remote, branch: string): Promise<string | undefined> {
  if (remote.kind !== 'folder') return undefined
  const args = ['-C', await remoteOperand(remote), 'worktree', 'list', '--porcelain', '-z']
  const { stdout } = await runGit(git, { args, remote })
  const trees = stdout.toString().split('\0\0')
  const tree = trees.find((text) => text.split('\0').includes(`branch refs/heads/${branch}`))
  return tree && /^worktree ([^\0]*)/.exec(tree)?.[1]
}

/** Deletes the remote's branch if it is still at `expected`; one that is gone already counts as success. */
export async function deleteBranch(
  repository: Repository,
  remote: Remote,
  input: PushInput & { expected: string },
): Promise<PushResult> {
  const result = await push(repository, remote, { ...input, source: '' })
  if (result.state !== 'moved') return result
  // git's message is the same for a branch that has moved and for one that was deleted.
  const target = pushTarget(remote)
  const args = ['ls-remote', '--quiet', '--', await remoteOperand(target), `refs/heads/${input.branch}`]
  const { stdout } = await runGit(repository.git, { args, remote: target, signal: input.signal })
  return stdout.toString().includes(`\trefs/heads/${input.branch}\n`) ? result : { state: 'up_to_date' }
}

type Push = PushInput & { source: string; expected: string | undefined }

// A registered folder's configuration is not trusted: settings that run programs or weaken checks are overruled
// here.
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

// Files of the server are private. Files that are written into a registered folder get the permissions of the
// folder's other files.
async function sharedAsBefore(folder: string): Promise<string> {
  if (process.platform === 'win32') return ''
  const places = [join(folder, 'objects'), join(folder, '.git', 'objects'), folder]
  for (const place of places) {
    const stats = await stat(place).catch(() => undefined)
    if (stats) return `umask ${(~stats.mode & 0o077).toString(8).padStart(3, '0')} && `
  }
  return ''
}

async function push(repository: Repository, upstream: Remote, input: Push): Promise<PushResult> {
  const remote = pushTarget(upstream)
  const reference = `refs/heads/${requireBranchName(input.branch)}`
  const expected = input.expected === undefined ? '' : requireObjectId(input.expected)
  const flags = ['--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no']
  // The option for progress makes the remote print more, too.
  if (input.onProgress) flags.push('--progress')
  if (remote.kind === 'folder')
    flags.push(`--receive-pack=${await sharedAsBefore(remote.folder)}${receivePack}`)
  const operand = await remoteOperand(remote)
  const deadline = input.deadline ?? 300_000
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
      deadline,
      overdue: `${remoteName(remote)} did not take the branch ${input.branch} within ${deadline / 1000} s: its host or the network is slow, try again later`,
      ...(input.onProgress && { onStderr: progressReader(input.onProgress) }),
      maxBytes: 1024 * 1024,
      answers: [1],
    })
    const result = readPushReport(stdout.toString(), reference, stderr)
    // The remote of a folder is this machine.
    const refused = remote.kind === 'folder' && (result.state === 'refused' || result.state === 'moved')
    const reason = refused ? reasonIn(stderr.replaceAll(/^remote: /gm, '')) : undefined
    if (reason !== undefined) throw new MachineTrouble(troubleFor(reason))
    return result
  } catch (error) {
    // What is pushed was made from what was fetched there.
    throw explainRemoteFailure(error, remote, { isKnown: true })
  }
}

/** The result of a push. `message` says what to do, or quotes the remote. */
export type PushResult =
  | { state: 'pushed' }
  | { state: 'up_to_date' }
  | { state: 'moved'; message: string }
  | { state: 'checked_out'; message: string }
  | { state: 'refused'; message: string }

/** Reads `git push --porcelain` for one reference: `<flag> TAB <from>:<to> TAB <summary> (<reason>)`. */
function readPushReport(report: string, reference: string, stderr = ''): PushResult {
  for (const line of report.split('\n')) {
    const [flag = '', names = '', summary = ''] = line.split('\t')
    if (!names.endsWith(`:${reference}`) || flag.length !== 1) continue
    if (flag === '=') return { state: 'up_to_date' }
    if (flag === '!') return refusal(summary, reference.slice('refs/heads/'.length), stderr)
    return { state: 'pushed' }
  }
  throw new AppError('unavailable', 'The remote did not report the result of the push. Try again')
}

function refusal(summary: string, branch: string, stderr: string): PushResult {
  const lock = /Unable to create '([^'\n]{1,1000}\.lock)': File exists/.exec(stderr)?.[1]
  if (lock !== undefined) {
    return {
      state: 'refused',
      message: `${lock} blocks it. Another git process is running there, or was killed and left it`,
    }
  }
  if (
    /stale info|fetch first|non-fast-forward|failed to update ref|cannot lock ref|incorrect old value/.test(
      summary,
    )
  ) {
    return { state: 'moved', message: `The branch ${branch} has moved in the meantime` }
  }
  if (/branch is currently checked out|deletion of the current branch/.test(summary)) {
    const advice = `switch the checkout to another branch (git switch --detach) and try again`
    return {
      state: 'checked_out',
      message: `The branch ${branch} is checked out in that repository: ${advice}`,
    }
  }
  if (/unpack failed: unable to create temporary object directory/.test(stderr)) {
    const advice = `let the user that git runs as write into its folder (see the pages on systemd and containers)`
    return { state: 'refused', message: `The repository cannot be written: ${advice}` }
  }
  const reason = /^[^(]*\(([^\n]*)\)\s*$/.exec(summary)?.[1] ?? summary
  const said = wordsOf(stderr)
  const words = said === '' ? reason : `${reason}: ${said}`
  return { state: 'refused', message: `The repository refused ${branch}: ${words.slice(0, 500)}` }
}

// What the remote printed, without frames, links and repeated lines.
function wordsOf(stderr: string): string {
  const lines = stderr
    .slice(0, 8000)
    .split(/[\r\n]+/)
    .flatMap((line) => (line.startsWith('remote:') ? line.slice('remote:'.length).trim() : []))
    .filter((line) => /\w/.test(line) && !isProgress(line))
  return [...new Set(lines)].slice(0, 4).join(' ').replace(/\.$/, '')
}
