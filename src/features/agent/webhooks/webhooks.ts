import { sql } from 'kysely'
import type { Reader, Tx } from '../../../store/database.ts'
import type { KeptSecret } from '../../../store/kept-secret.ts'

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
