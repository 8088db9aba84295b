import { sql, type RawBuilder } from 'kysely'
import { newId } from '../../../lib/ids.ts'
import { json, type Reader, type Store, type Tx } from '../../../store/database.ts'
import { isWaiting } from '../turns.ts'

/** A job that only this process works on, for as long as it renews the claim. */
export interface JobClaim {
  id: string
  jobId: string
}

/**
 * Seconds after which a job of a process that has ended can be taken by another one. It is shorter than the time until the
 * queue delivers that process's messages again.
 */
const lease = 7

/** Milliseconds. */
export const renewClaimsEvery = 2000

/** Taking and leaving jobs happens one after the other, in all processes. */
const lockTurns = sql`select pg_advisory_xact_lock(hashtextextended('docwright turns of jobs', 0))`

const isHeld = sql`claimed_until > clock_timestamp()`

/** Jobs with a turn that can run now, that nobody works on. */
const free = sql`
  select job_id, (array_agg(slices order by n))[1] as slices,
    (array_agg(coalesce(yielded_at, created_at) order by n))[1] as since
  from turns where status in ('queued', 'running')
    and job_id not in (select job_id from job_claims where ${isHeld})
  group by job_id
  -- Only the first open turn of a job can wait.
  having not bool_or(${isWaiting})
`

/**
 * Claims the job whose turn it is. Organizations take turns, and so do the projects of each: those come first of which
 * fewest jobs run, then those that had no turn for longest. Of one project's jobs, those come first that have used fewer
 * time slices, then those that have waited longest.
 * @param own jobs that this process works on: its claims end where it was too busy to renew them, and it still goes on
 * @returns undefined when no job waits
 */
export async function claimNextJob(
  store: Pick<Store, 'transaction'>,
  own: readonly string[] = [],
): Promise<JobClaim | undefined> {
  return store.transaction(async (tx) => {
    await lockTurns.execute(tx)
    const { rows } = await sql<JobClaim>`
      with all_free as (${free}),
      free as (
        select * from all_free where job_id not in (select jsonb_array_elements_text(${json(own)}))
      ),
      running as (
        select p.id as project_id, p.organization_id from job_claims c
        join jobs j on j.id = c.job_id join projects p on p.id = j.project_id where ${isHeld}
      ),
      by_organization as (
        select p.organization_id, max(t.taken_at) as last,
          (select count(*) from running r where r.organization_id = p.organization_id) as running
        from projects p left join project_turns t on t.project_id = p.id
        where p.id in (select project_id from jobs where id in (select job_id from free))
          or t.project_id is not null
        group by p.organization_id
      ),
      next as (
        select f.job_id, j.project_id from free f join jobs j on j.id = f.job_id join projects p on p.id = j.project_id
        join by_organization o on o.organization_id = p.organization_id
        left join project_turns t on t.project_id = p.id
        left join (select project_id, count(*) as running from running group by project_id) r on r.project_id = p.id
        order by o.running, o.last nulls first, coalesce(r.running, 0), t.taken_at nulls first, f.slices, f.since, f.job_id
        limit 1
      ),
      turn as (
        insert into project_turns (project_id, taken_at) select project_id, clock_timestamp() from next
        on conflict (project_id) do update set taken_at = excluded.taken_at
      )
      insert into job_claims (job_id, id, claimed_until) select job_id, ${newId('clm')}, ${leaseEnd()} from next
      on conflict (job_id) do update set id = excluded.id, claimed_until = excluded.claimed_until
      returning id, job_id as "jobId"
    `.execute(tx)
    return rows[0]
  })
}

/** Renews claims, except those that another process has taken over meanwhile. */
export async function renewJobClaims(
  store: Pick<Store, 'transaction'>,
  claims: readonly JobClaim[],
): Promise<void> {
  await store.transaction((tx) =>
    sql`
      update job_claims set claimed_until = ${leaseEnd()}
      where id in (select jsonb_array_elements_text(${json(claims.map(({ id }) => id))}))
    `.execute(tx),
  )
}

/**
 * Gives a job back.
 * @returns whether it has a turn that can run now: a message that came until then has woken nobody
 */
export async function leaveJob(tx: Tx, { id, jobId }: JobClaim): Promise<boolean> {
  await lockTurns.execute(tx)
  await sql`delete from job_claims where id = ${id}`.execute(tx)
  const { rows } = await sql`select from (${free}) as free where job_id = ${jobId}`.execute(tx)
  return rows.length > 0
}

/** Lets other jobs have their turn first, once this one is given back. */
export async function yieldTurn(tx: Tx, turnId: string, slices: number): Promise<void> {
  await tx
    .updateTable('turns')
    .set({ slices, yielded_at: sql<Date>`now()` })
    .where('id', '=', turnId)
    .execute()
}

/** Jobs that wait for a worker. */
export async function waitingJobs(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{
    jobId: string
  }>`select job_id as "jobId" from (${free}) as free order by since`.execute(reader)
  return rows.map(({ jobId }) => jobId)
}

/** Whether a job waits for a worker, apart from the one that asks. */
export async function othersWait(reader: Reader, jobId: string): Promise<boolean> {
  const { rows } = await sql`select from (${free}) as free where job_id <> ${jobId} limit 1`.execute(reader)
  return rows.length > 0
}

/** Ends all claims. With the embedded store, no other process can have one. */
export async function endClaims(tx: Tx): Promise<void> {
  await tx.deleteFrom('job_claims').execute()
}

function leaseEnd(): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${lease})`
}
