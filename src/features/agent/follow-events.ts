import { createSharedWork } from '../../lib/share-work.ts'
import { sql } from 'kysely'
import type { Reader } from '../../store/database.ts'
import { listEvents, type JobEvent } from './events.ts'
import type { JobStatus } from './job-state.ts'
import { pause } from '../../lib/pause.ts'

/** Streams the events of jobs to any number of readers. */
export interface EventFeed {
  /**
   * The events after number `after`, in order and without gaps, until the job has ended and all of them were sent.
   * Yields undefined whenever there was no event for `quiet` milliseconds. Ends when the signal aborts.
   */
  follow(
    job: { id: string; projectId: string; revision: number },
    options: { after: number; quiet: number; signal: AbortSignal },
  ): AsyncGenerator<JobEvent[] | undefined>
  /** Whether the job has ended and no event comes after number `after`. */
  isOver(jobId: string, after: number): Promise<boolean>
}

/** The state of a job that tells whether there is anything new to read. */
interface JobHead {
  last: number
  status: JobStatus
  revision: number
}

const interval = 300
/** Milliseconds. Shorter than the polling interval, so that no reader gets the same answer twice. */
const shared = 200
const pageSize = 500

export function createEventFeed(db: Reader): EventFeed {
  const readHead = createSharedWork(shared)
  const readPage = createSharedWork(shared)
  return {
    async *follow(job, { after, quiet, signal }) {
      let seen = after
      let lastWord = Date.now()
      while (!signal.aborted) {
        const head = await readHead(job.id, () => headOf(db, job.id))
        if (!head) return
        if (head.last > seen) {
          const events = await readPage(`${job.id} ${seen}`, () =>
            listEvents(db, job.projectId, job.id, { after: seen, limit: pageSize }),
          )
          seen = events.at(-1)?.n ?? seen
          lastWord = Date.now()
          yield events
          continue
        }
        // A result that was read for another reader may be older than this reader's request.
        if (head.status !== 'active' && head.revision >= job.revision) return
        if (Date.now() - lastWord >= quiet) {
          lastWord = Date.now()
          yield undefined
        }
        await pause(interval, signal)
      }
    },
    async isOver(jobId, after) {
      const head = await headOf(db, jobId)
      return head !== undefined && head.status !== 'active' && head.last <= after
    },
  }
}

/** A single statement, so that all events of a job that has ended are visible. */
async function headOf(db: Reader, jobId: string): Promise<JobHead | undefined> {
  return db
    .selectFrom('jobs')
    .select(['status', 'revision'])
    .select(sql<number>`(select coalesce(max(n), 0) from events where job_id = jobs.id)`.as('last'))
    .where('id', '=', jobId)
    .executeTakeFirst()
}
