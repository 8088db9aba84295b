import { messageOf } from '../../../lib/errors.ts'
import type { HostedRepository } from '../../../integrations/forges/host.ts'
import type { Store } from '../../../store/database.ts'
import { markWebhook, type Connection } from './connections.ts'
import type { OpenConnection } from './open-connection.ts'

/** The address to which a project's host sends webhooks. */
export function webhookUrl(publicUrl: string, projectId: string): string {
  return `${publicUrl}/hosts/${projectId}/webhook`
}

/**
 * Sets up a webhook at the host. Without one, the server polls the host.
 * @param publicUrl undefined when no address is configured that a host could reach
 * @returns notes for people
 */
export async function setUpWebhook(
  ports: { store: Store; openConnection: OpenConnection; publicUrl: string | undefined },
  projectId: string,
): Promise<string[]> {
  const opened = await ports.openConnection(projectId)
  if (!opened?.hosted || !opened.host) return []
  const { connection, hosted, host } = opened
  const mark = (state: Connection['webhook']) =>
    ports.store.transaction((tx) => markWebhook(tx, connection, state))
  const instead = `the server asks ${host.name} now and then instead`
  if (ports.publicUrl === undefined) {
    // An earlier webhook may call an address that is no longer this server's.
    if (connection.webhook === 'active') await mark('none')
    return [`No webhook was set up because DOCWRIGHT_PUBLIC_URL is not set: ${instead}`]
  }
  try {
    const done = await hosted.ensureWebhook(webhookUrl(ports.publicUrl, projectId), connection.webhookSecret)
    await mark(done ? 'active' : 'none')
    return done
      ? []
      : [
          `The credential may not set up a webhook, or ${host.name} does not call ${ports.publicUrl}: ${instead}`,
        ]
  } catch (error) {
    return [`No webhook was set up (${messageOf(error)}): ${instead}`]
  }
}

/**
 * Removes, as far as possible, the webhook that `setUpWebhook` made from a host that is no longer used.
 * @returns notes for people
 */
export async function takeDownWebhook(
  hosted: HostedRepository | undefined,
  { projectId, webhook, repository }: Pick<Connection, 'projectId' | 'webhook' | 'repository'>,
): Promise<string[]> {
  const url = webhookUrl('', projectId)
  const left = (reason: string): string[] =>
    // The server has set up no webhook, but people may have done it by hand.
    webhook === 'none'
      ? []
      : [
          `The webhook of ${repository.path} on ${repository.site} was not removed (${reason}): remove the one there whose address ends in ${url}`,
        ]
  if (hosted === undefined) return left('there is no credential that can be read')
  try {
    return (await hosted.removeWebhook(url)) ? [] : left('the credential may not')
  } catch (error) {
    return left(messageOf(error))
  }
}
