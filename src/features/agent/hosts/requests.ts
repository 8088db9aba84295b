import { sql } from 'kysely'
import type { Reader, Store, Tx } from '../../../store/database.ts'

/** A job's pull request on a git host, and how far its comments were read. */
export interface HostRequest {
  jobId: string
  number: number
  /** The time of the newest comment that was read, by the host's clock. */
  commentsSince: Date | undefined
}

/**
 * Makes a pull request due after something happened to it, even when it is closed: at once, or up to a minute after
 * the last read when reads came close together, because hosts limit requests.
 */
export async function makeRequestDue(tx: Tx, projectId: string, number: number): Promise<void> {
  await sql`
    update host_requests
    set due_at = least(due_at, greatest(now(), looked_at + make_interval(secs => (1 << looks) / 4)))
    where project_id = ${projectId} and number = ${number}
  `.execute(tx)
}

/** Each read within two minutes of the previous one doubles the pause, up to 64 seconds. */
const mostPolls = 8

/** Projects that have host work due. */
export async function projectsWithDueWork(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select project_id from host_requests where due_at <= now()
    union select project_id from host_requests where status_due_at <= now()
    union select c.project_id from host_comments c
      left join turns t on t.job_id = c.job_id and t.n = c.turn
      where c.due_at <= now()
        and (not c.acknowledged or c.turn is null or t.status in ('completed', 'failed', 'cancelled'))
  `.execute(reader)
  return rows.map(({ project_id }) => project_id)
}

export async function countWatched(reader: Reader, projectId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('host_requests')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Claims the pull requests that are due. They become due again after `seconds`, even if this read fails. */
export async function claimRequests(
  store: Store,
  projectId: string,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<HostRequest[]> {
  return store.transaction(async (tx) => {
    const { rows } = await sql<{ job_id: string; number: number; comments_since: Date | null }>`
      update host_requests
      set due_at = now() + make_interval(secs => ${seconds}::int), looked_at = now(),
        looks = case when looked_at > now() - interval '2 minutes' then least(looks + 1, ${mostPolls}::int) else 0 end
      where job_id in (
        select job_id from host_requests where project_id = ${projectId} and due_at <= now()
        order by due_at limit ${limit} for update skip locked
      )
      returning job_id, number, comments_since
    `.execute(tx)
    return rows.map(({ job_id, number, comments_since }) => ({
      jobId: job_id,
      number,
      commentsSince: comments_since ?? undefined,
    }))
  })
}

/** @param isOpen a closed request is read again only when its host sends a webhook */
export async function recordPoll(
  tx: Tx,
  { jobId, number }: HostRequest,
  seen: { isOpen: boolean; commentsSince: Date | undefined },
): Promise<void> {
  if (seen.isOpen && !seen.commentsSince) return
  await tx
    .updateTable('host_requests')
    .set({
      ...(seen.isOpen ? {} : { due_at: null }),
      ...(seen.commentsSince && { comments_since: seen.commentsSince }),
    })
    .where('job_id', '=', jobId)
    .where('number', '=', number)
    .execute()
}

/** When the newest watched pull request was opened. */
export async function lastOpened(reader: Reader, projectId: string): Promise<Date | undefined> {
  const row = await reader
    .selectFrom('host_requests')
    .innerJoin('events', 'events.job_id', 'host_requests.job_id')
    .select('events.created_at')
    .where('host_requests.project_id', '=', projectId)
    .where('host_requests.due_at', 'is not', null)
    .where('events.type', '=', 'pull_request.opened')
    .orderBy('events.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}
