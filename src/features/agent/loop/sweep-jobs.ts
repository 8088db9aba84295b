import type { Store } from '../../../store/database.ts'
import type { Queue } from '../../../store/queue.ts'
import { waitingJobs } from '../turns/job-claims.ts'

/**
 * Sends as many messages as there are fewer than jobs that wait for a worker, so that the queue agrees with the journal,
 * and turns that waited for their git host continue.
 * @returns the jobs that they were sent for
 */
export async function sweepJobs(ports: {
  store: Store
  queue: Pick<Queue, 'sendAll' | 'countWaiting'>
}): Promise<string[]> {
  const waiting = await waitingJobs(ports.store.db)
  if (waiting.length === 0) return []
  const missing = waiting.slice(await ports.queue.countWaiting('job'))
  if (missing.length > 0) await ports.store.transaction((tx) => ports.queue.sendAll(tx, 'job', missing))
  return missing
}
