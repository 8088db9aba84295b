import { describeChecks } from '../describe-checks.ts'
import { sql, type RawBuilder } from 'kysely'
import { AppError } from '../../../lib/errors.ts'
import type { CommitStatus } from '../../../integrations/forges/host.ts'
import { json, type Store } from '../../../store/database.ts'
import type { CheckColumn } from '../../../store/columns.ts'
import { lockJob, updateJob, type JobRow } from '../jobs.ts'
import type { HostFollowPorts, HostedProject } from './ports.ts'

/** Minutes until a status is told by another process, should the one that took it end: longer than a check takes. */
const minutesOfClaim = 15
/** Minutes until the host is told again what it could not take. */
const minutesUntilRetry = 2

/**
 * Sets the due commit statuses of jobs on the host, one after the other. Best effort: nothing depends on it.
 * @throws the first failure of the host, after which the rest stays due
 */
export async function reportStatuses(
  ports: HostFollowPorts,
  project: HostedProject,
  limit: number,
): Promise<void> {
  for (let count = 0; count < limit; count++) {
    ports.stopping.throwIfAborted()
    // Each is claimed when its turn comes, because the check of one may take minutes.
    const claim = await claimStatus(ports.store, project.id)
    if (claim === undefined) return
    try {
      await reportStatus(ports, project, claim.jobId)
    } catch (error) {
      await endClaim(ports.store, claim, sql<Date>`now() + make_interval(mins => ${minutesUntilRetry})`)
      throw error
    }
    await endClaim(ports.store, claim, null)
  }
}

async function reportStatus(ports: HostFollowPorts, project: HostedProject, jobId: string): Promise<void> {
  const job = await ports.store.db
    .selectFrom('jobs')
    .select(['head_commit', 'base_commit', 'status', 'checks', 'checked_commit'])
    .select(publishedCommit)
    .select(
      sql<string | null>`(select outcome from turns where job_id = jobs.id order by n desc limit 1)`.as(
        'outcome',
      ),
    )
    .where('id', '=', jobId)
    .executeTakeFirst()
  if (!job || job.head_commit === null) return
  const checks = await checksOf(ports, project, { ...job, id: jobId })
  const status = { ...stateOf({ ...job, checks }), link: ports.jobLink(project, jobId) }
  await project.hosted.setStatus(job.head_commit, status).catch((error: unknown) => {
    // A missing permission is permanent, so only passing errors are retried.
    if (error instanceof AppError && error.code === 'unavailable') throw error
  })
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
  job: Pick<JobRow, 'id' | 'status' | 'head_commit' | 'base_commit' | 'checks' | 'checked_commit'> & {
    published: string | null
  },
): Promise<readonly CheckColumn[]> {
  const { head_commit: commit, base_commit: base } = job
  if (job.status === 'active' || commit === null || base === null) return job.checks
  if (commit === job.checked_commit || commit === job.published) return job.checks
  try {
    const checks = (await ports.checkCommit(project.id, { base, commit })).slice(0, 200)
    await ports.store.transaction(async (tx) => {
      const now = await lockJob(tx, job.id)
      if (now?.head_commit === commit)
        await updateJob(tx, job.id, { checks: json(checks), checked_commit: commit })
    })
    return checks
  } catch (error) {
    // What was found before is the best that is known.
    ports.reportError(error, project.id)
    return job.checks
  }
}

interface Claim {
  jobId: string
  claimedUntil: Date
}

async function claimStatus(store: Store, projectId: string): Promise<Claim | undefined> {
  return store.transaction(async (tx) => {
    // In whole milliseconds, because a Date holds no smaller unit.
    const { rows } = await sql<{ job_id: string; status_due_at: Date }>`
      update host_requests
      set status_due_at = date_trunc('milliseconds', now()) + make_interval(mins => ${minutesOfClaim})
      where job_id = (
        select job_id from host_requests where project_id = ${projectId} and status_due_at <= now()
        order by status_due_at limit 1 for update skip locked
      )
      returning job_id, status_due_at
    `.execute(tx)
    return rows.map(({ job_id, status_due_at }) => ({ jobId: job_id, claimedUntil: status_due_at }))[0]
  })
}

/** Only if the job has not moved on meanwhile: otherwise a new status is due. */
async function endClaim(
  store: Store,
  { jobId, claimedUntil }: Claim,
  due: RawBuilder<Date> | null,
): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('host_requests')
      .set({ status_due_at: due })
      .where('job_id', '=', jobId)
      .where('status_due_at', '=', claimedUntil)
      .execute(),
  )
}

function stateOf(job: {
  status: string
  outcome: string | null
  checks: readonly CheckColumn[]
}): Omit<CommitStatus, 'link'> {
  if (job.status === 'active') return { state: 'pending', description: 'The agent is working' }
  if (job.status === 'completed' && job.outcome === 'needs_input')
    return { state: 'pending', description: 'Waiting for your answer' }
  const isClean = !job.checks.some(({ severity }) => severity === 'error')
  // Hosts show no more.
  return { state: isClean ? 'success' : 'failure', description: describeChecks(job.checks).slice(0, 140) }
}
