import { addMessage } from '../../../features/agent/add-message.ts'
import { createJob, type NewJob } from '../../../features/agent/create-job.ts'
import { getJob } from '../../../features/agent/jobs.ts'
import type { JobPorts } from '../../../features/agent/ports.ts'
import { askedBy, type Caller } from '../../../features/projects/allow.ts'
import { limits, useBy } from '../../../features/projects/limits.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { AboutChangeColumn } from '../../../store/columns.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import { createJobBody, messageBody, type CreateJobBody } from '../../contract.ts'
import { describe } from '../../description/operation.ts'
import type { Endpoint } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'
import { checkBody, jobBodyLimit, readJson } from '../../read-body.ts'
import {
  answerOnce,
  checkLimitsUnlessAnswered,
  idempotencyHeader,
  readKey,
  sendReply,
  type OnceOperation,
  type Reply,
} from './idempotency.ts'
import { jobToBody, oneJob, type JobEndpointPorts } from './job-body.ts'

export function createJobEndpoint({ access, jobs, addresses }: JobEndpointPorts): Endpoint {
  return {
    route: describe('createJob', 'post /v2/agent/{projectId}/job', {
      tag: 'Agent jobs',
      summary: 'Create agent job',
      description:
        'Creates a job that runs in the background. If the agent edits files, it opens a pull request, and `prLink` is filled in. At most 100 per project in any 60 minutes.',
      headers: idempotencyHeader,
      body: createJobBody,
      responses: { 201: oneJob },
      errors: [409, 422, 429],
    }),
    async handle(context) {
      const { caller, project } = await access.project(context, 'createJob')
      const key = readKey(context)
      await checkLimitsUnlessAnswered(key, creation(jobs, project))
      const body = await readJson(context, jobBodyLimit)
      return sendReply(context, await createJobOnce({ jobs, addresses }, { project, caller }, key, body), 201)
    },
  }
}

/** Who asks for work on which project. */
interface Asked {
  project: Project
  caller: Caller
}

/**
 * Creates a job once per key.
 * @param body as the client sent it
 * @throws AppError `invalid`, `conflict`, `mismatch`, `unavailable`; LimitError
 */
export async function createJobOnce(
  { jobs, addresses }: Pick<JobEndpointPorts, 'jobs' | 'addresses'>,
  { project, caller }: Asked,
  key: string | undefined,
  body: unknown,
): Promise<Reply> {
  const input = { ...newJobOf(checkBody(createJobBody, body)), askedBy: askedBy(caller) }
  return answerOnce(key, {
    ...creation(jobs, project),
    body,
    run: (finish, begin) => createJob(jobs, project, input, finish, begin),
    show: (job) => jobToBody(job, project, addresses),
  })
}

function creation({ store }: JobPorts, project: Project): OnceOperation {
  const uses = [useBy(project, limits.jobCreate)]
  return { store, projectId: project.id, operation: 'create', uses }
}

function aboutOf(about: NonNullable<CreateJobBody['about']>): AboutChangeColumn {
  const { repository, commit, pullRequest, range } = about
  return {
    ...(repository != null && { repository }),
    ...(commit != null && { commit }),
    ...(pullRequest != null && { pullRequest }),
    ...(range != null && { range }),
  }
}

// In requests, null means the same as an absent field.
function newJobOf({ prompt, base, model, draft, budget, about }: CreateJobBody): NewJob {
  return {
    prompt,
    base: base ?? undefined,
    model: model ?? undefined,
    draft: draft ?? undefined,
    about: about ? aboutOf(about) : undefined,
    budget: budget
      ? {
          steps: budget.steps ?? undefined,
          tokens: budget.tokens ?? undefined,
          cost: budget.cost ? Math.ceil(budget.cost * 1e6) : undefined,
          minutes: budget.minutes ?? undefined,
        }
      : undefined,
  }
}

export function sendMessageEndpoint({ access, jobs, addresses }: JobEndpointPorts): Endpoint {
  return {
    route: describe('sendMessage', 'post /v2/agent/{projectId}/job/{id}/message', {
      tag: 'Agent jobs',
      summary: 'Send follow-up message',
      description:
        'Queues a follow-up after the job’s waiting turns. The response already shows the job as `active`. At most 100 per project in any 60 minutes, counted separately from new jobs.',
      headers: idempotencyHeader,
      body: messageBody,
      responses: { 200: oneJob },
      errors: [409, 422, 429],
    }),
    async handle(context) {
      const { caller, project } = await access.project(context, 'sendMessage')
      const id = context.req.param('id') ?? ''
      if (hasUnstorable(id) || !(await getJob(jobs.store.db, project.id, id))) throw notFound('job', id)
      const key = readKey(context)
      await checkLimitsUnlessAnswered(key, following(jobs, project, id))
      const body = await readJson(context, jobBodyLimit)
      return sendReply(
        context,
        await sendMessageOnce({ jobs, addresses }, { project, caller }, id, key, body),
        200,
      )
    },
  }
}

/**
 * Adds a follow-up to a job once per key.
 * @param body as the client sent it
 * @throws AppError `not_found`, and what `createJobOnce` throws
 */
export async function sendMessageOnce(
  { jobs, addresses }: Pick<JobEndpointPorts, 'jobs' | 'addresses'>,
  { project, caller }: Asked,
  id: string,
  key: string | undefined,
  body: unknown,
): Promise<Reply> {
  const input = { ...checkBody(messageBody, body), askedBy: askedBy(caller) }
  return answerOnce(key, {
    ...following(jobs, project, id),
    body,
    async run(finish, begin) {
      const job = await addMessage(jobs, project, id, input, finish, begin)
      if (!job) throw notFound('job', id)
      return job
    },
    show: (job) => jobToBody(job, project, addresses),
  })
}

function following({ store }: JobPorts, project: Project, id: string): OnceOperation {
  const uses = [useBy(project, limits.jobMessage)]
  return { store, projectId: project.id, operation: `message ${id}`, uses }
}
