import type { Store } from '../../store/database.ts'
import { findSealedConnection } from './connections/connections.ts'
import type { OpenConnection } from './connections/open-connection.ts'
import { deleteProject } from './projects.ts'
import type { Project } from './projects.ts'
import { takeDownWebhook } from './connections/set-up-webhook.ts'

/**
 * Removes a project here, and what was set up for it at its host.
 * @returns what people should know
 */
export async function removeProject(
  ports: {
    store: Store
    openConnection: OpenConnection
    /** Finds what memory and disk hold of a project while that can be told, and gives what forgets it. */
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
