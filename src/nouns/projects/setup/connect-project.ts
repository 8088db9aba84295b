import { sql } from 'kysely'
import { contentFolder, defaultBranch, type AddedProject, type AddProjectPorts } from './add-project.ts'
import { deleteProject, findProject, moveProject, type Project } from '../../../features/projects/projects.ts'
import { requestSync } from '../../../features/projects/sync.ts'
import { visibilityOf } from '../../../features/projects/visibility.ts'
import type { HostCredential, HostedRepository } from '../../../integrations/forges/host.ts'
import { gitUrl, type Hosts, type RepositoryKind } from '../../../integrations/forges/hosts.ts'
import { openRepository } from '../../../integrations/forges/open-repository.ts'
import { checkRemote } from '../../../integrations/git/remotes/check-remote.ts'
import type { Git } from '../../../integrations/git/git.ts'
import { registeredFolder, remoteName, type Remote } from '../../../integrations/git/remote.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Store, Tx } from '../../../store/database.ts'
import {
  findConnection,
  findReplaceable,
  findSealedConnection,
  saveConnection,
  type Connection,
} from '../../../features/connections/connections.ts'
import { findConnectable, type Connectable } from '../../../features/connections/find-connectable.ts'
import { hostsOfProject, type OpenConnection } from '../../../features/connections/open-connection.ts'
import { readAddress } from '../../../lib/repository-address.ts'
import { takeDownWebhook } from '../../../features/connections/webhook.ts'

export interface ConnectInput {
  host?: RepositoryKind | undefined
  /** Null removes the project's own credential; undefined keeps it. */
  credential?: HostCredential | null | undefined
  /** Null means that branches are pushed to the repository itself again. */
  fork?: string | null | undefined
  /** Another branch to read and to start jobs from. `HEAD` follows the default branch, also when that is renamed. */
  ref?: string | undefined
  /** Another folder of the pages; empty for the whole repository. */
  root?: string | undefined
  /** Another address of the same documentation, for example after it has moved. */
  location?: string | undefined
}

export type ConnectedProject = Pick<AddedProject, 'project' | 'notes'>

/**
 * Changes the connection of a project to its repository, after trying it.
 * @throws AppError `invalid` when more than the branch and the folder of the pages of a folder is changed, and the errors of trying the
 * connection
 */
export async function connectProject(
  ports: AddProjectPorts,
  project: Project,
  input: ConnectInput,
): Promise<ConnectedProject> {
  return project.kind === 'path' ? changePlace(ports, project, input) : connectToHost(ports, project, input)
}

async function changePlace(
  { store, queue, git }: AddProjectPorts,
  project: Project,
  input: ConnectInput,
): Promise<ConnectedProject> {
  if ((input.host ?? input.credential ?? input.fork ?? input.location) !== undefined)
    throw new AppError(
      'invalid',
      `${project.domain} is a folder on this server: only its branch and the folder of its pages can change`,
    )
  const { location } = project
  const chosen = await choosePlace(git, registeredFolder(location), project, input)
  await store.transaction(async (tx) => {
    await moveProject(tx, project.id, { location, ...chosen })
    await requestSync(tx, queue, project.id)
  })
  return { project: { ...project, ...chosen }, notes: [] }
}

async function connectToHost(
  { store, queue, git, secretKey, ...ports }: AddProjectPorts,
  project: Project,
  input: ConnectInput,
): Promise<ConnectedProject> {
  const { host, credential, fork, location } = input
  const hosts = await hostsOfProject(store.db, ports.hosts, project.id)
  const read = credential === undefined ? findConnection : findReplaceable
  const before = await read(store.db, secretKey, project.id)
  const connectable = await findConnectable(hosts, location ?? project.location, {
    host: host ?? (location === undefined ? before?.repository.kind : undefined),
    credential: credential === null ? undefined : (credential ?? keptCredential(before, input)),
    fork: fork === null ? undefined : (fork ?? forkUrl(before)),
  })
  const chosen = await choosePlace(git, connectable.remote, project, input)
  const left = location !== undefined && before && !isSame(before, connectable) ? before : undefined
  await store.transaction(async (tx) => {
    await saveConnection(tx, secretKey, { projectId: project.id, ...connectable })
    if (left) await forgetRequests(tx, project.id)
    await makeRequestsDue(tx, project.id)
    await moveProject(tx, project.id, { location: remoteName(connectable.remote), ...chosen })
    await requestSync(tx, queue, project.id)
  })
  return {
    project: (await findProject(store.db, project.id)) ?? project,
    notes: [
      ...connectable.notes,
      ...publicPageNotes(project, input),
      ...(left ? await takeDownWebhook(hostedOf(hosts, left), left) : []),
    ],
  }
}

