import { messageOf } from '../../lib/errors.ts'
import type { Store } from '../../store/database.ts'
import { markWebhook } from './connections.ts'
import type { OpenConnection } from './open-connection.ts'

/** Where a project's host calls this server. */
export function webhookUrl(publicUrl: string, projectId: string): string {
  return `${publicUrl}/hosts/${projectId}/webhook`
}

/**
 * Has the host call this server when something happens. Where that cannot be, the server asks the host instead.
 * @param publicUrl undefined when no address is configured that a host could reach
 * @returns what people should know
 */
export async function setUpWebhook(
  ports: { store: Store; openConnection: OpenConnection; publicUrl: string | undefined },
  projectId: string,
): Promise<string[]> {
  const opened = await ports.openConnection(projectId)
  if (!opened?.hosted || !opened.host) return []
  const instead = `the server asks ${opened.host.name} now and then instead`
  if (ports.publicUrl === undefined)
    return [`No webhook was set up because DOCWRIGHT_PUBLIC_URL is not set: ${instead}`]
  const { connection, hosted } = opened
  try {
    const done = await hosted.ensureWebhook(webhookUrl(ports.publicUrl, projectId), connection.webhookSecret)
    await ports.store.transaction((tx) => markWebhook(tx, connection, done ? 'active' : 'none'))
    return done ? [] : [`The credential may not set up a webhook: ${instead}`]
  } catch (error) {
    return [`No webhook was set up (${messageOf(error)}): ${instead}`]
  }
}
