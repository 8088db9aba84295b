import { AppError, asProblem } from '../../../lib/errors.ts'
import type { HostAccess } from '../../../integrations/forges/host.ts'
import { findHost, serverCredential } from '../../../integrations/forges/hosts.ts'
import type { Hosts, RepositoryKind } from '../../../integrations/forges/hosts.ts'
import type { Store } from '../../../store/database.ts'
import type { SeenAccess } from './host-access.ts'
import { findSealedConnection } from './connections.ts'
import { lastDelivery } from './deliveries.ts'
import type { OpenConnection, OpenedConnection } from './open-connection.ts'
import { webhookUrl } from './set-up-webhook.ts'

/** How a project's repository is reached and what its credential may do, for people. Of secrets, the webhook's alone. */
export interface HostDescription {
  kind: RepositoryKind
  /** As people know it: `GitHub`. */
  name: string
  site: string
  path: string
  forkPath: string | undefined
  /** Who acts, as the host named them when the credential was tried. */
  login: string | undefined
  credential: UsedCredential | undefined
  webhook: {
    state: 'none' | 'active'
    /** Undefined for plain git. */
    url: string | undefined
    secret: string | undefined
    /** When the host last called. */
    calledAt: Date | undefined
  }
  /** What the host says of the credential; undefined without one, and as long as it has not answered. */
  access: HostAccess | undefined
  /** What stands in the way of jobs, one sentence each; undefined as long as the host has not answered. */
  notes: string[] | undefined
  /** When it answered. */
  askedAt: Date | undefined
  /** Why nothing could be found out. */
  problem: AppError | undefined
}

interface UsedCredential {
  of: 'project' | 'server'
  /** Undefined when it is there and cannot be read. */
  kind: 'token' | 'github_app' | undefined
  appId?: string | undefined
  username?: string | undefined
}

export interface DescribeHostPorts {
  store: Store
  hosts: Hosts
  openConnection: OpenConnection
  /** Where hosts reach this server; undefined when nobody has said. */
  publicUrl: string | undefined
  /** Asks the host, or remembers; undefined while it has not answered. */
  ask: (opened: OpenedConnection) => Promise<SeenAccess | undefined>
}

/** Undefined for a folder on this server. What goes wrong on the way is part of the answer. */
export async function describeHost(
  { store, hosts, openConnection, publicUrl, ask }: DescribeHostPorts,
  projectId: string,
): Promise<HostDescription | undefined> {
  const connection = await findSealedConnection(store.db, projectId)
  if (!connection) return undefined
  const { repository, forkPath, login } = connection
  const host = findHost(hosts, repository.kind)
  const description: HostDescription = {
    kind: repository.kind,
    name: host?.name ?? 'git',
    site: repository.site,
    path: repository.path,
    forkPath,
    login,
    credential: connection.hasCredential ? { of: 'project', kind: undefined } : undefined,
    webhook: {
      state: connection.webhook,
      url: host && webhookUrl(publicUrl ?? '{public address}', projectId),
      secret: undefined,
      calledAt: await lastDelivery(store.db, projectId),
    },
    access: undefined,
    notes: undefined,
    askedAt: undefined,
    problem: undefined,
  }
  const opened = await openConnection(projectId).catch(asProblem)
  if (opened instanceof AppError) return { ...description, problem: opened }
  if (!opened) return description
  const readable = {
    ...description,
    credential: usedCredential(hosts, opened),
    webhook: { ...description.webhook, secret: host && opened.connection.webhookSecret },
  }
  const seen = await ask(opened).catch(asProblem)
  if (seen instanceof AppError) return { ...readable, problem: seen }
  return { ...readable, access: seen?.access, notes: seen?.notes, askedAt: seen?.at }
}

function usedCredential(hosts: Hosts, { connection }: OpenedConnection): UsedCredential | undefined {
  const { credential: own, repository } = connection
  const credential = own ?? serverCredential(hosts, repository)
  if (credential === undefined) return undefined
  const of = own === undefined ? 'server' : 'project'
  return credential.kind === 'token'
    ? { of, kind: 'token', username: credential.username }
    : { of, kind: 'github_app', appId: credential.appId }
}
