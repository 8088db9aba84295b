import { recogniseRepository, type Hosts } from '../../../integrations/forges/hosts.ts'
import type { SecretKey } from '../../../lib/secret-box.ts'
import type { Store } from '../../../store/database.ts'
import { completeConnection, findConnection } from './connections.ts'
import type { OpenConnection } from './open-connection.ts'
import { listProjects, type Project } from '../projects.ts'
import { setUpWebhook } from './set-up-webhook.ts'

interface Ports {
  store: Store
  hosts: Hosts
  secretKey: SecretKey
  openConnection: OpenConnection
  publicUrl: string | undefined
  reportError: (error: unknown, projectId: string) => void
}

/**
 * Brings connections up to what the server is now: those of projects that are older than hosts get their kind and their
 * secret, and webhooks call the address that the server has now. Can be called again and again: what is done is left.
 */
export function createConnectionRefresh(ports: Ports): (stopping: AbortSignal) => Promise<void> {
  const done = new Set<string>()
  return async (stopping) => {
    for (const project of await listProjects(ports.store.db)) {
      if (stopping.aborted) return
      if (project.kind !== 'https' || done.has(project.id)) continue
      try {
        if (!(await complete(ports, project))) continue
        await setUpWebhook(ports, project.id)
        done.add(project.id)
      } catch (error) {
        ports.reportError(error, project.id)
      }
    }
  }
}

/** @returns false when it is not known yet which host it is */
async function complete({ store, hosts, secretKey }: Ports, project: Project): Promise<boolean> {
  const connection = await findConnection(store.db, secretKey, project.id)
  if (!connection) return false
  if (connection.webhookSecret !== '') return true
  const { kind } = connection.repository
  const found = await recogniseRepository(hosts, project.location, kind === 'git' ? undefined : kind)
  // It may be away just now, and is asked again.
  if (found.kind === 'git') return false
  await store.transaction((tx) =>
    completeConnection(tx, secretKey, { projectId: project.id, repository: found }),
  )
  return true
}
