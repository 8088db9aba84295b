import { AppError } from '../../lib/errors.ts'
import { requireMachine } from '../../integrations/machine/machine.ts'
import { json, type Tx } from '../../store/database.ts'
import type { AboutChangeColumn, AskedByColumn } from '../../store/columns.ts'
import { appendEvents } from './events.ts'
import { getJob, lockJob, updateJob, type Job } from './jobs.ts'
import type { JobPorts } from './ports.ts'
import { insertTurn } from './turns.ts'

/**
 * Queues a follow-up behind the open turns of the job, and makes the job active. `finish` and `begin` are as for
 * `createJob`. The prompt may be made of what is there once the job is locked.
 * @returns undefined when there is no such job in this project
 * @throws AppError `invalid` for an archived job, `unavailable` while the machine is in trouble, and what `finish`
 * throws
 */
export async function addMessage(
  ports: Pick<JobPorts, 'store' | 'queue' | 'machine'>,
  project: { id: string },
  jobId: string,
  input: {
    prompt: string | ((tx: Tx) => Promise<string>)
    /** The author of a comment on a git host, whose name is untrusted. */
    author?: string | undefined
    askedBy?: AskedByColumn | undefined
    publishes?: true
    /** The change of code that this follow-up documents. */
    about?: AboutChangeColumn | undefined
    /** What the model is told besides: texts of strangers. */
    evidence?: string | undefined
  },
  finish: (tx: Tx, job: Job) => Promise<void>,
  begin?: (tx: Tx) => Promise<void>,
): Promise<Job | undefined> {
  requireMachine(ports.machine)
  return ports.store.transaction(async (tx) => {
    const job = await lockJob(tx, jobId, project.id)
    if (job === undefined) return undefined
    if (job.status === 'archived') {
      throw new AppError('invalid', 'This job is archived and can’t accept follow-ups. Create a new job')
    }
    await begin?.(tx)
    const { author, publishes = false, about, evidence } = input
    const prompt = typeof input.prompt === 'string' ? input.prompt : await input.prompt(tx)
    const askedBy = author === undefined ? input.askedBy : ({ kind: 'comment', name: author } as const)
    const turn = await insertTurn(tx, jobId, prompt, { publishes, askedBy, about, evidence })
    await appendEvents(tx, jobId, turn, [
      {
        type: 'turn.queued',
        data: { prompt, ...(author !== undefined && { author }), ...(publishes && { publishes }) },
      },
    ])
    await updateJob(tx, jobId, { status: 'active', failure: json(null) })
    await ports.queue.send(tx, 'job', jobId)
    const queued = await getJob(tx, project.id, jobId)
    if (queued) await finish(tx, queued)
    return queued
  })
}

/**
 * Queues a turn that publishes the kept changes of a job as a draft, because a person decided so. It asks no model, and
 * leaves out what the policy refuses. `finish` is as for `createJob`.
 * @returns undefined when there is no such job in this project
 * @throws AppError `conflict` while the job is at work or when it keeps nothing, and what `addMessage` throws
 */
export async function publishKept(
  ports: Pick<JobPorts, 'store' | 'queue' | 'machine'>,
  project: { id: string },
  jobId: string,
  finish: (tx: Tx, job: Job) => Promise<void>,
  askedBy?: AskedByColumn,
): Promise<Job | undefined> {
  const input = { prompt: 'Publish the unpublished changes', publishes: true, askedBy } as const
  return addMessage(ports, project, jobId, input, finish, async (tx) => {
    const job = await getJob(tx, project.id, jobId)
    if (job?.status === 'active')
      throw new AppError('conflict', 'The job is still running. Publish its changes after it finishes')
    if (job?.kept === undefined) throw new AppError('conflict', 'This job has no unpublished changes')
  })
}
