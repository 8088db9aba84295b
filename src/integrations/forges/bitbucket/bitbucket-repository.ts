import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { Credential } from '../../git/remote.ts'
import type { HostCredential, HostPorts, RepositoryAddress } from '../host.ts'
import { encodeSegments } from '../http/api-path.ts'
import { createHostClient } from '../http/host-client.ts'
import type { HostApi, HostClient } from '../http/host-client.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { checkToken } from '../http/token-header.ts'

/** A repository, and the fork that branches are pushed to, behind Bitbucket's API. */
export interface BitbucketRepository {
  ports: HostPorts
  /** `workspace/name`, for messages. */
  path: string
  client: HostClient
  /** In the API: `/repositories/workspace/name`. */
  target: string
  /** The repository that has the branches. */
  source: string
  /** What that is called now: pull requests name it so, however it was called when the project was added. */
  sourceName(api: HostApi): Promise<string>
  gitCredential: Credential
}

export function createBitbucketRepository(
  ports: HostPorts,
  credential: HostCredential & { kind: 'token' },
  address: RepositoryAddress,
  fork: RepositoryAddress | undefined,
  limits: Partial<HostLimits>,
): BitbucketRepository {
  const token = checkToken(credential.token)
  const person = credential.username?.includes('@') ? credential.username : undefined
  const proof = person ? `Basic ${Buffer.from(`${person}:${token}`).toString('base64')}` : `Bearer ${token}`
  const client = createHostClient({
    ports,
    name: 'Bitbucket',
    base: apiOf(address.site),
    authorization: async () => ({ authorization: proof }),
    remedy: ({ body }) => scopesOf(body),
    limits,
  })
  const { path } = address
  const source = placeOf(fork?.path ?? path)
  let name: string | undefined
  return {
    ports,
    path,
    client,
    target: placeOf(path),
    source,
    sourceName: async (api) =>
      (name ??= (await api.get(source, z.object({ full_name: z.string() }))).full_name),
    gitCredential: {
      username: person ? 'x-bitbucket-api-token-auth' : (credential.username ?? 'x-token-auth'),
      password: token,
    },
  }
}

// Elsewhere it is a proxy for it, or a stand-in.
function apiOf(site: string): string {
  return site === 'https://bitbucket.org' ? 'https://api.bitbucket.org/2.0' : `${site}/2.0`
}

function placeOf(path: string): string {
  if (path.split('/').length !== 2) {
    throw new AppError('invalid', `A repository on Bitbucket is named workspace/name, not ${path}`)
  }
  return `/repositories/${encodeSegments(path)}`
}

// {"error": {"detail": {"required": ["pullrequest:write"], "granted": [...]}}}
function scopesOf(body: unknown): string | undefined {
  const required = field(field(field(body, 'error'), 'detail'), 'required')
  if (!Array.isArray(required)) return undefined
  const names = required.filter((name) => typeof name === 'string').slice(0, 5)
  return names.length > 0 ? `it needs the scope ${names.join(', ').slice(0, 200)}` : undefined
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return new Map<string, unknown>(Object.entries(value)).get(name)
}
