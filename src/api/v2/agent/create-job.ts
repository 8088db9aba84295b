import { addMessage } from '../../../features/agent/add-message.ts'
import { createJob, type NewJob } from '../../../features/agent/create-job.ts'
import { getJob } from '../../../features/agent/jobs.ts'
import { limits } from '../../../features/projects/limits.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import { createJobBody, messageBody, type CreateJobBody } from '../../contract.ts'
import type { Endpoint } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'
import { describe } from '../../operation.ts'
import { checkBody, jobBodyLimit, readJson } from '../../read-body.ts'
import { answerOnce, idempotencyHeader, checkLimitsUnlessAnswered } from './idempotency.ts'
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
      const { project } = await access.project(context, 'createJob')
      const once = {
        store: jobs.store,
        projectId: project.id,
        operation: 'create',
        uses: [{ limit: limits.jobCreate, subject: project.id }],
      }
      await checkLimitsUnlessAnswered(context, once)
      const body = await readJson(context, jobBodyLimit)
      const input = newJobOf(checkBody(createJobBody, body))
      return answerOnce(context, {
        ...once,
        body,
        status: 201,
        run: (finish, begin) => createJob(jobs, project, input, finish, begin),
        show: (job) => jobToBody(job, project, addresses),
      })
    },
  }
}

// In requests, null means the same as an absent field.
function newJobOf({ prompt, base, model, draft, budget }: CreateJobBody): NewJob {
  return {
    prompt,
    base: base ?? undefined,
    model: model ?? undefined,
    draft: draft ?? undefined,
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
      const { project } = await access.project(context, 'sendMessage')
      const id = context.req.param('id') ?? ''
      if (hasUnstorable(id) || !(await getJob(jobs.store.db, project.id, id))) throw notFound('job', id)
      const once = {
        store: jobs.store,
        projectId: project.id,
        operation: `message ${id}`,
        uses: [{ limit: limits.jobMessage, subject: project.id }],
      }
      await checkLimitsUnlessAnswered(context, once)
      const body = await readJson(context, jobBodyLimit)
      const input = checkBody(messageBody, body)
      return answerOnce(context, {
        ...once,
        body,
        status: 200,
        async run(finish, begin) {
          const job = await addMessage(jobs, project, id, input, finish, begin)
          if (!job) throw notFound('job', id)
          return job
        },
        show: (job) => jobToBody(job, project, addresses),
      })
    },
  }
}
