import { z } from '@hono/zod-openapi'
import { listJobs } from '../../../features/agent/jobs.ts'
import { AppError } from '../../../lib/errors.ts'
import { jobListBody, jobStatus } from '../../contract.ts'
import type { Endpoint } from '../../endpoint.ts'
import { readQuery } from '../../read-body.ts'
import { describe, jsonContent } from '../../operation.ts'
import { jobToBody } from './job-body.ts'
import type { JobEndpointPorts } from './job-body.ts'

const limitRule = 'must be a whole number from 1 to 100'
const query = z.object({
  status: z.enum(jobStatus.options, { error: `must be one of ${jobStatus.options.join(', ')}` }).optional(),
  limit: z.coerce
    .number({ error: limitRule })
    .int(limitRule)
    .min(1, limitRule)
    .max(100, limitRule)
    .default(20),
  cursor: z.string().max(200, 'is not a cursor of this list').optional(),
})

export function listJobsEndpoint({ access, jobs, addresses }: JobEndpointPorts): Endpoint {
  return {
    route: describe({
      verb: 'listJobs',
      method: 'get',
      path: '/v2/agent/{projectId}/jobs',
      tag: 'Agent jobs',
      summary: 'List agent jobs',
      description: 'Newest first. Pass `nextCursor` as `cursor` for the next page.',
      query,
      responses: { 200: { description: 'A page of jobs', content: jsonContent(jobListBody) } },
    }),
    async handle(context) {
      const { project } = await access.project(context, 'listJobs')
      const { status, limit, cursor } = readQuery(context, query)
      if (cursor !== undefined && !/^job_[\w-]+$/.test(cursor))
        throw new AppError('invalid', '`cursor`: is not a cursor of this list; take it from `nextCursor`')
      const page = await listJobs(jobs.store.db, project.id, { status, limit, cursor })
      return context.json({
        jobs: page.jobs.map((job) => jobToBody(job, project, addresses)),
        nextCursor: page.nextCursor ?? null,
      })
    },
  }
}
