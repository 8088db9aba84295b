import { readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../../lib/errors.ts'

/** A remote repository to fetch from and push to. Only the functions below create one. */
export type Remote =
  | {
      readonly kind: 'url'
      readonly url: string
      readonly credential?: Credential | CredentialSource
      /** The address that this server's branches are pushed to and also fetched from, when it is not `url`. */
      readonly fork?: Fork
    }
  | { readonly kind: 'folder'; readonly folder: string }

/** Where this server's branches are, and what their names begin with. */
export interface Fork {
  readonly remote: Remote
  readonly prefixes: readonly string[]
}

export type Credential = { readonly username: string; readonly password: string }

/**
 * Called before every operation, because tokens of some hosts expire after an hour; undefined means no credential.
 * `renew` is true after a refusal. A credential that cannot be renewed is returned again.
 */
export type CredentialSource = (renew?: boolean) => Promise<Credential | undefined>

/**
 * Accepts an https address (http on loopback, or with `allowHttp`). A credential travels beside it, never inside.
 * @throws AppError `invalid` with what to give instead.
 */
export function remoteFromUrl(
  address: string,
  options: {
    credential?: Credential | CredentialSource | undefined
    allowHttp?: boolean | undefined
    fork?: Fork | undefined
  } = {},
): Remote {
  if (/[\p{Cc} ]/u.test(address) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) {
    throw new AppError('invalid', `${shown(address)} is not a repository URL. Enter an https:// URL`)
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'file:')
    throw new AppError(
      'invalid',
      `${shown(address)} is a folder on this server. Enter its path, without file://`,
    )
  if (url === undefined || url.hostname === '') {
    throw new AppError(
      'invalid',
      `${shown(address)} is not a valid URL. Enter the https:// URL of a git repository`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError(
      'invalid',
      'The repository address contains a user name or password: leave it out of the URL and configure the credential apart',
    )
  }
  const http = url.protocol === 'http:' && (options.allowHttp === true || isLoopback(url.hostname))
  if (url.protocol !== 'https:' && !http) {
    throw new AppError(
      'invalid',
      `Repositories are fetched over https only, not ${url.protocol.slice(0, -1)}. Enter the https:// URL of ${shown(address)}`,
    )
  }
  if (url.search !== '' || url.hash !== '') {
    throw new AppError('invalid', `The repository address must not hold "?" or "#": ${shown(address)}`)
  }
  const { credential, fork } = options
  return { kind: 'url', url: url.href, ...(credential && { credential }), ...(fork && { fork }) }
}

/** The remote with a credential that is valid now. */
export async function withCredential(remote: Remote): Promise<Remote> {
  if (remote.kind !== 'url' || typeof remote.credential !== 'function') return remote
  const { credential, ...rest } = remote
  const now = await credential()
  return now === undefined ? rest : { ...rest, credential: now }
}

/** After a refusal: whether another credential is worth a try. It is then used next. */
export async function renewCredential(remote: Remote | undefined): Promise<boolean> {
  const source = remote?.kind === 'url' ? remote.credential : undefined
  if (typeof source !== 'function') return false
  const refused = await source()
  return JSON.stringify(await source(true)) !== JSON.stringify(refused)
}

/** The present credential; undefined until it was asked for. */
export function credentialOf(remote: Remote | undefined): Credential | undefined {
  const credential = remote?.kind === 'url' ? remote.credential : undefined
  return typeof credential === 'function' ? undefined : credential
}

/** The address that this server's branches are pushed to. */
export function pushTarget(remote: Remote): Remote {
  return (remote.kind === 'url' && remote.fork?.remote) || remote
}

/**
 * Accepts a folder that the operator has named. The caller has to make sure of that. The result holds the real
 * path, which is to be kept for `registeredFolder`.
 * @throws AppError `not_found` or `invalid`.
 */
export async function remoteFromFolder(path: string): Promise<Remote> {
  const folder = await realpath(resolve(path)).catch(() => undefined)
  if (folder === undefined || !(await stat(folder)).isDirectory()) {
    throw new AppError('not_found', `There is no folder ${shown(path)}`)
  }
  if (/\p{Cc}/u.test(folder)) {
    throw new AppError('invalid', 'A repository folder must not hold control characters in its path')
  }
  return { kind: 'folder', folder }
}

/** A folder that `remoteFromFolder` returned before. It is refused when its path leads elsewhere by now. */
export function registeredFolder(folder: string): Remote {
  return { kind: 'folder', folder }
}

/** The operand that names the remote to git; checks that a folder is still where it was registered. */
export async function remoteOperand(remote: Remote): Promise<string> {
  if (remote.kind === 'url') return remote.url
  const now = await realpath(remote.folder).catch(() => undefined)
  if (now === undefined) {
    throw new AppError(
      'not_found',
      `The repository folder ${remote.folder} no longer exists: put it back or remove the project`,
    )
  }
  if (now !== remote.folder) {
    throw new AppError(
      'forbidden',
      `${remote.folder} now leads to ${now}, which is not registered: add it as a project`,
    )
  }
  return remote.folder
}

/**
 * The folders that git has to trust for this remote, whoever owns them: a checkout's root, its git folder, a linked
 * worktree's.
 */
export async function trustedFolders(remote: Remote): Promise<string[]> {
  if (remote.kind === 'url') return []
  const inside = join(remote.folder, '.git')
  const link = await readFile(inside, 'utf8').catch(() => '')
  const target = /^gitdir: ([^\n]+)/.exec(link.slice(0, 4096))?.[1]
  const linked =
    target === undefined ? undefined : await realpath(resolve(remote.folder, target)).catch(() => undefined)
  return linked === undefined ? [remote.folder, inside] : [remote.folder, inside, linked]
}

/** The name of a remote in messages. */
export function remoteName(remote: Remote): string {
  return remote.kind === 'url' ? remote.url : remote.folder
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 200).replace(/\/\/[^/@]*@/, '//'))
}
