import { z } from '@hono/zod-openapi'
import { listEvents } from '../../../features/agent/events.ts'
import type { JobEvent } from '../../../features/agent/events.ts'
import { createEventFeed } from '../../../features/agent/follow-events.ts'
import { getJob } from '../../../features/agent/jobs.ts'
import { AppError } from '../../../lib/errors.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import { eventListBody } from '../../contract.ts'
import type { Endpoint, RequestContext } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'
import { describe, jsonContent } from '../../operation.ts'
import { readQuery } from '../../read-body.ts'
import { sharerOf } from '../../sharer.ts'
import { absolute } from './job-body.ts'
import type { JobEndpointPorts } from './job-body.ts'
import { streamEvents } from './stream-events.ts'

const afterRule = 'must be the id of an event'
const after = z.coerce
  .number({ error: afterRule })
  .int(afterRule)
  .min(0, afterRule)
  .max(2_147_483_647, afterRule)
const query = z.object({ after: after.default(0) })
const headers = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .describe('Of a stream that broke: goes on after this event. Wins over `after`.'),
})
const pageSize = 500

interface Ports extends JobEndpointPorts {
  /** Aborts when streams must end. */
  stopping: AbortSignal
}

export function listEventsEndpoint({ access, jobs, addresses, stopping }: Ports): Endpoint {
  const feed = createEventFeed(jobs.store.db)
  const show = ({ n, turn, type, data, createdAt }: JobEvent): object => ({
    id: n,
    turn,
    type,
    data: withAddress(data, addresses.publicUrl()),
    createdAt: createdAt.toISOString(),
  })
  return {
    route: describe('listEvents', 'get /v2/agent/{projectId}/job/{id}/events', {
      tag: 'Agent jobs',
      summary: 'List job events',
      description:
        'What happened so far, in order, 500 at most. Pass the last `id` as `after` for what came since. With `Accept: text/event-stream`, the events as they come, until the job has ended.',
      query,
      headers,
      responses: {
        200: {
          description: 'A page of events, or a stream of them',
          content: {
            ...jsonContent(eventListBody),
            'text/event-stream': {
              schema: z
                .string()
                .describe('Each event has `id`, its type as `event`, and as `data` what the page has.'),
            },
          },
        },
      },
      errors: [429],
    }),
    async handle(context) {
      const open = () => access.project(context, 'listEvents')
      const { project } = await open()
      const id = context.req.param('id') ?? ''
      const job = hasUnstorable(id) ? undefined : await getJob(jobs.store.db, project.id, id)
      if (!job) throw notFound('job', id)
      const { after: start } = readQuery(context, query)
      if (!/\btext\/event-stream\b/i.test(context.req.header('accept') ?? '')) {
        const events = await listEvents(jobs.store.db, project.id, id, { after: start, limit: pageSize })
        return context.json({ events: events.map(show) }, 200, { Vary: 'Accept' })
      }
      const after = lastEventId(context) ?? start
      // The answer to HEAD has no body, and nobody would end a stream that nobody reads.
      if (context.req.method === 'HEAD')
        return context.body(null, 200, { 'Content-Type': 'text/event-stream' })
      const gone = context.req.raw.signal
      const sharer = sharerOf(context)
      return streamEvents({ feed, job, sharer, after, show, requireAccess: open, gone, stopping })
    },
  }
}

function lastEventId(context: RequestContext): number | undefined {
  const header = context.req.header('last-event-id')
  if (header === undefined || header === '') return undefined
  const result = after.safeParse(header)
  if (result.success) return result.data
  throw new AppError('invalid', `The header Last-Event-ID ${afterRule}`)
}

function withAddress(data: Record<string, unknown>, publicUrl: string): Record<string, unknown> {
  const { link } = data
  return typeof link === 'string' ? { ...data, link: absolute(publicUrl, link) } : data
}
