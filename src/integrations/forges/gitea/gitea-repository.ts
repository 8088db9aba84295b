import { AppError } from '../../../lib/errors.ts'
import type { HostCredential, HostPorts, RepositoryAddress } from '../host.ts'
import { encodeSegments } from '../http/api-path.ts'
import { createHostClient, type HostClient, type PageReader } from '../http/host-client.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { checkToken } from '../http/token-header.ts'

export interface GiteaRepository {
  ports: HostPorts
  /** `owner/name`. */
  path: string
  /** The path of the repository that branches are pushed to, when it is another one. */
  fork: string | undefined
  credential: Extract<HostCredential, { kind: 'token' }>
  client: HostClient
}

export function openGiteaRepository(
  ports: HostPorts,
  credential: HostCredential,
  { site, path }: RepositoryAddress,
  fork: RepositoryAddress | undefined,
  limits: Partial<HostLimits>,
): GiteaRepository {
  if (credential.kind !== 'token') {
    throw new AppError('invalid', 'Gitea and Forgejo don’t support GitHub Apps. Enter an access token')
  }
  const client = createHostClient({
    ports,
    name: 'Gitea',
    base: `${site.replace(/(?<!\/)\/+$/, '')}/api/v1`,
    authorization: async () => ({ authorization: `token ${checkToken(credential.token)}` }),
    remedy: ({ detail }) => {
      // [write:repository] or required=[write:repository], by version.
      const scopes = /required scope\(s\)[:,]? *(?:required=)?\[([\w:, ]{1,200})\]/i.exec(detail)?.[1]
      return scopes && `create a token with the scope ${scopes}`
    },
    limits,
  })
  return { ports, path, fork: fork?.path, credential, client }
}

/** The address of a repository in the API. */
export function repositoryPath(path: string): string {
  return `/repos/${encodeSegments(path)}`
}

/** The most items that a server gives at once by default. An operator may have set a lower limit. */
export const pageSize = 50

/**
 * Pages are asked for by number, because not every list has links. The last page is known by the total count, or by
 * having fewer items than were asked for.
 */
export const byNumber: PageReader = ({ body, headers, query, total }) => {
  const page = Number(query['page'] ?? 1)
  const count = headers.get('x-total-count')
  const size = Array.isArray(body) ? body.length : 0
  const isLast = count === null ? size < pageSize : total >= Number(count)
  return { items: body, next: isLast ? undefined : { ...query, page: page + 1 } }
}
