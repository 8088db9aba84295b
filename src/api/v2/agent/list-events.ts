import { z } from '@hono/zod-openapi'
import { listEvents } from '../../../features/agent/events.ts'
import { getJob } from '../../../features/agent/jobs.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import { eventListBody } from '../../contract.ts'
import type { Endpoint } from '../../endpoint.ts'
import { readQuery } from '../../read-body.ts'
import { jobNotFound } from './dependencies.ts'
import { absolute } from './job-body.ts'
import type { JobEndpointDependencies } from './dependencies.ts'
import { jobParameters } from './parameters.ts'
import { jsonContent, responsesOf } from '../../responses.ts'

const afterRule = 'must be the id of an event'
const query = z.object({
  after: z.coerce
    .number({ error: afterRule })
    .int(afterRule)
    .min(0, afterRule)
    .max(2_147_483_647, afterRule)
    .default(0),
})
const pageSize = 500

export function listEventsEndpoint({ access, jobs, addresses }: JobEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'get',
      path: '/v2/agent/{projectId}/job/{id}/events',
      tags: ['Agent jobs'],
      summary: 'List job events',
      description:
        'What happened so far, in order, 500 at most. Pass the last `id` as `after` for what came since.',
      security: [{ adminKey: [] }],
      request: { params: jobParameters, query },
      responses: responsesOf(
        { 200: { description: 'A page of events', content: jsonContent(eventListBody) } },
        [400],
      ),
    },
    async handle(context) {
      const project = await access.adminProject(context, context.req.param('projectId') ?? '', 'jobs:read')
      const id = context.req.param('id') ?? ''
      if (hasUnstorable(id) || !(await getJob(jobs.store.db, project.id, id))) throw jobNotFound(id)
      const { after } = readQuery(context, query)
      const events = await listEvents(jobs.store.db, project.id, id, { after, limit: pageSize })
      return context.json({
        events: events.map(({ n, turn, type, data, createdAt }) => ({
          id: n,
          turn,
          type,
          data: withAddress(data, addresses.publicUrl()),
          createdAt: createdAt.toISOString(),
        })),
      })
    },
  }
}

function withAddress(data: Record<string, unknown>, publicUrl: string): Record<string, unknown> {
  const { link } = data
  return typeof link === 'string' ? { ...data, link: absolute(publicUrl, link) } : data
}
