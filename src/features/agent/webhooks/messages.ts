import { sql } from 'kysely'
import { newId } from '../../../lib/ids.ts'
import { storableJson } from '../../../lib/text/storable-json.ts'
import type { Tx } from '../../../store/database.ts'
import type { WebhookPayload } from './payload.ts'

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
