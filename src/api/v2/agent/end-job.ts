import { archiveJob } from '../../../features/agent/archive-job.ts'
import { cancelJob } from '../../../features/agent/cancel-job.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import type { Endpoint } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'
import { describe } from '../../operation.ts'
import { jobToBody, oneJob } from './job-body.ts'
import type { JobEndpointPorts } from './job-body.ts'

export function archiveJobEndpoint(dependencies: JobEndpointPorts): Endpoint {
  return endJobEndpoint(dependencies, 'archive', archiveJob, {
    summary: 'Archive agent job',
    description: 'Puts the job away for good and stops its work if it runs. Archiving again changes nothing.',
  })
}

export function cancelJobEndpoint(dependencies: JobEndpointPorts): Endpoint {
  return endJobEndpoint(dependencies, 'cancel', cancelJob, {
    summary: 'Cancel agent job',
    description:
      'Ends the turn under way as failed and drops the follow-ups that wait. A job that is not active stays as it is.',
  })
}

function endJobEndpoint(
  { access, jobs, addresses }: JobEndpointPorts,
  name: 'archive' | 'cancel',
  end: typeof archiveJob,
  text: { summary: string; description: string },
): Endpoint {
  const verb = `${name}Job` as const
  return {
    route: describe({
      verb,
      method: 'post',
      path: `/v2/agent/{projectId}/job/{id}/${name}`,
      tag: 'Agent jobs',
      ...text,
      responses: { 200: oneJob },
    }),
    async handle(context) {
      const { project } = await access.project(context, verb)
      const id = context.req.param('id') ?? ''
      const job = hasUnstorable(id) ? undefined : await end(jobs.store, project, id)
      if (!job) throw notFound('job', id)
      return context.json(jobToBody(job, project, addresses))
    },
  }
}
