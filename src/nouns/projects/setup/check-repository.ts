import type { HostAccess } from '../../../integrations/forges/host.ts'
import { findHost, type Hosts, type RepositoryKind } from '../../../integrations/forges/hosts.ts'
import type { Git } from '../../../integrations/git/git.ts'
import {
  defaultBranchPrefix,
  describeBranchInTheWay,
  isSurelyInTheWay,
} from '../../../integrations/git/branch-prefix.ts'
import { findBlockingAt } from '../../../integrations/git/remotes/find-blocking.ts'
import { checkRemote } from '../../../integrations/git/remotes/check-remote.ts'
import type { Store } from '../../../store/database.ts'
import { resolveOrganization } from '../../../features/projects/organizations.ts'
import { findConnectable } from '../../../features/connections/find-connectable.ts'
import { hostsOfOrganization } from '../../../features/connections/open-connection.ts'
import type { ConnectInput } from './connect-project.ts'

/** Something that jobs and syncs need, and whether the credential gives it. */
export interface RepositoryRight {
  name: 'read' | 'push' | 'pull_request' | 'webhook'
  state: 'yes' | 'no' | 'unknown'
  /** What follows of it, or what is missing; one sentence. */
  why: string
}

/** What an address and a credential are good for. Nothing of it is kept. */
export interface CheckedRepository {
  kind: RepositoryKind
  /** As people know the host: `GitHub`. */
  host: string
  site: string
  path: string
  /** The account of the credential, where the host tells. */
  login: string | undefined
  branch: string
  defaultBranch: string | undefined
  rights: RepositoryRight[]
  /** Which input was corrected, and what else to know. */
  notes: string[]
}

export type RepositoryToCheck = Pick<ConnectInput, 'host'> & {
  /** For which it is tried. */
  organizationId: string
  location: string
  credential?: Exclude<ConnectInput['credential'], null>
  fork?: string | undefined
  ref?: string | undefined
}

/**
 * Asks a repository and its host what a credential may do, without keeping anything.
 * @param publicUrl where hosts reach this server; undefined when nobody said so
 * @throws AppError that says what to give instead
 */
export async function checkRepository(
  {
    store,
    git,
    publicUrl,
    ...ports
  }: { store: Store; hosts: Hosts; git: Git; publicUrl: string | undefined },
  { organizationId, location, ref, ...input }: RepositoryToCheck,
): Promise<CheckedRepository> {
  const hosts = hostsOfOrganization(ports.hosts, await resolveOrganization(store.db, organizationId))
  const connectable = await findConnectable(hosts, location, input)
  const { repository, access, login, remote, notes } = connectable
  const { branch, defaultBranch } = await checkRemote(git, remote, {
    branch: ref === 'HEAD' ? undefined : ref,
  })
  const host = findHost(hosts, repository.kind)
  const name = host?.name ?? 'git'
  const known = host ? hostedRights(name, access, publicUrl) : plainRights()
  const blocking = await findBlockingAt(git, remote, defaultBranchPrefix)
  const rights = blocking === undefined ? known : known.map((one) => withoutPush(one, blocking))
  const missing =
    access === undefined
      ? []
      : [...access.missing, access.missingForComments ?? '', access.missingForReplies ?? '']
  return {
    kind: repository.kind,
    host: name,
    site: repository.site,
    path: repository.path,
    login,
    branch,
    defaultBranch,
    rights,
    // What the rights say already is not said twice.
    notes:
      access === undefined
        ? []
        : notes.filter((note) => !missing.some((one) => one !== '' && note.includes(one))),
  }
}

function hostedRights(
  host: string,
  access: HostAccess | undefined,
  publicUrl: string | undefined,
): RepositoryRight[] {
  const read: RepositoryRight = { name: 'read', state: 'yes', why: 'The pages can be read and searched' }
  const hook: RepositoryRight =
    publicUrl === undefined
      ? {
          name: 'webhook',
          state: 'no',
          why: `${host} is polled, as it is not known where it would reach this server (DOCWRIGHT_PUBLIC_URL)`,
        }
      : {
          name: 'webhook',
          state: 'unknown',
          why: `It is set up when the project is added, if the credential may do that; otherwise ${host} is polled`,
        }
  if (access === undefined) {
    const why = 'It needs a credential; without one only the assistant works'
    return [
      read,
      { name: 'push', state: 'no', why },
      { name: 'pull_request', state: 'no', why },
      { ...hook, state: 'no', why },
    ]
  }
  if (access.archived) {
    const why = `${access.path} is archived: nothing can be published until it is unarchived`
    return [read, { name: 'push', state: 'no', why }, { name: 'pull_request', state: 'no', why }, hook]
  }
  const ofRequests = access.missing.filter((one) => /pull|merge|issue/i.test(one))
  // A missing role or scope may prevent both, and is named at both.
  const ofPush = access.missing.filter((one) => !ofRequests.includes(one))
  const ofBoth = ofPush.filter((one) => /role|scope|access|api/i.test(one))
  return [
    read,
    right('push', ofPush, 'Jobs can push their branches'),
    right('pull_request', [...new Set([...ofRequests, ...ofBoth])], 'Jobs can open pull requests'),
    hook,
  ]
}

function withoutPush(right: RepositoryRight, blocking: string): RepositoryRight {
  if (right.name !== 'push' || right.state === 'no') return right
  const state = isSurelyInTheWay(defaultBranchPrefix, blocking) ? 'no' : 'unknown'
  return { ...right, state, why: describeBranchInTheWay(defaultBranchPrefix, blocking) }
}

function right(name: 'push' | 'pull_request', missing: readonly string[], good: string): RepositoryRight {
  return missing.length === 0
    ? { name, state: 'yes', why: good }
    : { name, state: 'no', why: `The credential is missing ${missing.join(', ')}` }
}

function plainRights(): RepositoryRight[] {
  return [
    { name: 'read', state: 'yes', why: 'The pages can be read and searched' },
    {
      name: 'push',
      state: 'unknown',
      why: 'Plain git does not tell; the first job that publishes finds out',
    },
    {
      name: 'pull_request',
      state: 'no',
      why: 'Docwright has no API integration for this git host. Jobs push a branch, and you open the pull request yourself',
    },
    { name: 'webhook', state: 'no', why: 'The host is polled' },
  ]
}
