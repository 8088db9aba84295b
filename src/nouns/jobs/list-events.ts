import { pullRequestUrl } from '../../lib/pull-request-url.ts'
import { z } from '@hono/zod-openapi'
import { listEvents, type JobEvent } from '../../features/agent/events.ts'
import { createEventFeed, type EventFeed } from '../../features/agent/follow-events.ts'
import { getJob, type Job } from '../../features/agent/jobs.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { typedWholeNumber } from '../../lib/whole-number.ts'
import { preferredType, varied } from '../../api/accept.ts'
import { describe, jsonContent, streamContent } from '../../api/description/operation.ts'
import type { Endpoint, RequestContext } from '../../api/endpoint.ts'
import { notFound } from '../../api/errors.ts'
import {
  eventStream,
  eventStreams,
  eventStreamType,
  quiet,
  stillHere,
  type StreamEnd,
} from '../../api/event-stream.ts'
import { readQuery } from '../../api/read-body.ts'
import { eventListBody, jobEvent } from './event-bodies.ts'
import type { JobEndpointPorts } from './job-body.ts'

const afterRule = 'must be the id of an event'
const after = typedWholeNumber(0, 2_147_483_647, afterRule)
const query = z.object({ after: after.default(0) })
const headers = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .describe('Resumes a broken stream after this event. Takes precedence over `after`.'),
})
const pageSize = 500

interface Ports extends JobEndpointPorts {
  /** Aborts when streams must end. */
  stopping: AbortSignal
}

export function listEventsEndpoint({ access, store, publicUrl, stopping }: Ports): Endpoint {
  const feed = createEventFeed(store.db)
  const show = (event: JobEvent): object => eventToBody(event, publicUrl())
  return {
    route: describe('listEvents', 'get /v2/agent/{projectId}/job/{id}/events', {
      tag: 'Agent jobs',
      summary: 'List job events',
      description:
        'Returns the events so far, in order, 500 at most. Pass the last `id` as `after` for newer ones. With `Accept: text/event-stream`, streams events as they happen, until the job has ended: each has its `id`, its type as `event`, and the JSON of the event as `data`. The last event of a stream is named `end`, has no `id`, and its `data` says in `reason` why it ends.',
      query,
      headers,
      responses: {
        200: {
          description: 'A page of events, or a stream of them',
          content: {
            ...jsonContent(eventListBody),
            ...streamContent(jobEvent),
          },
        },
        204: {
          description:
            'Of a stream: the job has ended, and nothing comes after this event. Clients that reconnect automatically stop',
        },
      },
      errors: [429],
    }),
    async handle(context) {
      const open = () => access.project(context, 'listEvents')
      const { project } = await open()
      const id = context.req.param('id') ?? ''
      const job = hasUnstorable(id) ? undefined : await getJob(store.db, project.id, id)
      if (!job) throw notFound('job', id)
      const { after: start } = readQuery(context, query)
      const type = preferredType(context, ['application/json', 'text/event-stream'])
      if (type === 'application/json') {
        const events = await listEvents(store.db, project.id, id, { after: start, limit: pageSize })
        return context.json({ events: events.map(show) }, 200, { Vary: 'Accept' })
      }
      const after = lastEventId(context) ?? start
      context.header('Vary', 'Accept')
      // Libraries open a stream that has ended again, for ever unless they are told that nothing more comes.
      if (await feed.isOver(job.id, after)) return context.body(null, 204)
      // The response to HEAD has no body, and a stream without a reader would never end.
      if (context.req.method === 'HEAD') return context.body(null, 200, { 'Content-Type': eventStreamType })
      return varied(
        eventStream(context, { pool: eventStreams, stopping, writeEnd }, (signal) =>
          writeEvents({ feed, job, after, show, requireAccess: open }, signal),
        ),
      )
    },
  }
}

export function eventToBody({ n, turn, type, data, createdAt }: JobEvent, publicUrl: string) {
  return { id: n, turn, type, data: withAddress(data, publicUrl), createdAt: createdAt.toISOString() }
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
  return typeof link === 'string' ? { ...data, link: pullRequestUrl(publicUrl, link) } : data
}

interface WriteOptions {
  feed: EventFeed
  job: Job
  after: number
  /** An event in the form of the JSON response. */
  show(event: JobEvent): unknown
  /** Called before anything is sent. Throws once the key no longer has access to the job. */
  requireAccess(): Promise<unknown>
}

// Without an id, so that a client resumes after the last event of the job.
function writeEnd({ reason, message }: StreamEnd): string {
  return `event: end\ndata: ${JSON.stringify({ type: 'end', reason, message })}\n\n`
}

/** Writes `id` to resume from, `event` with the type, and `data` as in the JSON response. */
async function* writeEvents(
  { feed, job, after, show, requireAccess }: WriteOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield ': events\n'
  for await (const events of feed.follow(job, { after, quiet, signal })) {
    await requireAccess()
    if (!events) yield stillHere
    else
      yield events
        .map((event) => `id: ${event.n}\nevent: ${event.type}\ndata: ${JSON.stringify(show(event))}\n\n`)
        .join('')
  }
}
