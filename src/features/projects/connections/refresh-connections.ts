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
 * Updates connections after an upgrade or a change of address: older connections get their kind and their webhook
 * secret, and webhooks get the server's current address. It can be called repeatedly; finished connections are
 * skipped.
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

/** @returns false when the host's kind is not known yet */
async function complete({ store, hosts, secretKey }: Ports, project: Project): Promise<boolean> {
  const connection = await findConnection(store.db, secretKey, project.id)
  if (!connection) return false
  if (connection.webhookSecret !== '') return true
  const { kind } = connection.repository
  const repository = await recogniseRepository(hosts, project.location, kind === 'git' ? undefined : kind)
  // The host may be unreachable now, so it is asked again later.
  if (repository.kind === 'git') return false
  await store.transaction((tx) => completeConnection(tx, secretKey, { projectId: project.id, repository }))
  return true
}
