import { messageOf } from '../../lib/errors.ts'
import type { HostedRepository } from '../../integrations/forges/host.ts'
import type { Store, Reader, Tx } from '../../store/database.ts'
import { markWebhook, completeConnection, findConnection, type Connection } from './connections.ts'
import type { OpenConnection } from './open-connection.ts'
import { sql } from 'kysely'
import { recogniseRepository, type Hosts } from '../../integrations/forges/hosts.ts'
import type { SecretKey } from '../../lib/secret-box.ts'

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

/**
 * Records a webhook delivery of a host.
 * @returns false when it was recorded before
 */
export async function recordDelivery(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const row = await tx
    .insertInto('host_deliveries')
    .values({ project_id: projectId, id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** When a host last sent a webhook for a project. */
export async function lastDelivery(reader: Reader, projectId: string): Promise<Date | undefined> {
  const row = await reader
    .selectFrom('host_deliveries')
    .select('created_at')
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/**
 * Hosts repeat a delivery within minutes, or when somebody asks for it. The last one of a project is kept, because
 * it shows that the webhook works.
 */
export async function deleteOldDeliveries(tx: Tx): Promise<void> {
  await sql`
    delete from host_deliveries old
    where created_at < now() - interval '1 day' and exists (
      select 1 from host_deliveries newer
      where newer.project_id = old.project_id and (newer.created_at, newer.id) > (old.created_at, old.id)
    )
  `.execute(tx)
}

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
    const projects = await ports.store.db
      .selectFrom('projects')
      .select(['id', 'location'])
      .where('kind', '=', 'https')
      .orderBy('created_at')
      .execute()
    for (const project of projects) {
      if (stopping.aborted) return
      if (done.has(project.id)) continue
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
async function complete(
  { store, hosts, secretKey }: Ports,
  project: { id: string; location: string },
): Promise<boolean> {
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
