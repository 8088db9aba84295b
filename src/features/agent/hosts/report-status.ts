import { sql } from 'kysely'
import { AppError } from '../../../lib/errors.ts'
import type { CommitStatus } from '../../../integrations/forges/host.ts'
import { json, type Store } from '../../../store/database.ts'
import type { CheckColumn } from '../../../store/columns.ts'
import { lockJob, updateJob, type JobRow } from '../jobs.ts'
import type { HostFollowPorts, HostedProject } from './ports.ts'

/** Sets the due commit statuses of jobs on the host. Best effort: nothing depends on it. */
export async function reportStatuses(
  ports: HostFollowPorts,
  project: HostedProject,
  limit: number,
): Promise<void> {
  for (const { jobId, claimedUntil } of await claimStatuses(ports.store, project.id, limit)) {
    const job = await ports.store.db
      .selectFrom('jobs')
      .select(['head_commit', 'base_commit', 'status', 'checks'])
      .select(publishedCommit)
      .select(
        sql<string | null>`(select outcome from turns where job_id = jobs.id order by n desc limit 1)`.as(
          'outcome',
        ),
      )
      .where('id', '=', jobId)
      .executeTakeFirst()
    if (job && job.head_commit !== null) {
      const checks = await checksOf(ports, project, { ...job, id: jobId })
      const status = { ...stateOf({ ...job, checks }), link: ports.jobLink(project, jobId) }
      await project.hosted.setStatus(job.head_commit, status).catch((error: unknown) => {
        // A missing permission is permanent, so only passing errors are retried.
        if (error instanceof AppError && error.code === 'unavailable') throw error
      })
    }
    await ports.store.transaction((tx) =>
      tx
        .updateTable('host_requests')
        .set({ status_due_at: null })
        .where('job_id', '=', jobId)
        // Only if the job has not moved on meanwhile: otherwise a new status is due.
        .where('status_due_at', '=', claimedUntil)
        .execute(),
    )
  }
}

const publishedCommit = sql<string | null>`(
  select publication->>'commit' from turns
  where job_id = jobs.id and status = 'completed' and publication is not null
  order by n desc limit 1
)`.as('published')

/** The problems of the branch as it is: commits of people are checked when their state is told. */
async function checksOf(
  ports: HostFollowPorts,
  project: HostedProject,
  job: Pick<JobRow, 'id' | 'status' | 'head_commit' | 'base_commit' | 'checks'> & {
    published: string | null
  },
): Promise<readonly CheckColumn[]> {
  const { head_commit: commit, base_commit: base } = job
  if (job.status === 'active' || commit === null || base === null || commit === job.published)
    return job.checks
  try {
    const checks = (await ports.checkCommit(project.id, { base, commit })).slice(0, 200)
    await ports.store.transaction(async (tx) => {
      const now = await lockJob(tx, job.id)
      if (now?.head_commit === commit) await updateJob(tx, job.id, { checks: json(checks) })
    })
    return checks
  } catch (error) {
    // What was found before is the best that is known.
    ports.reportError(error, project.id)
    return job.checks
  }
}

async function claimStatuses(
  store: Store,
  projectId: string,
  limit: number,
): Promise<{ jobId: string; claimedUntil: Date }[]> {
  return store.transaction(async (tx) => {
    // In whole milliseconds, because a Date holds no smaller unit.
    const { rows } = await sql<{ job_id: string; status_due_at: Date }>`
      update host_requests set status_due_at = date_trunc('milliseconds', now()) + interval '2 minutes'
      where job_id in (
        select job_id from host_requests where project_id = ${projectId} and status_due_at <= now()
        order by status_due_at limit ${limit} for update skip locked
      )
      returning job_id, status_due_at
    `.execute(tx)
    return rows.map(({ job_id, status_due_at }) => ({ jobId: job_id, claimedUntil: status_due_at }))
  })
}

function stateOf(job: {
  status: string
  outcome: string | null
  checks: readonly { severity: string }[]
}): Omit<CommitStatus, 'link'> {
  if (job.status === 'active') return { state: 'pending', description: 'The agent is working' }
  if (job.status === 'completed' && job.outcome === 'needs_input')
    return { state: 'pending', description: 'The agent asks for an answer' }
  const errors = job.checks.filter(({ severity }) => severity === 'error').length
  if (errors === 0) return { state: 'success', description: 'No new problems were found' }
  return {
    state: 'failure',
    description: errors === 1 ? 'One problem is left' : `${errors} problems are left`,
  }
}
