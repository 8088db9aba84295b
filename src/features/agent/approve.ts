import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { json, type Reader, type Tx } from '../../store/database.ts'
import type { ApprovalColumn, AskedByColumn, ViolationColumn } from '../../store/columns.ts'
import { publishKept } from './add-message.ts'
import { appendEvents } from './events.ts'
import { getJob, lockJob, updateJob, type Job } from './jobs.ts'
import type { JobPorts } from './ports.ts'

/**
 * Allows a host, a module or a part of a page in the changes of one job, which the policy has refused or left out because of it. With the
 * last thing that had to be allowed the kept changes are tried again, without asking a model. `begin` runs in the transaction that
 * records it; `finish` is as for `createJob`.
 * @param by who allows it, for people
 * @returns undefined when there is no such job in this project
 * @throws AppError `conflict` when the job was not refused because of that, and what `publishKept` throws
 */
export async function approve(
  ports: Pick<JobPorts, 'store' | 'queue' | 'machine'>,
  project: { id: string },
  jobId: string,
  { kind, value, by, askedBy }: ApprovalColumn & { by: string; askedBy?: AskedByColumn | undefined },
  finish: (tx: Tx, job: Job) => Promise<void>,
  begin?: (tx: Tx) => Promise<void>,
): Promise<Job | undefined> {
  const isMeant = ({ approval }: ViolationColumn): boolean =>
    approval?.kind === kind && approval.value === value
  const job = await ports.store.transaction(async (tx) => {
    await lockJob(tx, jobId, project.id)
    const refused = await getJob(tx, project.id, jobId)
    if (refused === undefined) return undefined
    const { failure, checks, status } = refused
    const files = failure?.files ?? []
    if (!['failed', 'completed'].includes(status) || ![...files, ...checks].some(isMeant))
      throw new AppError(
        'conflict',
        'Policy didn’t block that value in this job. See `approval` in `failure.files` and `checks`',
      )
    await begin?.(tx)
    const message = `${by} allowed ${allowedThings[kind]} ${value} for this job`
    await appendEvents(tx, jobId, refused.turns, [{ type: 'approved', data: { kind, value, by, message } }])
    const isLeft = (one: ViolationColumn): boolean => !isMeant(one)
    await updateJob(tx, jobId, {
      ...(failure?.files && { failure: json({ ...failure, files: files.filter(isLeft) }) }),
      checks: json(checks.filter(isLeft)),
    })
    return getJob(tx, project.id, jobId)
  })
  return job !== undefined && isReady(job) ? publishKept(ports, project, jobId, finish, askedBy) : job
}

const allowedThings = { host: 'the host', import: 'the import of', part: 'the part' } as const

// Work that ended for another reason, or that waits for an answer, is not published by this.
function isReady({ kept, failure, question, checks }: Job): boolean {
  if (kept === undefined || question !== undefined) return false
  if (failure !== undefined) return failure.code === 'policy' && failure.files?.length === 0
  return !checks.some(({ check }) => check === 'policy')
}

const approval = z.object({ kind: z.enum(['host', 'import', 'part']), value: z.string() })

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
