import { inSpan } from '../../../lib/trace.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../../lib/errors.ts'
import type { Git } from '../git.ts'
import { renewCredential } from '../remote.ts'
import { noteCorruption } from '../corruption.ts'
import { startGit, type GitCall } from './start-git.ts'
import { rm, stat } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

type RunOptions = GitCall & {
  /** A generator function, not a generator: a second try writes it again. */
  input?: string | readonly string[] | (() => Iterable<string | Uint8Array>) | undefined
  /** Bytes of standard output; 64 MiB when not given. */
  maxBytes?: number
  /** What to do with more output than that: an error, or stop git and return what came. */
  overflow?: 'fail' | 'truncate'
  /** Exit codes that are answers, not failures; 0 always is. */
  answers?: readonly number[]
}

export type GitResult = { stdout: Buffer; stderr: string; code: number; truncated: boolean }

/** git ended with an unexpected code. The message is git's own, without credentials. */
export class GitError extends AppError {
  /** Its first word: `fetch`, `push`. */
  readonly command: string
  readonly exitCode: number
  readonly stderr: string

  constructor(command: string, exitCode: number, stderr: string, options?: ErrorOptions) {
    super('internal', `git ${command} failed (${exitCode}): ${lastLines(stderr)}`, options)
    this.name = 'GitError'
    this.command = command
    this.exitCode = exitCode
    this.stderr = stderr
  }
}

/** Runs git to its end. @throws GitError, or AppError `too_large` and `unavailable`. */
export async function runGit(git: Git, options: RunOptions): Promise<GitResult> {
  const folders = [options.folder, options.remote?.kind === 'folder' ? options.remote.folder : undefined]
  let isRenewed = false
  // One command may meet several left-over locks: HEAD's and the branch's.
  for (let tries = 1; ; tries++) {
    const { result, failure } = await inSpan(`git ${options.args[0] ?? ''}`, {}, () => attempt(git, options))
    if (failure && !isRenewed && refusedLogin.test(failure.stderr)) {
      isRenewed = true
      if (await renewCredential(options.remote)) continue
    }
    const again = result.code !== 0 && tries < 5 && (await removeStaleLock(git, result.stderr, folders))
    if (again) continue
    if (failure !== undefined) {
      noteCorruption(options.folder, failure.stderr)
      throw failure
    }
    return result
  }
}

async function attempt(
  git: Git,
  options: RunOptions,
): Promise<{ result: GitResult; failure: GitError | undefined }> {
  const { input, maxBytes = 64 * 1024 * 1024, overflow = 'fail', answers = [], ...call } = options
  const command = call.args[0] ?? ''
  const child = await startGit(git, call)
  const written = write(child.stdin, input)

  const chunks: Buffer[] = []
  let size = 0
  const full = new AppError('too_large', `git ${command} answered with more than ${maxBytes} bytes`)
  child.stdout.on('data', (chunk: Buffer) => {
    const room = maxBytes - size
    if (room > 0) chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    size += chunk.length
    if (size > maxBytes) child.kill(full)
  })

  try {
    const exit = await child.finished
    const answered = exit.code === 0 || answers.includes(exit.code)
    const failure = answered ? undefined : new GitError(command, exit.code, exit.stderr)
    return { result: { ...exit, stdout: Buffer.concat(chunks), truncated: false }, failure }
  } catch (error) {
    if (error !== full || overflow === 'fail') throw error
    const result = { stdout: Buffer.concat(chunks), stderr: '', code: 0, truncated: true }
    return { result, failure: undefined }
  } finally {
    await written
  }
}

async function write(stdin: NodeJS.WritableStream, input: RunOptions['input']): Promise<void> {
  if (input === undefined) {
    stdin.end()
    return
  }
  const parts = typeof input === 'function' ? input() : typeof input === 'string' ? [input] : input
  // When git stops reading early, its exit code tells why.
  await pipeline(Readable.from(parts), stdin).catch(() => {})
}

function lastLines(stderr: string): string {
  const lines = stderr
    .replaceAll('\0', '')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
  return lines.slice(-3).join(' / ').slice(0, 500) || 'no message'
}

// git holds lock files only for moments, so one that is ten seconds old belongs to a process that was killed.
const patience = 10_000

/**
 * Whether a failure came from a lock file that a killed git left behind in the data folder; it is then removed, and the
 * command can be tried again. A person's own repository is never cleaned up.
 */
async function removeStaleLock(
  git: Git,
  stderr: string,
  folders: readonly (string | undefined)[],
): Promise<boolean> {
  const named = /Unable to create '([^'\n]{1,4096}\.lock)': File exists/.exec(stderr)?.[1]
  if (named === undefined) return false
  // A receiving git names it relative to its own folder.
  for (const folder of folders) {
    const path = resolve(folder ?? '/', named)
    if (!path.startsWith(dirname(git.folder) + sep)) continue
    const before = await stat(path).catch(() => undefined)
    if (before === undefined) continue
    const age = Date.now() - before.mtimeMs
    if (age < patience) await delay(patience - age)
    const now = await stat(path).catch(() => undefined)
    // The lock is gone or belongs to another process by now. In both cases a second try makes sense.
    if (now?.ino === before.ino && now.mtimeMs === before.mtimeMs) await rm(path, { force: true })
    return true
  }
  return false
}

/** git's messages when a remote refuses a credential or requires one. */
export const refusedLogin = /could not read (?:Username|Password)|Authentication failed|returned error: 401/
