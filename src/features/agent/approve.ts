import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { json, type Reader, type Tx } from '../../store/database.ts'
import type { ApprovalColumn, ViolationColumn } from '../../store/tables.ts'
import { publishKept } from './add-message.ts'
import { appendEvents } from './events.ts'
import { getJob, lockJob, updateJob, type Job } from './jobs.ts'
import type { JobPorts } from './ports.ts'

/**
 * Allows a host or a module in the changes of one job, which the policy has refused because of it. With the last thing
 * that had to be allowed the kept changes are tried again, without asking a model. `begin` runs in the transaction that
 * records it; `finish` is as for `createJob`.
 * @param by who allows it, for people
 * @returns undefined when there is no such job in this project
 * @throws AppError `conflict` when the job was not refused because of that, and what `publishKept` throws
 */
export async function approve(
  ports: Pick<JobPorts, 'store' | 'queue' | 'machine'>,
  project: { id: string },
  jobId: string,
  { kind, value, by }: ApprovalColumn & { by: string },
  finish: (tx: Tx, job: Job) => Promise<void>,
  begin?: (tx: Tx) => Promise<void>,
): Promise<Job | undefined> {
  const isMeant = ({ approval }: ViolationColumn): boolean =>
    approval?.kind === kind && approval.value === value
  const job = await ports.store.transaction(async (tx) => {
    await lockJob(tx, jobId, project.id)
    const refused = await getJob(tx, project.id, jobId)
    if (refused === undefined) return undefined
    const { failure, status } = refused
    const files = failure?.files ?? []
    if (status !== 'failed' || failure === undefined || !files.some(isMeant))
      throw new AppError('conflict', 'The job was not refused because of that; see `failure.files`')
    await begin?.(tx)
    const message = `${by} allowed ${kind === 'host' ? 'the host' : 'the import of'} ${value} for this job`
    await appendEvents(tx, jobId, refused.turns, [{ type: 'approved', data: { kind, value, by, message } }])
    const left = { ...failure, files: files.filter((file) => !isMeant(file)) }
    await updateJob(tx, jobId, { failure: json(left) })
    return getJob(tx, project.id, jobId)
  })
  const isReady = job?.kept !== undefined && job.failure?.files?.length === 0
  return isReady ? publishKept(ports, project, jobId, finish) : job
}

const approval = z.object({ kind: z.enum(['host', 'import']), value: z.string() })

/** What people have allowed in a job. */
export async function approvalsOf(reader: Reader, jobId: string): Promise<ApprovalColumn[]> {
  const rows = await reader
    .selectFrom('events')
    .select('data')
    .where('job_id', '=', jobId)
    .where('type', '=', 'approved')
    .execute()
  return rows.flatMap(({ data }) => approval.safeParse(data).data ?? [])
}
