import { AppError } from '../../lib/errors.ts'
import type { HostCredential } from '../../integrations/forges/host.ts'
import type { RepositoryKind } from '../../integrations/forges/hosts.ts'
import { checkRemote } from '../../integrations/git/check-remote.ts'
import { registeredFolder, remoteName } from '../../integrations/git/remote.ts'
import type { AddProjectDependencies, AddedProject } from './add-project.ts'
import { findConnection, saveConnection } from './connections.ts'
import type { Connection } from './connections.ts'
import { findConnectable } from './find-connectable.ts'
import { requestSync } from './request-sync.ts'
import { findProject, moveProject } from './projects.ts'
import type { Project } from './projects.ts'

export interface ConnectInput {
  host?: RepositoryKind | undefined
  /** Null takes the project's own away; undefined keeps it. */
  credential?: HostCredential | null | undefined
  /** Null pushes to the repository itself again. */
  fork?: string | null | undefined
  /** Another branch to read and to start from, such as after the default one was renamed. */
  ref?: string | undefined
  /** Another address of the same documentation, such as after it has moved. */
  location?: string | undefined
}

/**
 * Changes how a project reaches its repository, after trying it.
 * @throws AppError `invalid` for more than another branch of a folder, and what trying it brings
 */
export async function connectProject(
  { store, queue, git, hosts, secretKey }: AddProjectDependencies,
  project: Project,
  input: ConnectInput,
): Promise<AddedProject> {
  const { host, credential, fork: wanted, location } = input
  if (project.kind === 'path' && (host ?? credential ?? wanted ?? location) !== undefined)
    throw new AppError('invalid', `${project.domain} is a folder on this server: only its branch can change`)
  if (project.kind === 'path') {
    const { branch } = await checkRemote(git, registeredFolder(project.location), { branch: input.ref })
    await store.transaction(async (tx) => {
      await moveProject(tx, project.id, { location: project.location, ref: branch })
      await requestSync(tx, queue, project.id)
    })
    return { project: { ...project, ref: branch }, notes: [] }
  }
  const before = await findConnection(store.db, secretKey, project.id)
  const found = await findConnectable(hosts, location ?? project.location, {
    host: host ?? (location === undefined ? before?.repository.kind : undefined),
    credential: credential === null ? undefined : (credential ?? keptCredential(before, input)),
    fork: wanted === null ? undefined : (wanted ?? forkUrl(before)),
  })
  const { branch } = await checkRemote(git, found.remote, { branch: input.ref ?? project.ref })
  await store.transaction(async (tx) => {
    await saveConnection(tx, secretKey, { projectId: project.id, ...found })
    // Numbers of pull requests say nothing in another repository.
    if (location !== undefined && location !== project.location)
      for (const table of ['host_comments', 'host_requests'] as const)
        await tx.deleteFrom(table).where('project_id', '=', project.id).execute()
    await moveProject(tx, project.id, { location: remoteName(found.remote), ref: branch })
    await requestSync(tx, queue, project.id)
  })
  return { project: (await findProject(store.db, project.id)) ?? project, notes: found.notes }
}

// It was given for one site, and goes to no other.
function keptCredential(
  before: Connection | undefined,
  { location }: ConnectInput,
): HostCredential | undefined {
  const stays = location === undefined || location.startsWith(`${before?.repository.site}/`)
  return stays ? before?.credential : undefined
}

function forkUrl(connection: Connection | undefined): string | undefined {
  if (connection?.forkPath === undefined) return undefined
  return `${connection.repository.site}/${encodeURI(connection.forkPath)}.git`
}
