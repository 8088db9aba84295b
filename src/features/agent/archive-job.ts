import { sql } from 'kysely'
import { json, type Store } from '../../store/database.ts'
import { appendEvents } from './events.ts'
import { getJob, lockJob, updateJob, type Job } from './jobs.ts'
import { stopOpenTurns } from './turns.ts'

/**
 * Stops the work and archives the job for good. Archiving it again changes nothing. Undefined when there is no such
 * job.
 */
export async function archiveJob(
  store: Store,
  project: { id: string },
  jobId: string,
): Promise<Job | undefined> {
  return store.transaction(async (tx) => {
    const job = await lockJob(tx, jobId, project.id)
    if (job === undefined) return undefined
    if (job.status !== 'archived') {
      const failure = { code: 'archived', message: 'The job was archived' }
      const turn = await stopOpenTurns(tx, jobId, failure)
      await appendEvents(tx, jobId, turn ?? 0, [{ type: 'archived', data: { message: failure.message } }])
      await updateJob(tx, jobId, {
        status: 'archived',
        archived_at: sql<Date>`now()`,
        failure: json(turn === undefined ? job.failure : failure),
      })
    }
    return getJob(tx, project.id, jobId)
  })
}
