import { newId } from '../../lib/ids.ts'
import { AppError } from '../../lib/errors.ts'
import { requireBranchName } from '../../integrations/git/reference-name.ts'
import { requireMachine } from '../../integrations/machine/machine.ts'
import { noteAct } from '../../store/acts.ts'
import { json, type Tx } from '../../store/database.ts'
import type { AboutChangeColumn, AskedByColumn, BudgetColumn } from '../../store/columns.ts'
import { appendEvents } from './events.ts'
import { branchName, getJob, insertJob, type Job } from './jobs.ts'
import type { JobPorts } from './ports.ts'
import { titleOf } from './title.ts'
import { insertTurn } from './turns.ts'

export interface NewJob {
  prompt: string
  /** A branch of the repository; the project's branch by default. */
  base?: string | undefined
  model?: string | undefined
  draft?: boolean | undefined
  budget?: BudgetColumn | undefined
  /** The first line of the prompt when not given. */
  title?: string | undefined
  askedBy?: AskedByColumn | undefined
  /** The gap that the job is to close. */
  gapId?: string | undefined
  /** The question to the assistant whose answer the job is to improve. */
  answer?: { threadId: string; n: number } | undefined
  /** What the model is told besides: texts of strangers, which the prompt must not hold. */
  evidence?: string | undefined
  /** The change of code that the job documents. */
  about?: AboutChangeColumn | undefined
}

/**
 * Creates a job with its first turn and the queue message that starts it, in one transaction.
 * @param finish called last in the transaction: it counts against limits, which locks rows until the transaction
 * ends
 * @param begin called first in the transaction
 * @throws AppError `invalid` for a model that is not offered, a base that cannot be a branch or a repository that is none of the project's, `unavailable` while
 * the machine is in trouble
 */
export async function createJob(
  ports: JobPorts,
  project: {
    id: string
    ref: string
    settings: {
      model?: string | undefined
      branchPrefix?: string | undefined
      contextRepositories?: readonly { name: string }[] | undefined
    }
  },
  input: NewJob,
  finish: (tx: Tx, job: Job) => Promise<void>,
  begin?: (tx: Tx) => Promise<void>,
): Promise<Job> {
  requireMachine(ports.machine)
  const model = input.model ?? project.settings.model ?? ports.models.defaultModel
  ports.models.find(model)
  const base = requireBranchName(input.base ?? project.ref)
  requireRepository(input.about, project.settings.contextRepositories ?? [])
  const id = newId('job')
  return ports.store.transaction(async (tx) => {
    await begin?.(tx)
    noteAct({ target: id })
    await insertJob(tx, {
      id,
      project_id: project.id,
      title: titleOf(input.title ?? input.prompt),
      model,
      base,
      branch: branchName(id, 1, project.settings.branchPrefix),
      draft: input.draft ?? false,
      budget: json(input.budget ?? {}),
      gap_id: input.gapId ?? null,
      evidence: input.evidence ?? null,
      about_change: json(input.about ?? null),
      about_thread: input.answer?.threadId ?? null,
      about_question: input.answer?.n ?? null,
    })
    const turn = await insertTurn(tx, id, input.prompt, { askedBy: input.askedBy })
    await appendEvents(tx, id, turn, [{ type: 'turn.queued', data: { prompt: input.prompt } }])
    await ports.queue.send(tx, 'job', id)
    const job = await getJob(tx, project.id, id)
    if (job === undefined) throw new AppError('internal', 'The job was not written')
    await finish(tx, job)
    return job
  })
}

function requireRepository(
  about: AboutChangeColumn | undefined,
  repositories: readonly { name: string }[],
): void {
  const name = about?.repository
  if (name === undefined || repositories.some((one) => one.name === name)) return
  const names = repositories.map((one) => one.name)
  const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
  throw new AppError(
    'invalid',
    `The project has no context repository ${JSON.stringify(name)}: ${known}. Add it in the settings, or leave the repository out for the project’s own`,
  )
}
