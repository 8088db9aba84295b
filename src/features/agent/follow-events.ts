import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Reader } from '../../store/database.ts'
import { listEvents, type JobEvent } from './events.ts'
import type { JobStatus } from './jobs.ts'

/** The events of jobs as they come, for any number of readers. */
export interface EventFeed {
  /**
   * The events after number `after`, in order and without a gap, until the job has ended and all of them are out.
   * Yields undefined whenever nothing has come for `quiet` milliseconds. Ends when the signal aborts.
   */
  follow(
    job: { id: string; projectId: string; revision: number },
    options: { after: number; quiet: number; signal: AbortSignal },
  ): AsyncGenerator<JobEvent[] | undefined>
}

/** How far a job is. */
interface JobHead {
  last: number
  status: JobStatus
  revision: number
}

const interval = 300
/** Less than the interval, so that no reader is told the same twice. */
const shared = 200
const pageSize = 500

export function createEventFeed(db: Reader): EventFeed {
  const readHead = createSharedReads<JobHead | undefined>(shared)
  const readPage = createSharedReads<JobEvent[]>(shared)
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
        // What was read for another reader may be older than this one's question.
        if (head.status !== 'active' && head.revision >= job.revision) return
        if (Date.now() - lastWord >= quiet) {
          lastWord = Date.now()
          yield undefined
        }
        await delay(interval, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}

/** One statement, so that a job that has ended has all its events in it. */
async function headOf(db: Reader, jobId: string): Promise<JobHead | undefined> {
  return db
    .selectFrom('jobs')
    .select(['status', 'revision'])
    .select(sql<number>`(select coalesce(max(n), 0) from events where job_id = jobs.id)`.as('last'))
    .where('id', '=', jobId)
    .executeTakeFirst()
}

/** Readers of the same key within so many milliseconds get the same answer: many on one job cost what one costs. */
function createSharedReads<T>(milliseconds: number): (key: string, read: () => Promise<T>) => Promise<T> {
  const recent = new Map<string, Promise<T>>()
  return (key, read) => {
    const known = recent.get(key)
    if (known) return known
    const reading = read()
    recent.set(key, reading)
    setTimeout(() => recent.delete(key), milliseconds).unref()
    return reading
  }
}
