import type { Tx } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'

/**
 * Queues a sync that somebody waits for: a failure of an earlier one must not look like its own.
 * @param options.delay seconds in which more may be asked for, of which this one then takes care
 */
export async function requestSync(
  tx: Tx,
  queue: Pick<Queue, 'send'>,
  projectId: string,
  options?: { delay: number },
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ sync_state: 'pending', sync_error: null })
    .where('id', '=', projectId)
    .where('sync_state', '=', 'failed')
    .execute()
  await queue.send(tx, 'sync', projectId, options)
}
