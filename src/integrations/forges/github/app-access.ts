import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { HostCredential, HostPorts } from '../host.ts'
import { apiPath } from '../http/api-path.ts'
import { createHostClient } from '../http/host-client.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { HostFailure, isAnswer } from '../http/host-failure.ts'
import { hostTime } from '../http/host-time.ts'
import { gitHubHeaders, repositoryPath, type GitHubAccess, type TokenUse } from './github-api.ts'
import { permissionName } from './advise-on-refusal.ts'
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'

/**
 * The permissions of a token for each use. The first list is required, the second is asked for if the installation
 * has it.
 */
const permissions: Record<TokenUse, { needed: Record<string, string>; more: Record<string, string> }> = {
  git: { needed: { contents: 'write', metadata: 'read' }, more: {} },
  requests: {
    needed: { contents: 'write', pull_requests: 'write', metadata: 'read' },
    more: { statuses: 'write' },
  },
  webhooks: { needed: { repository_hooks: 'write', metadata: 'read' }, more: {} },
}

const installation = z.object({
  id: z.number(),
  permissions: z.record(z.string(), z.string()).catch({}),
  suspended_at: z.string().nullish(),
  app_slug: z.string().nullish(),
})
type Installation = z.output<typeof installation>
const issued = z.object({ token: z.string(), expires_at: hostTime })
type Issued = z.output<typeof issued>

const early = 10 * 60_000

/**
 * Creates installation tokens of an app for one repository when they are needed, and keeps them until ten minutes
 * before they expire.
 */
export function createAppAccess(
  { ports, base, limits }: { ports: HostPorts; base: string; limits: Partial<HostLimits> },
  credential: Extract<HostCredential, { kind: 'github_app' }>,
  path: string,
): GitHubAccess {
  const clock = createHostClock(ports)
  const client = createHostClient({
    ports: clock.ports,
    name: 'GitHub',
    base,
    // A refused app token is made again: the answer told the host's time.
    authorization: async () => ({ authorization: `Bearer ${signAppToken(credential, clock.now())}` }),
    headers: gitHubHeaders,
    limits: { operation: 30_000, ...limits },
  })
  const kept = new Map<TokenUse, Promise<Issued>>()
  let known: Promise<Installation> | undefined
  const installed = (): Promise<Installation> => {
    known ??= findInstallation()
    known.catch(() => (known = undefined))
    return known
  }

  async function findInstallation(): Promise<Installation> {
    const appInstallation = await client.operation(`find the app's installation on ${path}`, (api) =>
      api.find(`${repositoryPath(path)}/installation`, installation),
    )
    if (appInstallation === undefined) {
      throw new AppError('not_found', `The GitHub App is not installed on ${path}: install it there`)
    }
    if (appInstallation.suspended_at) {
      throw new AppError('forbidden', `The installation of the GitHub App on ${path} is suspended: resume it`)
    }
    return appInstallation
  }

  async function issue(use: TokenUse): Promise<Issued> {
    const { id, permissions: granted } = await installed()
    const { needed, more } = permissions[use]
    const missing = Object.entries(needed).filter(([name, level]) => !covers(granted[name], level))
    if (missing.length > 0) {
      const names = missing.map(([name, level]) => permissionName(name, level)).join(' and ')
      throw new AppError(
        'forbidden',
        `The GitHub App lacks ${names} on ${path}: grant it in its settings and accept it`,
      )
    }
    const extra = Object.entries(more).filter(([name, level]) => covers(granted[name], level))
    const granting = { permissions: { ...needed, ...Object.fromEntries(extra) } }
    try {
      return await make(id, { repositories: [path.split('/').at(-1)], ...granting })
    } catch (error) {
      // Tokens are made for present names, and it may have been renamed.
      const repository = isAnswer(error, 422) ? await findRepositoryId(id) : undefined
      if (repository === undefined) throw error
      return make(id, { repository_ids: [repository], ...granting })
    }
  }

  function make(installationId: number, body: object): Promise<Issued> {
    return client.operation(`create an app token for ${path}`, (api) =>
      // A second token does no harm, so a token that may have been made is not looked for.
      api.replace('POST', apiPath`/app/installations/${installationId}/access_tokens`, body, issued),
    )
  }

  async function findRepositoryId(installationId: number): Promise<number | undefined> {
    const { token } = await make(installationId, { permissions: { metadata: 'read' } })
    const reader = createHostClient({
      ports,
      name: 'GitHub',
      base,
      authorization: async () => ({ authorization: `Bearer ${token}` }),
      headers: gitHubHeaders,
      limits,
    })
    const answer = z.object({ id: z.number() })
    return reader.operation(`read ${path}`, async (api) => (await api.find(repositoryPath(path), answer))?.id)
  }

  async function token(use: TokenUse, renew: boolean): Promise<string> {
    const present = renew ? undefined : kept.get(use)
    const latest = await present?.catch(() => undefined)
    if (latest && latest.expires_at.getTime() - clock.now().getTime() > early) return latest.token
    // Another caller may have asked for a new token meanwhile.
    if (present && kept.get(use) !== present) return token(use, false)
    if (renew) known = undefined
    const making = issue(use)
    kept.set(use, making)
    try {
      return (await making).token
    } catch (error) {
      kept.delete(use)
      // The app may have been installed again, with another id.
      if (error instanceof HostFailure) known = undefined
      throw error
    }
  }

  return {
    token: (use, renew = false) => token(use, renew),
    permissions: async () => (await installed()).permissions,
    async appLogin() {
      const { app_slug: slug } = await installed()
      return slug ? `${slug}[bot]` : undefined
    },
  }
}

const levels = ['read', 'write', 'admin']

function covers(granted: string | undefined, level: string): boolean {
  return granted !== undefined && levels.indexOf(granted) >= levels.indexOf(level)
}

/** The host's time, from its last answer. GitHub refuses app tokens when the local clock is off by minutes. */
function createHostClock(ports: HostPorts): { ports: HostPorts; now(): Date } {
  let ahead = 0
  return {
    now: () => new Date(ports.now().getTime() + ahead),
    ports: {
      ...ports,
      async fetch(input, init) {
        const response = await ports.fetch(input, init)
        const time = Date.parse(response.headers.get('date') ?? '')
        if (!Number.isNaN(time)) ahead = time - ports.now().getTime()
        return response
      },
    },
  }
}

/**
 * The short-lived token that authenticates an app: a JWT signed with its private key.
 * @param now GitHub's time, as far as it is known
 * @throws AppError `invalid` for a key that cannot be read
 */
function signAppToken({ appId, privateKey }: { appId: string; privateKey: string }, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  // GitHub accepts at most ten minutes. Both ends leave room for clocks that differ.
  const claims = { iat: seconds - 60, exp: seconds + 480, iss: appId.trim() }
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), readKey(privateKey)).toString('base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function readKey(privateKey: string): KeyObject {
  try {
    // Environment variables often hold line ends as \n.
    const key = createPrivateKey(privateKey.replaceAll(String.raw`\n`, '\n').trim())
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // The error's message may quote the key.
  }
  throw new AppError(
    'invalid',
    'The private key of the GitHub App can’t be read. Enter the whole .pem file that GitHub created for it',
  )
}
