import type { Store } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'
import { jobsWithDueTurns } from './turns.ts'

/**
 * Sends a message for every job that has something to do and none on its way: queue and journal never part for long,
 * and turns that waited for their git host go on.
 * @returns the jobs that needed one
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
