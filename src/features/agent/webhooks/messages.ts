import { sql, type Selectable } from 'kysely'
import { newId } from '../../../lib/ids.ts'
import type { Reader, Tx } from '../../../store/database.ts'
import { only } from '../../../store/in-index-order.ts'
import type { Tables } from '../../../store/tables.ts'
import { storableJson } from '../../../lib/text/storable-json.ts'
import type { WebhookPayload } from './payload.ts'

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

export interface MessagePage {
  messages: WebhookMessage[]
  /** Undefined on the last page. */
  nextCursor: string | undefined
}

export async function insertMessage(
  tx: Tx,
  message: { webhookId: string; jobId?: string; type: string; payload: WebhookPayload },
): Promise<string> {
  const id = newId('msg')
  await tx
    .insertInto('webhook_messages')
    .values({
      id,
      webhook_id: message.webhookId,
      job_id: message.jobId ?? null,
      type: message.type,
      payload: JSON.stringify(storableJson(message.payload)),
      state: 'pending',
      next_attempt_at: sql<Date>`now()`,
    })
    .execute()
  return id
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
  const shown = rows.slice(0, options.limit)
  const messages = await withAttempts(reader, shown)
  return { messages, nextCursor: rows.length > options.limit ? messages.at(-1)?.id : undefined }
}

export async function findMessage(
  reader: Reader,
  webhookId: string,
  id: string,
): Promise<WebhookMessage | undefined> {
  const rows = await reader
    .selectFrom('webhook_messages')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .execute()
  return (await withAttempts(reader, rows))[0]
}

/** Makes a message due at once, or after the running attempt, under the same id and whatever its state. */
export async function requeueMessage(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('webhook_messages')
    .set({ state: 'pending', next_attempt_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Deletes messages that are too old to be of interest. */
export async function deleteOldMessages(tx: Tx): Promise<void> {
  const old = tx
    .selectFrom('webhook_messages')
    .select('id')
    .where('created_at', '<', sql<Date>`now() - interval '30 days'`)
    // Never waits for a lock, so it cannot cause a deadlock.
    .forUpdate()
    .skipLocked()
  await tx.deleteFrom('webhook_messages').where('id', 'in', old).execute()
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
