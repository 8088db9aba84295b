import { sql, type RawBuilder } from 'kysely'
import type { JobState, JobStatus } from './job-state.ts'

/** The status that jobs of each state have; others may be completed or failed. */
const statusOfState: Partial<Record<JobState, JobStatus>> = {
  queued: 'active',
  working: 'active',
  waiting: 'active',
  archived: 'archived',
}

/** What all jobs of these states have in common that an index knows. */
export function commonOf(states: readonly JobState[]): { status?: JobStatus; isOpen?: true } {
  const [status, ...others] = new Set(states.map((state) => statusOfState[state]))
  if (others.length === 0 && status !== undefined) return { status }
  return states.length > 0 && states.every((state) => state === 'open') ? { isOpen: true } : {}
}

/**
 * Of a row of `selectJobs`, which joins the `last` turn and the `parked` one. The offset keeps the database from reading
 * the turns of all jobs first.
 */
export function stateOfJob(): RawBuilder<JobState> {
  return sql<JobState>`case
    when jobs.status = 'archived' then 'archived'
    when jobs.status = 'active' and parked.parked_until is not null then 'waiting'
    when jobs.status = 'active' and exists (
      select from turns as running where running.job_id = jobs.id and running.status = 'running' and running.parked_until is null offset 0
    ) then 'working'
    when jobs.status = 'active' then 'queued'
    when jobs.status = 'failed' and jobs.failure->>'code' = 'cancelled' then 'cancelled'
    when jobs.status = 'failed' or last.last_status in ('failed', 'cancelled') then 'failed'
    when last.outcome in ('needs_input', 'nothing_done') then last.outcome
    when last.outcome = 'no_change' and last.not_understood then 'not_understood'
    when jobs.pull_request->>'state' in ('open', 'merged', 'closed') then jobs.pull_request->>'state'
    when last.outcome = 'no_change' then 'no_change'
    else 'completed'
  end`
}
