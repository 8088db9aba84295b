import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { AppError } from '../../lib/errors.ts'
import { type Git, globalConfiguration, homeFolder } from './git.ts'
import { gitEnvironment } from './git-environment.ts'
import { redactor } from './redact.ts'
import { type Remote, trustedFolders, withCredential } from './remote.ts'

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
  stdin: ChildProcessWithoutNullStreams['stdin']
  stdout: ChildProcessWithoutNullStreams['stdout']
  /** Settles when the process and its pipes are closed; rejects on deadline, abort, `kill` with a reason and failure to start. */
  finished: Promise<GitExit>
  kill: (reason: unknown) => void
}

const stderrKept = 16 * 1024
const running = new Set<number>()

/** The one place that starts git. No shell, no inherited environment, a process group of its own, a deadline. */
export async function startGit(git: Git, call: GitCall): Promise<GitProcess> {
  call.signal?.throwIfAborted()
  const remote = call.remote && (await withCredential(call.remote))
  const trusted = remote === undefined ? [] : await trustedFolders(remote)
  const env = gitEnvironment(git, { ...call, remote }, await globalConfiguration(git, trusted))
  call.signal?.throwIfAborted()
  const grouped = process.platform !== 'win32'
  const child = spawn('git', [...call.args], {
    cwd: homeFolder(git),
    env,
    detached: grouped,
    windowsHide: true,
  })
  const redact = redactor(remote)
  const pid = child.pid
  if (pid !== undefined) remember(pid)

  let killedFor: { reason: unknown } | undefined
  function kill(reason: unknown): void {
    killedFor ??= { reason }
    if (pid !== undefined && running.has(pid)) killGroup(pid)
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

  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrKept)
    call.onStderr?.(text)
  })
  // A process that ends before it has read everything is reported by its exit code, not by the broken pipe.
  child.stdin.on('error', () => {})

  const finished = new Promise<GitExit>((resolve, reject) => {
    child.on('error', (error) => reject(startFailure(error)))
    child.on('close', (code, signal) => {
      if (killedFor !== undefined) reject(killedFor.reason)
      else if (code === null)
        reject(new AppError('unavailable', `git was stopped by ${signal ?? 'the system'}`))
      else resolve({ code, stderr: redact(stderr) })
    })
  }).finally(() => {
    clearTimeout(timer)
    call.signal?.removeEventListener('abort', onAbort)
    if (pid !== undefined) running.delete(pid)
  })
  finished.catch(() => {})
  return { stdin: child.stdin, stdout: child.stdout, finished, kill }
}

function startFailure(error: Error): AppError {
  const missing = 'code' in error && error.code === 'ENOENT'
  return missing
    ? new AppError(
        'unavailable',
        'git was not found: install git 2.38 or later and make sure it is on the PATH',
      )
    : new AppError('unavailable', `git could not be started: ${error.message}`, { cause: error })
}

// Groups of their own survive us unless we end them: an exiting server leaves no fetch behind.
function remember(pid: number): void {
  if (running.size === 0 && !process.listeners('exit').includes(killAll)) process.once('exit', killAll)
  running.add(pid)
}

function killAll(): void {
  for (const pid of running) killGroup(pid)
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
