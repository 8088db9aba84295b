import { json, type Store } from '../../store/database.ts'
import { appendEvents } from './events.ts'
import { getJob, lockJob, updateJob, type Job } from './jobs.ts'
import { stopOpenTurns } from './turns.ts'

/**
 * Ends the running turn as failed and drops the queued ones. The process that runs it notices within a second. A
 * job that is not active is returned unchanged; undefined when there is no such job in this project.
 * @param by the name of who does it
 */
export async function cancelJob(
  store: Store,
  project: { id: string },
  jobId: string,
  by?: string,
): Promise<Job | undefined> {
  return store.transaction(async (tx) => {
    const job = await lockJob(tx, jobId, project.id)
    if (job === undefined) return undefined
    if (job.status === 'active') {
      const failure = { code: 'cancelled', message: 'cancelled' }
      const turn = await stopOpenTurns(tx, jobId, failure)
      await appendEvents(tx, jobId, turn ?? 0, [
        {
          type: 'cancelled',
          data: {
            message: by === undefined ? 'The job was cancelled' : `The job was cancelled by ${by}`,
            by,
          },
        },
      ])
      await updateJob(tx, jobId, { status: 'failed', failure: json(failure) })
    }
    return getJob(tx, project.id, jobId)
  })
}
