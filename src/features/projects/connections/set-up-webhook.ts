import { messageOf } from '../../../lib/errors.ts'
import type { HostedRepository } from '../../../integrations/forges/host.ts'
import type { Store } from '../../../store/database.ts'
import { markWebhook, type Connection } from './connections.ts'
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
  const { connection, hosted, host } = opened
  const mark = (state: Connection['webhook']) =>
    ports.store.transaction((tx) => markWebhook(tx, connection, state))
  const instead = `the server asks ${host.name} now and then instead`
  if (ports.publicUrl === undefined) {
    // One of another time calls an address that this server may not have any longer.
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
 * Removes what `setUpWebhook` made from a host that is left. Best effort.
 * @returns what people should know
 */
export async function takeDownWebhook(
  hosted: HostedRepository | undefined,
  { projectId, webhook, repository }: Pick<Connection, 'projectId' | 'webhook' | 'repository'>,
): Promise<string[]> {
  const url = webhookUrl('', projectId)
  const left = (reason: string): string[] =>
    // People may have set one up by hand; none is the usual case.
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
