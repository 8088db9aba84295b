import { addMessage } from '../../../features/agent/add-message.ts'
import { getJob } from '../../../features/agent/jobs.ts'
import { limits } from '../../../features/projects/limits.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import { messageBody } from '../../contract.ts'
import type { Endpoint } from '../../endpoint.ts'
import { checkBody, jobBodyLimit, readJson } from '../../read-body.ts'
import { jobNotFound } from './dependencies.ts'
import type { JobEndpointDependencies } from './dependencies.ts'
import { answerOnce, idempotencyHeader, lookUnlessAnswered } from './idempotency.ts'
import { jobToBody } from './job-body.ts'
import { jobParameters } from './parameters.ts'
import { jsonContent, responsesOf } from '../../responses.ts'
import { oneJob } from './one-job.ts'

export function sendMessageEndpoint({ access, jobs, addresses }: JobEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'post',
      path: '/v2/agent/{projectId}/job/{id}/message',
      tags: ['Agent jobs'],
      summary: 'Send follow-up message',
      description:
        'Queues a follow-up behind what the job still has to do. The job reads `active` in this very response. At most 100 per project in any 60 minutes, counted apart from creates.',
      security: [{ adminKey: ['jobs:write'] }],
      request: {
        params: jobParameters,
        headers: idempotencyHeader,
        body: { required: true, content: jsonContent(messageBody) },
      },
      responses: responsesOf({ 200: oneJob }, [400, 409, 413, 422, 429]),
    },
    async handle(context) {
      const project = await access.adminProject(context, context.req.param('projectId') ?? '', 'jobs:write')
      const id = context.req.param('id') ?? ''
      if (hasUnstorable(id) || !(await getJob(jobs.store.db, project.id, id))) throw jobNotFound(id)
      const once = {
        store: jobs.store,
        projectId: project.id,
        operation: `message ${id}`,
        uses: [{ limit: limits.jobMessage, subject: project.id }],
      }
      await lookUnlessAnswered(context, once)
      const body = await readJson(context, jobBodyLimit)
      const input = checkBody(messageBody, body)
      return answerOnce(context, {
        ...once,
        body,
        status: 200,
        async run(finish, begin) {
          const job = await addMessage(jobs, project, id, input, finish, begin)
          if (!job) throw jobNotFound(id)
          return job
        },
        show: (job) => jobToBody(job, project, addresses),
      })
    },
  }
}
