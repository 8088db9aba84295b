import { archiveJob } from '../../../features/agent/archive-job.ts'
import { cancelJob } from '../../../features/agent/cancel-job.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import type { Endpoint } from '../../endpoint.ts'
import { jobNotFound } from './dependencies.ts'
import type { JobEndpointDependencies } from './dependencies.ts'
import { jobToBody } from './job-body.ts'
import { jobParameters } from './parameters.ts'
import { responsesOf } from '../../responses.ts'
import { oneJob } from './one-job.ts'

export function archiveJobEndpoint(dependencies: JobEndpointDependencies): Endpoint {
  return endJobEndpoint(dependencies, 'archive', archiveJob, {
    summary: 'Archive agent job',
    description: 'Puts the job away for good and stops its work if it runs. Archiving again changes nothing.',
  })
}

export function cancelJobEndpoint(dependencies: JobEndpointDependencies): Endpoint {
  return endJobEndpoint(dependencies, 'cancel', cancelJob, {
    summary: 'Cancel agent job',
    description:
      'Ends the turn under way as failed and drops the follow-ups that wait. A job that is not active stays as it is.',
  })
}

function endJobEndpoint(
  { access, jobs, addresses }: JobEndpointDependencies,
  name: 'archive' | 'cancel',
  end: typeof archiveJob,
  text: { summary: string; description: string },
): Endpoint {
  return {
    route: {
      method: 'post',
      path: `/v2/agent/{projectId}/job/{id}/${name}`,
      tags: ['Agent jobs'],
      ...text,
      security: [{ adminKey: ['jobs:write'] }],
      request: { params: jobParameters },
      responses: responsesOf({ 200: oneJob }),
    },
    async handle(context) {
      const project = await access.adminProject(context, context.req.param('projectId') ?? '', 'jobs:write')
      const id = context.req.param('id') ?? ''
      const job = hasUnstorable(id) ? undefined : await end(jobs.store, project, id)
      if (!job) throw jobNotFound(id)
      return context.json(jobToBody(job, project, addresses))
    },
  }
}
