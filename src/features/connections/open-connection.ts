import {
  gitUrl,
  recogniseKnown,
  type Hosts,
  type RecognisedRepository,
} from '../../integrations/forges/hosts.ts'
import { openRepository, type OpenedRepository } from '../../integrations/forges/open-repository.ts'
import { remoteFromUrl, type Remote } from '../../integrations/git/remote.ts'
import type { SecretKey } from '../../lib/secret-box.ts'
import type { Store, Reader } from '../../store/database.ts'
import { findConnection, type Connection } from './connections.ts'

export interface ConnectionPorts {
  store: Store
  hosts: Hosts
  /** Encrypts credentials at rest. */
  secretKey: SecretKey
}

export interface OpenedConnection extends OpenedRepository {
  connection: Connection
}

/** Opens the connection of a project. Connections are cached with the tokens and rate limits of their hosts. */
export type OpenConnection = (projectId: string) => Promise<OpenedConnection | undefined>

export function createOpenConnection({ store, hosts, secretKey }: ConnectionPorts): OpenConnection {
  const open = new Map<string, OpenedConnection>()
  return async (projectId) => {
    const connection = await findConnection(store.db, secretKey, projectId)
    if (!connection) {
      open.delete(projectId)
      return undefined
    }
    const known = open.get(projectId)
    if (known?.connection.revision === connection.revision) return { ...known, connection }
    const { repository, credential, forkPath } = connection
    const usable = await hostsOfProject(store.db, hosts, projectId)
    const opened = { connection, ...openRepository(usable, repository, credential, forkPath) }
    open.set(projectId, opened)
    return opened
  }
}

/**
 * What git fetches from and pushes to.
 * @param prefixes of the agent's branches, now and before
 */
export function remoteOfConnection(
  location: string,
  opened: OpenedConnection | undefined,
  prefixes: readonly string[],
): Remote {
  const { connection, credential, forkCredential } = opened ?? {}
  if (connection?.forkPath === undefined) return remoteFromUrl(location, { credential })
  const url = gitUrl(connection.repository.site, connection.forkPath)
  return remoteFromUrl(location, {
    credential,
    fork: { remote: remoteFromUrl(url, { credential: forkCredential }), prefixes },
  })
}

/**
 * The remote of a repository that is only read: with the project's credential when it is on the same site, else
 * with the server's.
 * @param hosts as the project may use them
 */
export function remoteForReading(hosts: Hosts, url: string, near: OpenedConnection | undefined): Remote {
  const { repository, opened } = openForReading(hosts, url, near)
  const { credential } = opened
  // Some hosts redirect git from the address that people copy, and git follows no redirects here.
  return remoteFromUrl(repository.kind === 'git' ? url : gitUrl(repository.site, repository.path), {
    // A repository that the credential cannot read may be public.
    credential: credential && ((renew) => credential(renew).catch(() => undefined)),
  })
}

/** Such a repository at its host. */
export function openForReading(
  hosts: Hosts,
  url: string,
  near: OpenedConnection | undefined,
): { repository: RecognisedRepository; opened: OpenedRepository } {
  const place = near?.connection.repository
  const isNear = place !== undefined && url.startsWith(`${place.site}/`)
  const repository = recogniseKnown(hosts, url, isNear ? place : undefined)
  const own = isNear ? near?.connection.credential : undefined
  return { repository, opened: openRepository(hosts, repository, own, undefined) }
}

/**
 * The hosts as the projects of an organization use them. The server's own credentials are for the first organization
 * alone: owners of another one name addresses too, and would read with them what only the first one may.
 */
export function hostsOfOrganization(hosts: Hosts, { isDefault }: { isDefault: boolean }): Hosts {
  return isDefault ? hosts : withoutCredentials(hosts)
}

/** The same for the organization of a project. */
export async function hostsOfProject(db: Reader, hosts: Hosts, projectId: string): Promise<Hosts> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select('is_default')
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  return row?.is_default === true ? hosts : withoutCredentials(hosts)
}

function withoutCredentials(hosts: Hosts): Hosts {
  return { ...hosts, credentials: [] }
}
