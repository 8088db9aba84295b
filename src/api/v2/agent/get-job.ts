import { getJob } from '../../../features/agent/jobs.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import type { Endpoint } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'
import { jobToBody, oneJob } from './job-body.ts'
import type { JobEndpointPorts } from './job-body.ts'
import { describe } from '../../operation.ts'

export function getJobEndpoint({ access, jobs, addresses }: JobEndpointPorts): Endpoint {
  return {
    route: describe({
      verb: 'getJob',
      method: 'get',
      path: '/v2/agent/{projectId}/job/{id}',
      tag: 'Agent jobs',
      summary: 'Get agent job',
      description:
        'Poll until `status` is `completed`, `archived` or `failed`. Send `If-None-Match` to be told 304 while nothing changed.',
      responses: {
        200: oneJob,
        304: { description: 'Not changed since the entity tag that was sent' },
      },
    }),
    async handle(context) {
      const { project } = await access.project(context, 'getJob')
      const id = context.req.param('id') ?? ''
      const job = hasUnstorable(id) ? undefined : await getJob(jobs.store.db, project.id, id)
      if (!job) throw notFound('job', id)
      const tag = `"${job.revision}"`
      const headers = { ETag: tag, 'Cache-Control': 'no-cache' }
      const known = (context.req.header('if-none-match') ?? '')
        .split(',')
        .map((entry) => entry.trim().replace(/^W\//, ''))
      if (known.includes(tag) || known.includes('*')) return context.body(null, 304, headers)
      return context.json(jobToBody(job, project, addresses), 200, headers)
    },
  }
}
