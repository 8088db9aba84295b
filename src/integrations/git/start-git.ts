import type { Readable, Writable } from 'node:stream'
import { AppError, messageOf } from '../../lib/errors.ts'
import { MachineTrouble, troubleFor } from '../../lib/machine-trouble.ts'
import { type Git, globalConfiguration, homeFolder } from './git.ts'
import { gitEnvironment } from './git-environment.ts'
import { killGroup } from './kill-group.ts'
import { redactor } from './redact.ts'
import { type Remote, trustedFolders, withCredential } from './remote.ts'
import { startProcess } from './start-process.ts'
import type { StartProcess } from './start-process.ts'

export type GitCall = {
  args: readonly string[]
  /** The git folder to work on. Without it git finds no repository at all. */
  folder?: string | undefined
  /** The other repository of a fetch or push: decides protocol, credential and trust. */
  remote?: Remote | undefined
  /** Configuration on top of ours, with the strength of the command line. */
  config?: readonly (readonly [key: string, value: string])[]
  environment?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  /** Milliseconds until the whole process group is killed; one minute when not given. */
  deadline?: number | undefined
  /** What the error says when the deadline has passed. */
  overdue?: string
  onStderr?: ((text: string) => void) | undefined
}

type GitExit = { code: number; stderr: string }

export type GitProcess = {
  stdin: Writable
  stdout: Readable
  /** Settles when the process and its pipes are closed; rejects on deadline, abort and `kill` with a reason. */
  finished: Promise<GitExit>
  kill: (reason: unknown) => void
}

const stderrKept = 16 * 1024
const running = new Set<number>()
let start: StartProcess = startProcess

/** Has git started by `starter` from now on, in this thread. */
export function startGitBy(starter: StartProcess): void {
  start = starter
}

/** The one place that starts git. No shell, no inherited environment, a process group of its own, a deadline. */
export async function startGit(git: Git, call: GitCall): Promise<GitProcess> {
  call.signal?.throwIfAborted()
  const remote = call.remote && (await withCredential(call.remote))
  const trusted = remote === undefined ? [] : await trustedFolders(remote)
  const env = gitEnvironment(git, { ...call, remote }, await globalConfiguration(git, trusted))
  call.signal?.throwIfAborted()
  const cwd = homeFolder(git)
  const child = await start('git', { args: call.args, cwd, env }).catch((error: unknown) => {
    throw startFailure(error)
  })
  const { pid } = child
  const redact = redactor(remote)
  remember(pid)

  let killedFor: { reason: unknown } | undefined
  function kill(reason: unknown): void {
    killedFor ??= { reason }
    if (running.has(pid)) killGroup(pid)
  }
  const milliseconds = call.deadline ?? 60_000
  const timer = setTimeout(
    () =>
      kill(
        new AppError(
          'unavailable',
          call.overdue ?? `git ${call.args[0] ?? ''} took longer than ${milliseconds / 1000} s`,
        ),
      ),
    milliseconds,
  )
  const onAbort = () => kill(call.signal?.reason)
  call.signal?.addEventListener('abort', onAbort, { once: true })
  if (call.signal?.aborted === true) onAbort()

  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrKept)
    call.onStderr?.(text)
  })
  // A process that ends before it has read everything is reported by its exit code, not by the broken pipe.
  child.stdin.on('error', () => {})

  const finished = child.closed
    .then(({ code, signal }) => {
      if (killedFor !== undefined) throw killedFor.reason
      // Nobody but the system kills it that way, most often for want of memory.
      if (signal === 'SIGKILL' || signal === 'SIGXFSZ')
        throw new MachineTrouble(troubleFor(signal === 'SIGKILL' ? 'no_memory' : 'no_space'), {
          cause: new Error(`git ${call.args[0] ?? ''} was ended by ${signal}`),
        })
      if (code === null) throw new AppError('unavailable', `git was stopped by ${signal ?? 'the system'}`)
      return { code, stderr: redact(stderr) }
    })
    .finally(() => {
      clearTimeout(timer)
      call.signal?.removeEventListener('abort', onAbort)
      running.delete(pid)
    })
  finished.catch(() => {})
  return { stdin: child.stdin, stdout: child.stdout, finished, kill }
}

function startFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  const message = missing
    ? 'git was not found: install git 2.38 or later and make sure it is on the PATH'
    : `git could not be started: ${messageOf(error)}`
  return new AppError('unavailable', message, { cause: error })
}

// Groups of their own survive us unless we end them: an exiting server leaves no fetch behind.
function remember(pid: number): void {
  if (running.size === 0 && !process.listeners('exit').includes(killAll)) process.once('exit', killAll)
  running.add(pid)
}

function killAll(): void {
  for (const pid of running) killGroup(pid)
}
