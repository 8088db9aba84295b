import { sql, type RawBuilder } from 'kysely'

/**
 * Where a job stands, for people: what it does or waits for while it is active, then what became of its pull
 * request, or what it came to without one.
 */
export const jobStates = [
  'queued',
  'working',
  'waiting',
  'needs_input',
  'open',
  'merged',
  'closed',
  'completed',
  'no_change',
  'not_understood',
  'nothing_done',
  'failed',
  'archived',
] as const

export type JobState = (typeof jobStates)[number]

/** Of a row of `selectJobs`, which joins the `last` turn and the `parked` one. */
export function stateOfJob(): RawBuilder<JobState> {
  return sql<JobState>`case
    when jobs.status = 'archived' then 'archived'
    when jobs.status = 'active' and parked.parked_until is not null then 'waiting'
    when jobs.status = 'active' and exists (
      select from turns as running where running.job_id = jobs.id and running.status = 'running'
    ) then 'working'
    when jobs.status = 'active' then 'queued'
    when jobs.status = 'failed' or last.last_status in ('failed', 'cancelled') then 'failed'
    when last.outcome in ('needs_input', 'nothing_done') then last.outcome
    when last.outcome = 'no_change' and last.not_understood then 'not_understood'
    when jobs.pull_request->>'state' in ('open', 'merged', 'closed') then jobs.pull_request->>'state'
    when last.outcome = 'no_change' then 'no_change'
    else 'completed'
  end`
}
