import { sql, type Selectable } from 'kysely'
import { notFound } from '../../api/errors.ts'
import type { WebhookEvent } from '../../features/agent/webhooks/webhook-events.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { json, type Reader, type Tx } from '../../store/database.ts'
import { only } from '../../store/in-index-order.ts'
import type { Tables } from '../../store/tables.ts'

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

const mostWebhooks = 20

/**
 * @param secret encrypted
 * @throws AppError `invalid` above the limit of webhooks per project
 */
export async function insertWebhook(
  tx: Tx,
  webhook: { id: string; projectId: string; url: string; secret: string; events: WebhookEvent[] },
): Promise<Webhook> {
  // Locks the project's row, so that two inserts at once cannot exceed the limit.
  await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', webhook.projectId)
    .forUpdate()
    .executeTakeFirst()
  if ((await listWebhooks(tx, webhook.projectId)).length >= mostWebhooks)
    throw new AppError('invalid', `A project has ${mostWebhooks} webhooks at most; remove one first`)
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

/** @throws AppError `not_found` */
export async function getWebhook(reader: Reader, projectId: string, id: string): Promise<Webhook> {
  if (hasUnstorable(id)) throw notFound('webhook', id)
  const row = await reader
    .selectFrom('webhooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('webhook', id)
  return toWebhook(row)
}

/** Deletes a webhook with its messages. @throws AppError `not_found` */
export async function deleteWebhook(tx: Tx, projectId: string, id: string): Promise<Webhook> {
  const row = await tx
    .deleteFrom('webhooks')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw notFound('webhook', id)
  return toWebhook(row)
}

/** An event to be sent to a webhook. */
export interface WebhookMessage {
  /** The same on every attempt, so that receivers recognize duplicates. */
  id: string
  type: string
  /** Undefined for test messages. */
  jobId: string | undefined
  state: 'pending' | 'delivered' | 'failed'
  createdAt: Date
  deliveredAt: Date | undefined
  /** Undefined unless the message waits for another attempt. */
  nextAttemptAt: Date | undefined
  attempts: WebhookAttempt[]
}

interface WebhookAttempt {
  n: number
  at: Date
  /** HTTP status, or undefined when there was no answer. */
  status: number | undefined
  error: string | undefined
  milliseconds: number
}

interface MessagePage {
  messages: WebhookMessage[]
  /** Undefined on the last page. */
  nextCursor: string | undefined
}

/** Newest first, each with its attempts in order. */
export async function listMessages(
  reader: Reader,
  webhookId: string,
  options: { limit: number; cursor?: string | undefined; state?: WebhookMessage['state'] | undefined },
): Promise<MessagePage> {
  let query = reader
    .selectFrom('webhook_messages')
    .selectAll()
    .where(only('webhook_id', webhookId))
    .orderBy('webhook_id', 'desc')
    .orderBy('id', 'desc')
    .limit(options.limit + 1)
  if (options.cursor !== undefined) query = query.where('id', '<', options.cursor)
  if (options.state !== undefined) query = query.where('state', '=', options.state)
  const rows = await query.execute()
  const page = rows.slice(0, options.limit)
  const messages = await withAttempts(reader, page)
  return { messages, nextCursor: rows.length > options.limit ? messages.at(-1)?.id : undefined }
}

/** @throws AppError `not_found` */
export async function getMessage(reader: Reader, webhookId: string, id: string): Promise<WebhookMessage> {
  if (hasUnstorable(id)) throw notFound('message', id)
  const rows = await reader
    .selectFrom('webhook_messages')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .execute()
  const [message] = await withAttempts(reader, rows)
  if (!message) throw notFound('message', id)
  return message
}

/** Makes a message due at once, or after the running attempt, under the same id and whatever its state. */
export async function requeueMessage(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('webhook_messages')
    .set({ state: 'pending', next_attempt_at: sql<Date>`now()` })
    .where('id', '=', id)
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

async function withAttempts(
  reader: Reader,
  rows: Selectable<Tables['webhook_messages']>[],
): Promise<WebhookMessage[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const attempts = await reader
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('message_id', 'in', ids)
    .orderBy('n')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    jobId: row.job_id ?? undefined,
    state: row.state,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at ?? undefined,
    nextAttemptAt: row.state === 'pending' ? (row.next_attempt_at ?? undefined) : undefined,
    attempts: attempts
      .filter(({ message_id }) => message_id === row.id)
      .map(({ n, at, status, error, milliseconds }) => ({
        n,
        at,
        status: status ?? undefined,
        error: error ?? undefined,
        milliseconds,
      })),
  }))
}
