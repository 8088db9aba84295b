import { createJob } from '../../../features/agent/create-job.ts'
import type { NewJob } from '../../../features/agent/create-job.ts'
import { limits } from '../../../features/projects/limits.ts'
import { createJobBody } from '../../contract.ts'
import type { CreateJobBody } from '../../contract.ts'
import type { Endpoint } from '../../endpoint.ts'
import { checkBody, jobBodyLimit, readJson } from '../../read-body.ts'
import { answerOnce, idempotencyHeader, lookUnlessAnswered } from './idempotency.ts'
import { jobToBody, oneJob } from './job-body.ts'
import type { JobEndpointPorts } from './job-body.ts'
import { describe } from '../../operation.ts'

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
      await lookUnlessAnswered(context, once)
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

// On the wire null is as good as absent.
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
