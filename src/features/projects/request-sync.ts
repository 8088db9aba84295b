import { sql } from 'kysely'
import type { Tx } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'

/**
 * Queues a sync that somebody waits for, and clears the failure of an earlier one, which could be mistaken for its
 * own. With the failure goes the time for which the project was left alone because of it.
 * @param options.delay seconds until it starts; it covers all requests until then
 */
export async function requestSync(
  tx: Tx,
  queue: Pick<Queue, 'send'>,
  projectId: string,
  options?: { delay: number },
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ sync_state: 'pending', sync_error: null, sync_due_at: sql<Date>`now()` })
    .where('id', '=', projectId)
    .where('sync_state', '=', 'failed')
    .execute()
  await queue.send(tx, 'sync', projectId, options)
}
