import type { HostAccess } from '../../integrations/forges/host.ts'
import {
  findHost,
  serverCredential,
  type Hosts,
  type RepositoryKind,
} from '../../integrations/forges/hosts.ts'
import type { OpenedRepository } from '../../integrations/forges/open-repository.ts'
import { AppError, asProblem } from '../../lib/errors.ts'
import { within } from '../../lib/within.ts'
import { dayText } from '../../lib/text/time-words.ts'
import type { Store } from '../../store/database.ts'
import { findSealedConnection } from './connections.ts'
import { lastDelivery, webhookUrl } from './webhook.ts'
import { followRename } from './follow-rename.ts'
import { hostsOfProject, type OpenConnection, type OpenedConnection } from './open-connection.ts'

/**
 * The connection of a project and what its credential may do, for people. The only secret in it is that of the
 * webhook.
 */
export interface HostDescription {
  kind: RepositoryKind
  /** As people know it: `GitHub`. */
  name: string
  site: string
  path: string
  forkPath: string | undefined
  /** The account of the credential, as the host named it when the credential was tried. */
  login: string | undefined
  credential: UsedCredential | undefined
  webhook: {
    state: 'none' | 'active'
    /** Undefined for plain git. */
    url: string | undefined
    secret: string | undefined
    /** When the host last sent a webhook. */
    calledAt: Date | undefined
  }
  /** What the host says about the credential; undefined without one, and while the host has not answered. */
  access: HostAccess | undefined
  /** What prevents jobs from running, one sentence each; undefined while the host has not answered. */
  notes: string[] | undefined
  /** When the host answered. */
  askedAt: Date | undefined
  /** Why the host could not be asked. */
  problem: AppError | undefined
}

interface UsedCredential {
  of: 'project' | 'server'
  /** Undefined when the credential cannot be decrypted. */
  kind: 'token' | 'github_app' | undefined
  appId?: string | undefined
  username?: string | undefined
}

export interface DescribeHostPorts {
  store: Store
  hosts: Hosts
  openConnection: OpenConnection
  /** The address at which hosts reach this server; undefined when it is not configured. */
  publicUrl: string | undefined
  /** Returns the host's answer, which may be cached; undefined while the host has not answered. */
  ask: (opened: OpenedConnection) => Promise<CheckedAccess | undefined>
}

/** Undefined for a folder on this server. Errors are part of the description. */
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
    credential: usedCredential(await hostsOfProject(store.db, hosts, projectId), opened),
    webhook: { ...description.webhook, secret: host && opened.connection.webhookSecret },
  }
  const seen = await ask(opened).catch(asProblem)
  if (seen instanceof AppError) return { ...readable, problem: seen }
  const path = seen?.access?.path ?? repository.path
  if (await followRename(store, opened.connection, path)) readable.path = path
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

/** What a host said about a credential. */
export interface CheckedAccess {
  /** Undefined without a credential. */
  access: HostAccess | undefined
  /** What prevents jobs from running, one sentence each. */
  notes: string[]
  at: Date
}

/** Asks the host of a connection what its credential may do. @throws AppError */
export async function askHost(opened: OpenedConnection, now: () => Date): Promise<CheckedAccess> {
  const access = await opened.hosted?.checkAccess()
  const at = now()
  return { access, notes: explainAccess(opened, access, at), at }
}

/** A cache of what hosts said about credentials, so that a page view does not always ask them again. */
interface AccessCache {
  /** Undefined while the host has not answered. @throws AppError when the host could not be asked */
  ask(opened: OpenedConnection): Promise<CheckedAccess | undefined>
  /** Makes the next call ask the host again. */
  forget(projectId: string): void
}

interface Asked {
  revision: number
  at: Date
  answer: Promise<CheckedAccess>
}

/** @param patience milliseconds that one call waits for an answer */
export function createAccessCache(now: () => Date, patience: number): AccessCache {
  const known = new Map<string, Asked>()
  return {
    async ask(opened) {
      const { projectId, revision } = opened.connection
      const before = known.get(projectId)
      const holds = before?.revision === revision && now().getTime() - before.at.getTime() < lifetime
      const current = before && holds ? before : { revision, at: now(), answer: begin(opened, now) }
      known.set(projectId, current)
      return within(patience, current.answer, () => undefined)
    },
    forget: (projectId) => void known.delete(projectId),
  }
}

/** Milliseconds. */
const lifetime = 5 * 60_000

function begin(opened: OpenedConnection, now: () => Date): Promise<CheckedAccess> {
  const answer = askHost(opened, now)
  // Callers get the error from the promise itself; without this handler it would be unhandled when none waits any
  // more.
  answer.catch(() => undefined)
  return answer
}

const soon = 14 * 86_400_000

/**
 * What prevents jobs from running, one sentence each; empty when nothing does. The assistant works without these
 * permissions.
 */
export function explainAccess(
  { host, hosted }: Pick<OpenedRepository, 'host' | 'hosted'>,
  access: HostAccess | undefined,
  now: Date,
): string[] {
  if (host === undefined)
    return [
      'Docwright has no API integration for this git host. Jobs push a branch, and you open the pull request yourself',
    ]
  if (hosted === undefined || access === undefined)
    return [`No credential for ${host.name}. The assistant works, but jobs can’t publish until you add one`]
  const notes: string[] = []
  if (access.archived)
    notes.push(
      `${access.path} is archived: the assistant works, but jobs cannot publish until it is unarchived`,
    )
  if (access.missing.length > 0)
    notes.push(
      `The credential is missing ${access.missing.join(', ')}. The assistant works, but jobs can’t publish until you add it`,
    )
  if (access.missingForComments !== undefined)
    notes.push(
      `The credential is missing ${access.missingForComments}: ${host.name} doesn’t report who can write. Comments of people who can’t be checked are ignored, unless they are in the setting “trusted”`,
    )
  if (access.missingForReplies !== undefined)
    notes.push(
      `The credential is missing ${access.missingForReplies}: jobs publish, but comments get no answer and pull requests no labels`,
    )
  const { expiresAt } = access
  if (expiresAt !== undefined && expiresAt.getTime() - now.getTime() < soon)
    notes.push(`The credential expires on ${dayText(expiresAt)}: make a new one and give it to the project`)
  return notes
}
