import { sql, type Selectable } from 'kysely'
import { abandonAct } from '../../../store/acts.ts'
import { json, type Reader, type Tx } from '../../../store/database.ts'
import type { KeptSecret } from '../../../store/kept-secret.ts'
import type { Tables } from '../../../store/tables.ts'

/** The events of webhooks, by the names that receivers see. */
export const webhookEvents = [
  'job.started',
  'job.needs_attention',
  'job.needs_input',
  'job.pull_request_opened',
  'job.completed',
  'job.failed',
] as const

export type WebhookEvent = (typeof webhookEvents)[number]

/** An address that receives the events of a project's jobs. */
export interface Webhook {
  id: string
  projectId: string
  url: string
  /** Empty for all events. */
  events: WebhookEvent[]
  createdAt: Date
  /** Set once the receiver has answered that it is gone for good (410). */
  disabledAt: Date | undefined
}

export const mostWebhooks = 20

/**
 * @param secret encrypted
 * @returns undefined when the project has reached its limit of webhooks
 */
export async function insertWebhook(
  tx: Tx,
  webhook: { id: string; projectId: string; url: string; secret: string; events: WebhookEvent[] },
): Promise<Webhook | undefined> {
  // Locks the project's row, so that two inserts at once cannot exceed the limit.
  await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', webhook.projectId)
    .forUpdate()
    .executeTakeFirst()
  if ((await listWebhooks(tx, webhook.projectId)).length >= mostWebhooks) return undefined
  const row = await tx
    .insertInto('webhooks')
    .values({
      id: webhook.id,
      project_id: webhook.projectId,
      url: webhook.url,
      secret: webhook.secret,
      events: json(webhook.events),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toWebhook(row)
}

/** Oldest first. */
export async function listWebhooks(reader: Reader, projectId: string): Promise<Webhook[]> {
  const rows = await reader
    .selectFrom('webhooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toWebhook)
}

/** The secrets of all webhooks. */
export async function listSealedSecrets(reader: Reader): Promise<KeptSecret[]> {
  const rows = await reader.selectFrom('webhooks').select(['id', 'secret']).orderBy('id').execute()
  return rows.map(({ id, secret }) => ({
    name: `webhook ${id}`,
    owner: id,
    sealed: secret,
    async replace(tx, sealed) {
      const { numUpdatedRows } = await tx
        .updateTable('webhooks')
        .set({ secret: sealed })
        .where('id', '=', id)
        .where('secret', '=', secret)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }))
}

export async function findWebhook(
  reader: Reader,
  projectId: string,
  id: string,
): Promise<Webhook | undefined> {
  const row = await reader
    .selectFrom('webhooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toWebhook(row)
}

/**
 * Deletes a webhook with its messages.
 * @returns the deleted webhook
 */
export async function deleteWebhook(tx: Tx, projectId: string, id: string): Promise<Webhook | undefined> {
  const row = await tx
    .deleteFrom('webhooks')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) abandonAct()
  return row && toWebhook(row)
}

/** To be called before several of its messages are locked. */
export async function lockWebhook(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('webhooks').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Disables a webhook and cancels its pending messages. It must be locked. */
export async function disableWebhook(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ disabled_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('webhook_messages')
    .set({ state: 'failed', next_attempt_at: null, claimed_until: null })
    .where('webhook_id', '=', id)
    .where('state', '=', 'pending')
    .execute()
}

function toWebhook(row: Selectable<Tables['webhooks']>): Webhook {
  return {
    id: row.id,
    projectId: row.project_id,
    url: row.url,
    // Safe, because only `insertWebhook` writes this column.
    events: row.events as WebhookEvent[],
    createdAt: row.created_at,
    disabledAt: row.disabled_at ?? undefined,
  }
}
