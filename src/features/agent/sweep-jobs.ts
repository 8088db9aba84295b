import type { Store } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'
import { jobsWithDueTurns } from './turns.ts'

/**
 * Queues every job that has work to do and no message in the queue, so that the queue agrees with the journal, and
 * turns that waited for their git host continue.
 * @returns the queued jobs
 */
export async function sweepJobs(ports: {
  store: Store
  queue: Pick<Queue, 'send' | 'liveKeys'>
}): Promise<string[]> {
  const open = await jobsWithDueTurns(ports.store.db)
  if (open.length === 0) return []
  const live = await ports.queue.liveKeys('job')
  const missing = open.filter((jobId) => !live.has(jobId))
  for (const jobId of missing) await ports.store.transaction((tx) => ports.queue.send(tx, 'job', jobId))
  return missing
}
