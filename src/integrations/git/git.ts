import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as tls from 'node:tls'

/** Where git runs and what of the machine's environment it may see. Holds no secret. */
export type Git = {
  /** The folder of git's own files: locks, private indexes, generated configuration. */
  readonly folder: string
  /** The only variables that reach a git process beside those that we set. */
  readonly environment: Readonly<Record<string, string>>
  /** Bytes that one mirror may have; 4 GiB when not given. */
  readonly mirrorBytes?: number | undefined
}

/** A repository on this machine: a bare mirror of ours, or a registered folder. Always an absolute path to the git folder. */
export type Repository = { readonly git: Git; readonly folder: string }

// Nothing with a GIT_ name but the certificate settings: GIT_SSH_COMMAND, GIT_EXTERNAL_DIFF and their like run programs.
const passedOn = [
  'PATH',
  'SYSTEMROOT',
  'TMPDIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
]

/**
 * Prepares the folder that git processes work in.
 * `environment` is the process's own; only PATH, proxy and certificate variables are taken from it.
 */
export async function createGit(options: {
  dataFolder: string
  environment: Readonly<Record<string, string | undefined>>
  mirrorBytes?: number | undefined
}): Promise<Git> {
  const folder = join(resolve(options.dataFolder), 'git')
  const environment: Record<string, string> = {}
  for (const name of passedOn) {
    const value = options.environment[name]
    if (value !== undefined && value !== '') environment[name] = value
  }
  await Promise.all(['home', 'locks', 'tmp'].map((name) => mkdir(join(folder, name), { recursive: true })))
  const certificates = await certificateFile(folder, options.environment)
  if (certificates !== undefined) environment['GIT_SSL_CAINFO'] = certificates
  const git: Git = { folder, environment, mirrorBytes: options.mirrorBytes }
  await globalConfiguration(git, [])
  await sweep(join(folder, 'tmp'))
  return git
}

// Removes files that a killed process left behind. A day is far longer than every deadline.
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats !== undefined && Date.now() - stats.mtimeMs > 86_400_000)
      await rm(path, { recursive: true, force: true })
  }
}

/** An empty folder: HOME and working directory of every git process. */
export function homeFolder(git: Git): string {
  return join(git.folder, 'home')
}

/**
 * The path of a generated global configuration that trusts exactly these folders (`safe.directory` is ignored on the
 * command line). The name is the content's hash: processes that share the data folder never overwrite each other's.
 */
export async function globalConfiguration(git: Git, trusted: readonly string[]): Promise<string> {
  // Repeats the configuration of the command line for the processes that git starts in another repository.
  const fixed = '[core]\n\thooksPath = /dev/null\n\tfsmonitor = false\n[gc]\n\tauto = 0\n'
  const safe = trusted.map((folder) => `\tdirectory = "${folder.replaceAll(/["\\]/g, '\\$&')}"\n`).join('')
  const text = safe === '' ? fixed : `${fixed}[safe]\n${safe}`
  const path = join(
    git.folder,
    `config-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.gitconfig`,
  )
  const present = await readFile(path, 'utf8').catch(() => undefined)
  if (present !== text) {
    const draft = `${path}.${process.pid}.${performance.now()}`
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, path)
  }
  return path
}

/** Variables that name git's certificates already. */
const own = ['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE', 'SSL_CERT_DIR']

/**
 * A file with the authority that `NODE_EXTRA_CA_CERTS` names and all those that are trusted anyway: git trusts one file
 * only, and has to reach hosts of both kinds. Undefined when there is no such authority, or git has its own variable.
 */
async function certificateFile(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const extra = environment['NODE_EXTRA_CA_CERTS']
  if (!extra || own.some((name) => environment[name])) return undefined
  // Node has warned about it when it cannot be read.
  const added = await readFile(extra, 'utf8').catch(() => undefined)
  if (added === undefined) return undefined
  const system = 'getCACertificates' in tls ? tls.getCACertificates('system') : []
  const text = [...new Set([...tls.rootCertificates, ...system, added])].join('\n')
  const path = join(
    folder,
    `certificates-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.pem`,
  )
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return path
  const draft = `${path}.${process.pid}.${performance.now()}`
  await writeFile(draft, text)
  await rename(draft, path)
  return path
}
