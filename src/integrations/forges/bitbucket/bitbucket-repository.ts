import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { Credential } from '../../git/remote.ts'
import type { HostCredential, HostPorts, RepositoryAddress } from '../host.ts'
import { encodeSegments } from '../http/api-path.ts'
import { createHostClient, type HostApi, type HostClient } from '../http/host-client.ts'
import type { HostLimits, Query } from '../http/host-client-options.ts'
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
  /**
   * The present path of that repository, which pull requests use even if the project was added under an older one.
   */
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

// Any other site is a proxy of Bitbucket or a test server.
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

interface Page<S extends z.ZodType> {
  values: z.output<S>[]
  next?: string | null | undefined
}

/** The items of all pages, at most `max`: each page tells where the next one is. */
export async function listPages<S extends z.ZodType>(
  api: HostApi,
  path: string,
  item: S,
  options: { query?: Query; max: number; until?: (items: z.output<S>[]) => boolean },
): Promise<z.output<S>[]> {
  const page = z.object({ values: z.array(item), next: z.string().nullish() })
  const items: z.output<S>[] = []
  let place: string | undefined = path
  let query = options.query
  while (place !== undefined && items.length < options.max) {
    const answer: Page<S> = await api.get(place, page, query)
    const { values, next } = answer
    items.push(...values)
    const isEnd = values.length === 0 || options.until?.(values) === true
    // The address of the next page already holds the whole query.
    query = undefined
    place = isEnd || !next ? undefined : pathOf(next)
  }
  return items.slice(0, options.max)
}

// Only the path of an address in an answer is used, so that no request ever goes to another host.
function pathOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { pathname, search } = new URL(address)
  const start = pathname.indexOf('/2.0/')
  return start < 0 ? undefined : `${pathname.slice(start + '/2.0'.length)}${search}`
}
