import { posix } from 'node:path'
import { AppError } from '../../../lib/errors.ts'
import { noteAct } from '../../../store/acts.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import { defaultBranchPrefix, describeBranchInTheWay } from '../../../integrations/git/branch-prefix.ts'
import { findBlockingAt } from '../../../integrations/git/remotes/find-blocking.ts'
import { findHooks } from '../../../integrations/git/remotes/find-hooks.ts'
import { checkRemote } from '../../../integrations/git/remotes/check-remote.ts'
import type { Git } from '../../../integrations/git/git.ts'
import type { HostCredential } from '../../../integrations/forges/host.ts'
import type { Hosts, RepositoryKind } from '../../../integrations/forges/hosts.ts'
import { remoteFromFolder, remoteFromUrl, type Remote } from '../../../integrations/git/remote.ts'
import type { SecretKey } from '../../../lib/secret-box.ts'
import type { Store } from '../../../store/database.ts'
import type { Queue } from '../../../store/queue.ts'
import { saveConnection } from '../../../features/connections/connections.ts'
import { findConnectable } from '../../../features/connections/find-connectable.ts'
import { hostsOfOrganization } from '../../../features/connections/open-connection.ts'
import { resolveOrganization } from '../../../features/projects/organizations.ts'
import { requireDomain, insertProject, type Project } from '../../../features/projects/projects.ts'
import { parseGiven, settingsChange } from '../../../features/projects/settings/schemas.ts'
import type { Visibility } from '../../../features/projects/visibility.ts'
import { quoted, serverCommand } from '../../../lib/own-command.ts'
import { isAddress, readAddress } from '../../../lib/repository-address.ts'

export interface AddProjectInput {
  /** Absolute path of a repository on this machine, or an address as people copy it. */
  location: string
  /** By default the name of the repository. */
  domain?: string | undefined
  /** Undefined or `HEAD`: the repository's default branch, also when that is renamed. */
  ref?: string | undefined
  root?: string | undefined
  site?: string | undefined
  organizationId?: string | undefined
  visibility?: Visibility | undefined
  /** For https: detected from the address by default. */
  host?: RepositoryKind | undefined
  credential?: HostCredential | undefined
  /** URL of a fork, to push branches to. */
  fork?: string | undefined
}

export interface AddProjectPorts {
  store: Store
  queue: Pick<Queue, 'send'>
  git: Git
  hosts: Hosts
  secretKey: SecretKey
}

/** Given as a branch, it means the repository's default branch, as in git. */
export const defaultBranch = 'HEAD'

/** The added project, with notes for the person who added it. */
export interface AddedProject {
  project: Project
  notes: string[]
  /** Whether a credential is used to read the repository, the project's own or the server's. */
  hasCredential: boolean
}

/**
 * Registers a repository after asking it for the branch and its host for permissions, and queues its first sync.
 * @throws AppError `invalid`, `not_found` or `conflict` that says what to give instead
 */
export async function addProject(ports: AddProjectPorts, input: AddProjectInput): Promise<AddedProject> {
  const { store, queue, git, secretKey } = ports
  if (hasUnstorable(JSON.stringify(input)))
    throw new AppError('invalid', 'An option contains a character that cannot be kept')
  if (input.domain !== undefined) requireDomain(input.domain)
  const root = contentFolder(input.root ?? '')
  const { site } = parseGiven(settingsChange.pick({ site: true }), { site: input.site })
  const named = await remoteOf(input.location)
  const organization = await resolveOrganization(store.db, input.organizationId)
  const hosts = hostsOfOrganization(ports.hosts, organization)
  const connectable = named.kind === 'url' ? await findConnectable(hosts, named.url, input) : undefined
  if (!connectable && (input.host ?? input.credential ?? input.fork) !== undefined)
    throw new AppError('invalid', 'A folder on this server has no host: leave out the options for one')
  const remote = connectable?.remote ?? named
  const domain = input.domain ?? domainOf(remote)
  requireDomain(domain)
  const followsDefault = input.ref === undefined || input.ref === defaultBranch
  const { branch } = await checkRemote(git, remote, { branch: followsDefault ? undefined : input.ref })
  const blocking = await findBlockingAt(git, remote, defaultBranchPrefix)
  const hooks = await findHooks(remote)
  return store.transaction(async (tx) => {
    const project = await insertProject(tx, {
      organizationId: organization.id,
      domain,
      kind: remote.kind === 'url' ? 'https' : 'path',
      location: remote.kind === 'url' ? remote.url : remote.folder,
      ref: branch,
      followsDefault,
      root,
      site: site ?? undefined,
      visibility: input.visibility,
      blockingBranch: blocking,
    })
    noteAct({ project })
    if (connectable) await saveConnection(tx, secretKey, { projectId: project.id, ...connectable })
    await queue.send(tx, 'sync', project.id)
    const hasCredential = remote.kind === 'url' && remote.credential !== undefined
    const notes = [
      ...(connectable?.notes ?? []),
      ...(blocking === undefined ? [] : [describeBranchInTheWay(defaultBranchPrefix, blocking)]),
      ...(hooks.length === 0 ? [] : [describeHooks(hooks)]),
    ]
    return { project, notes, hasCredential }
  })
}

/**
 * The remote for a repository as people name it: an address, which becomes an https one, or a folder.
 * @throws AppError that says what is wrong with it
 */
export async function remoteOf(location: string): Promise<Remote> {
  return isAddress(location) ? remoteFromUrl(readAddress(location)) : remoteFromFolder(location)
}

function describeHooks(hooks: readonly string[]): string {
  return `Hooks of the repository do not run for what jobs commit and push (${hooks.join(', ')}): do what they do when a pull request is merged, or in your CI`
}

/** The repository's name in the form of a domain. */
function domainOf(remote: Remote): string {
  return domainIn(
    posix.basename(remote.kind === 'url' ? new URL(remote.url).pathname : remote.folder, '.git'),
  )
}

/** The command that adds a folder, for people who are on the server; a path is quoted where a shell needs it. */
export function addFolderCommand(path: string, options = ''): string {
  return `${serverCommand} project add ${quoted(path)}${options}`
}

/** A name in the form of a domain. */
export function domainIn(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 63)
    .replace(/-$/, '')
}

/** @throws AppError `invalid` for a folder outside of the repository */
export function contentFolder(text: string): string {
  const root = posix.normalize(text.replaceAll('\\', '/')).replace(/^(\.?\/)+|(?<!\/)\/+$/g, '')
  if (root === '.' || root === '') return ''
  if (root.split('/').includes('..'))
    throw new AppError('invalid', `The content folder ${text} is outside the repository`)
  return root
}