// Warns that public pages may now come from a private repository, after a change of credential or address.
function publicPageNotes({ domain, settings }: Project, { credential, location }: ConnectInput): string[] {
  if (visibilityOf(settings) !== 'public' || (!credential && location === undefined)) return []
  return [
    `Anyone may read the pages at /docs/${domain}/: if the repository is private, close them with the setting \`visibility\`: \`signed-in\``,
  ]
}

// The numbers of pull requests mean nothing in another repository.
async function forgetRequests(tx: Tx, projectId: string): Promise<void> {
  for (const table of ['host_comments', 'host_requests'] as const)
    await tx.deleteFrom(table).where('project_id', '=', projectId).execute()
}

// Makes all pull requests due, because comments may have waited for a credential that can read them.
async function makeRequestsDue(tx: Tx, projectId: string): Promise<void> {
  await tx
    .updateTable('host_requests')
    .set({ due_at: sql<Date>`now()` })
    .where('project_id', '=', projectId)
    .where('due_at', 'is not', null)
    .execute()
}

function hostedOf(
  hosts: Hosts,
  { repository, credential, forkPath }: Connection,
): HostedRepository | undefined {
  return openRepository(hosts, repository, credential, forkPath).hosted
}

function isSame(before: Connection, { repository }: Connectable): boolean {
  const { site, path } = before.repository
  return site === repository.site && path.toLowerCase() === repository.path.toLowerCase()
}

// A project keeps its branch and folder, or follows the default branch, unless another is given.
async function choosePlace(
  git: Git,
  remote: Remote,
  project: Project,
  { ref, location, root: folder }: ConnectInput,
): Promise<{ ref: string; followsDefault: boolean; root: string }> {
  const followsDefault = ref === undefined ? project.followsDefault : ref === defaultBranch
  const root = folder === undefined ? project.root : contentFolder(folder)
  if (!followsDefault) return { ref: await readBranch(git, remote, ref ?? project.ref), followsDefault, root }
  const isOther = ref !== undefined || (location !== undefined && location !== project.location)
  const present = isOther ? undefined : await readBranch(git, remote, project.ref).catch(missing)
  return { ref: present ?? (await readBranch(git, remote, undefined)), followsDefault, root }
}

async function readBranch(git: Git, remote: Remote, branch: string | undefined): Promise<string> {
  return (await checkRemote(git, remote, { branch })).branch
}

function missing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error
}

// A credential was given for one site and must not be sent to another.
function keptCredential(
  before: Connection | undefined,
  { location }: ConnectInput,
): HostCredential | undefined {
  const stays = location === undefined || readAddress(location).startsWith(`${before?.repository.site}/`)
  return stays ? before?.credential : undefined
}

function forkUrl(connection: Connection | undefined): string | undefined {
  if (connection?.forkPath === undefined) return undefined
  return gitUrl(connection.repository.site, connection.forkPath)
}

/**
 * Removes a project, and its webhook at its host.
 * @returns notes for people
 */
export async function removeProject(
  ports: {
    store: Store
    openConnection: OpenConnection
    /**
     * Finds what is kept of a project in memory and on disk, while the project still exists, and returns a function
     * that deletes it.
     */
    prepareForget(project: Project): Promise<() => Promise<void>>
  },
  project: Project,
): Promise<string[]> {
  const { store, openConnection } = ports
  const connection = await findSealedConnection(store.db, project.id)
  const opened = await openConnection(project.id).catch(() => undefined)
  const forget = await ports.prepareForget(project)
  await deleteProject(store, project.id)
  await forget()
  return connection ? takeDownWebhook(opened?.hosted, { projectId: project.id, ...connection }) : []
}
