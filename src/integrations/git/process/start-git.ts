import { isIP, isIPv6 } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { CheckAddress } from '../../../lib/check-address.ts'
import { AppError, messageOf } from '../../../lib/errors.ts'
import { hostOf } from '../../../lib/network-address.ts'
import { MachineTrouble, troubleFor } from '../../../lib/machine-trouble.ts'
import { globalConfiguration, homeFolder, type Git } from '../git.ts'
import { killGroup, startProcess, type StartProcess } from './start-process.ts'
import { credentialOf, trustedFolders, withCredential, type Remote } from '../remote.ts'
import { dirname } from 'node:path'

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

/** Sets the function that starts git in this thread from now on. */
export function startGitBy(starter: StartProcess): void {
  start = starter
}

// By the folder of a `Git`, which is plain data because threads get copies of it.
const checks = new Map<string, CheckAddress>()

/** Sets what is asked before this thread lets git connect to a remote; until then git goes wherever names lead. */
export function checkAddressesBy({ folder }: Git, check: CheckAddress): void {
  checks.set(folder, check)
}

/** The one place that starts git. No shell, no inherited environment, a process group of its own, a deadline. */
export async function startGit(git: Git, call: GitCall): Promise<GitProcess> {
  call.signal?.throwIfAborted()
  const remote = call.remote && (await withCredential(call.remote))
  const pins = remote?.kind === 'url' ? await pinnedAddresses(git, new URL(remote.url)) : []
  const trusted = remote === undefined ? [] : await trustedFolders(remote)
  const env = gitEnvironment(
    git,
    { ...call, remote, config: [...pins, ...(call.config ?? [])] },
    await globalConfiguration(git, trusted),
  )
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
      // Only the system kills git this way, mostly because memory is short.
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

// Process groups of their own outlive the server unless they are killed: an exiting server leaves no fetch behind.
function remember(pid: number): void {
  if (running.size === 0 && !process.listeners('exit').includes(killAll)) process.once('exit', killAll)
  running.add(pid)
}

function killAll(): void {
  for (const pid of running) killGroup(pid)
}

type Setting = readonly [key: string, value: string]

// Set with the strength of the command line, so that no repository's own configuration weakens it.
const settings: readonly Setting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  // Attributes could hide changes from a diff (`*.md -diff`); newer git reads them in bare repositories too.
  ['attr.tree', '4b825dc642cb6eb9a060e54bf8d69288fbee4904'],
  ['credential.helper', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1'],
  ['http.lowSpeedTime', '60'],
  ['transfer.bundleURI', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
]

/** A git process's whole environment, made from nothing. */
function gitEnvironment(
  git: Git,
  call: {
    folder?: string | undefined
    remote?: Remote | undefined
    config?: readonly Setting[]
    environment?: Readonly<Record<string, string>>
  },
  globalConfiguration: string,
): Record<string, string> {
  const home = homeFolder(git)
  const env: Record<string, string> = {
    ...git.environment,
    HOME: home,
    XDG_CONFIG_HOME: home,
    // The data folder may lie inside a repository: git must not find that one.
    GIT_CEILING_DIRECTORIES: dirname(home),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: globalConfiguration,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: allowedProtocol(call.remote),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C',
    ...call.environment,
  }
  if (call.folder !== undefined) env['GIT_DIR'] = call.folder
  const all = [...settings, ...authorization(call.remote), ...(call.config ?? [])]
  env['GIT_CONFIG_COUNT'] = String(all.length)
  for (const [index, [key, value]] of all.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return env
}

// git must not resolve the name again: it may lead elsewhere by then.
async function pinnedAddresses({ folder }: Git, url: URL): Promise<Setting[]> {
  const addresses = await checks.get(folder)?.(url)
  if (!addresses) return []
  const port = url.port || (url.protocol === 'https:' ? 443 : 80)
  const hosts = addresses.map((one) => (isIPv6(one) ? `[${one}]` : one))
  return isIP(hostOf(url)) > 0 ? [] : [['http.curloptResolve', `${url.hostname}:${port}:${hosts.join(',')}`]]
}

function allowedProtocol(remote: Remote | undefined): string {
  if (remote === undefined) return 'none'
  if (remote.kind === 'folder') return 'file'
  return remote.url.startsWith('http:') ? 'http' : 'https'
}

function authorization(remote: Remote | undefined): Setting[] {
  const credential = credentialOf(remote)
  if (remote?.kind !== 'url' || credential === undefined) return []
  return [[`http.${remote.url}.extraHeader`, `Authorization: Basic ${basic(credential)}`]]
}

/** Removes the remote's credential, in every form it travels in, and user information of URLs from git's output. */
function redactor(remote: Remote | undefined): (text: string) => string {
  const credential = credentialOf(remote)
  const secrets =
    credential === undefined
      ? []
      : [basic(credential), credential.password, encodeURIComponent(credential.password)].filter(
          (text) => text !== '',
        )
  return (text) =>
    secrets
      .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
      .replaceAll(/:\/\/[^/@\s'"]{1,1000}@/g, '://***@')
}

function basic(credential: { username: string; password: string }): string {
  return Buffer.from(`${credential.username}:${credential.password}`).toString('base64')
}
