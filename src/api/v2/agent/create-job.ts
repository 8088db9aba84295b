import { createJob } from '../../../features/agent/create-job.ts'
import { limits, lookAtLimit, takeLimit } from '../../../features/projects/limits.ts'
import { createJobBody } from '../../contract.ts'
import type { Endpoint } from '../../endpoint.ts'
import { jobBodyLimit, readBody } from '../../read-body.ts'
import type { JobEndpointDependencies } from './dependencies.ts'
import { jobToBody } from './job-body.ts'
import { projectParameter } from './parameters.ts'
import { jsonContent, responsesOf } from '../../responses.ts'
import { oneJob } from './one-job.ts'

export function createJobEndpoint({ access, jobs, addresses }: JobEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'post',
      path: '/v2/agent/{projectId}/job',
      tags: ['Agent jobs'],
      summary: 'Create agent job',
      description:
        'Creates a job that runs in the background. If the agent edits files, it opens a pull request, and `prLink` is filled in. At most 100 per project in any 60 minutes.',
      security: [{ adminKey: [] }],
      request: { params: projectParameter, body: { required: true, content: jsonContent(createJobBody) } },
      responses: responsesOf({ 201: oneJob }, [400, 413, 429]),
    },
    async handle(context) {
      const project = await access.adminProject(context, context.req.param('projectId') ?? '', 'jobs:write')
      await lookAtLimit(jobs.store.db, limits.jobCreate, project.id)
      const input = await readBody(context, createJobBody, jobBodyLimit)
      const job = await createJob(jobs, project, input, (tx) => takeLimit(tx, limits.jobCreate, project.id))
      return context.json(jobToBody(job, project, addresses), 201)
    },
  }
}
