import { pullRequestUrl } from '../../lib/pull-request-url.ts'
import { z } from '@hono/zod-openapi'
import { createJob } from '../../features/agent/create-job.ts'
import { createEventFeed } from '../../features/agent/follow-events.ts'
import { getJob, listJobs, type Job } from '../../features/agent/jobs.ts'
import { listTurns } from '../../features/agent/turns.ts'
import { askedBy } from '../../features/projects/allow.ts'
import { checkLimits, countLimits, limits, useBy } from '../../features/projects/limits.ts'
import type { Project } from '../../features/projects/projects.ts'
import { limitUpTo } from '../../lib/list-query.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Reader } from '../../store/database.ts'
import { createJobBody } from '../../nouns/jobs/inputs.ts'
import { describe, operations, streamContent } from '../description/operation.ts'
import { assistantFrame } from '../discovery/v2/assistant/frame-bodies.ts'
import type { Endpoint } from '../endpoint.ts'
import { notFound } from '../errors.ts'
import { eventStream, eventStreams, quiet, stillHere, type StreamEnd } from '../event-stream.ts'
import { headerText } from '../header-text.ts'
import { checkBody, jobBodyLimit, readBody } from '../read-body.ts'
import { sharerOf } from '../sharer.ts'
import type { JobPorts } from '../../features/agent/ports.ts'
import type { Access } from '../access.ts'

interface Ports extends JobPorts {
  access: Access
  publicUrl(): string
  /** Aborts when streams must end. */
  stopping: AbortSignal
}

const contentRule = 'must be a string, or a list of parts with `text`'
// Described as any value: generators make nothing that compiles of a text or a list.
const content = z
  .unknown()
  .describe('A text, or a list of parts with `text`.')
  .pipe(
    z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))], { error: contentRule }),
  )
const body = z
  .object({
    messages: z
      .array(
        z.object({
          role: z.enum(['system', 'user', 'assistant'], { error: 'must be system, user or assistant' }),
          content,
        }),
        { error: 'must be a list of messages' },
      )
      .min(1, 'must contain at least one message')
      .describe('Their texts are joined to form the prompt.'),
    branch: z
      .string()
      .nullish()
      .describe('Accepted. The agent names its branch itself: see `X-Branch-Name`.'),
    // Scripts that put their bodies together as text send it so.
    asDraft: z
      .unknown()
      .describe('A boolean, also as a string.')
      .pipe(z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be a boolean' }).nullish())
      .optional(),
    model: z.string().nullish().describe('Accepted. The model is that of the project.'),
  })
  .openapi('CreateJobV1', { description: 'A prompt, as clients of the older interface send it.' })

const oldJob = z
  .object({
    sessionId: z.string().describe('The id of the job.'),
    subdomain: z.string().describe('The domain of the project.'),
    branch: z.string(),
    haulted: z.boolean().describe('Whether the job has ended.'),
    haultReason: z.enum(['processing', 'completed', 'interrupted', 'github_missconfigured', 'error']),
    pullRequestLink: z.string().optional(),
    messageToUser: z.string(),
    todos: z.array(z.object({})).describe('Always empty.'),
    title: z.string(),
    createdAt: z.iso.datetime(),
  })
  .openapi('AgentJobV1', { description: 'A job, as clients of the older interface read it.' })

const skipRule = 'must be an integer from 0 to 10,000'
const listQuery = z.object({
  skip: z.coerce.number({ error: skipRule }).int(skipRule).min(0, skipRule).max(10_000, skipRule).default(0),
  take: limitUpTo(100, 12),
})

/** Jobs as version 1 of the interface has them. */
export function oldJobEndpoints(ports: Ports): Endpoint[] {
  const { access, stopping } = ports
  const { db } = ports.store
  const feed = createEventFeed(db)
  const { onProject } = operations(access, 'Older interface')
  const named = async (project: Project, id: string): Promise<Job> => {
    const job = hasUnstorable(id) ? undefined : await getJob(db, project.id, id)
    if (!job) throw notFound('job', id)
    return job
  }
  const show = (job: Job, project: Project) => oldJobBody(db, job, project, ports.publicUrl())
  const path = '/v1/agent/{projectId}'
  return [
    {
      route: describe('createJobV1', `post ${path}/job`, {
        tag: 'Older interface',
        deprecated: true,
        summary: 'Create agent job (v1)',
        description:
          'Creates a job as version 2 does, and streams its outcome once it has ended. The job continues when the connection is closed. Use `POST /v2/agent/{projectId}/job`.',
        body,
        errors: [429],
        responses: {
          200: {
            description: 'The outcome of the job, in the stream format of the AI SDK',
            content: streamContent(assistantFrame),
          },
        },
      }),
      async handle(context) {
        const { project, caller } = await access.project(context, 'createJobV1')
        const uses = [useBy(project, limits.jobCreate)]
        await checkLimits(db, uses)
        const request = await readBody(context, body, jobBodyLimit)
        const draft = String(request.asDraft ?? false) === 'true'
        const { prompt } = checkBody(createJobBody, { prompt: promptOf(request.messages) })
        const input = { prompt, draft, askedBy: askedBy(caller) }
        // A job whose stream is then refused would be created again by whoever retries.
        using place = eventStreams.hold(sharerOf(context))
        place.take(1)
        const job = await createJob(ports, project, input, (tx) => countLimits(tx, uses))
        place.release()
        const options = { pool: eventStreams, stopping, writeEnd }
        const response = eventStream(context, options, async function* (signal) {
          yield frames({ type: 'start', messageId: job.id }, { type: 'start-step' })
          for await (const events of feed.follow(job, { after: 0, quiet, signal })) {
            await access.project(context, 'createJobV1')
            if (!events) yield stillHere
          }
          if (signal.aborted) return
          const { messageToUser, pullRequestLink } = await show(await named(project, job.id), project)
          const delta = [messageToUser, pullRequestLink].filter(Boolean).join('\n\n')
          yield frames(
            { type: 'text-start', id: '0' },
            { type: 'text-delta', id: '0', delta },
            { type: 'text-end', id: '0' },
            { type: 'finish-step' },
            { type: 'finish' },
          )
        })
        response.headers.set('X-Session-Id', job.id)
        response.headers.set('X-Branch-Name', headerText(job.branch))
        response.headers.set('X-Vercel-AI-UI-Message-Stream', 'v1')
        return response
      },
    },
    onProject('getJobV1', `get ${path}/job/{id}`, 'Get agent job (v1)', {
      deprecated: true,
      description: 'Use `GET /v2/agent/{projectId}/job/{id}`.',
      answer: [200, 'The job', oldJob],
      async handle({ context, project }) {
        return show(await named(project, context.req.param('id') ?? ''), project)
      },
    }),
    onProject('listJobsV1', `get ${path}/jobs`, 'List agent jobs (v1)', {
      deprecated: true,
      description: 'The newest first. Use `GET /v2/agent/{projectId}/jobs`.',
      query: listQuery,
      answer: [200, 'The jobs', z.object({ allSessions: z.array(oldJob) })],
      async handle({ project, query: { skip, take } }) {
        const jobs: Job[] = []
        let cursor: string | undefined
        do {
          const page = await listJobs(db, project.id, { limit: 100, cursor })
          jobs.push(...page.rows)
          cursor = page.next
        } while (cursor !== undefined && jobs.length < skip + take)
        const allSessions = []
        for (const job of jobs.slice(skip, skip + take)) allSessions.push(await show(job, project))
        return { allSessions }
      },
    }),
  ]
}

/** @throws AppError `invalid` where the messages hold no text */
function promptOf(messages: z.output<typeof body>['messages']): string {
  const texts = messages.map((message) => {
    const text =
      typeof message.content === 'string'
        ? message.content
        : message.content.map((part) => part.text ?? '').join('')
    return message.role === 'assistant' && text !== '' ? `An earlier answer:\n${text}` : text
  })
  const prompt = texts.filter((text) => text.trim() !== '').join('\n\n')
  if (prompt === '') throw new AppError('invalid', '`messages` must contain text')
  return prompt
}

async function oldJobBody(
  db: Reader,
  job: Job,
  project: Project,
  publicUrl: string,
): Promise<z.output<typeof oldJob>> {
  const link = job.status === 'active' ? undefined : job.pullRequest?.link
  const last = (await listTurns(db, project.id, job.id)).at(-1)
  return {
    sessionId: job.id,
    subdomain: project.domain,
    branch: job.branch,
    haulted: job.status !== 'active',
    haultReason: reasonOf(job),
    ...(link === undefined ? {} : { pullRequestLink: pullRequestUrl(publicUrl, link) }),
    messageToUser: job.failure?.message ?? job.question?.text ?? last?.summary ?? job.title,
    todos: [],
    title: job.title,
    createdAt: job.createdAt.toISOString(),
  }
}

function reasonOf({ status, failure }: Job): z.output<typeof oldJob>['haultReason'] {
  if (status === 'active') return 'processing'
  if (failure?.code === 'cancelled' || (status === 'archived' && failure)) return 'interrupted'
  if (status !== 'failed') return 'completed'
  return failure?.code === 'forge' ? 'github_missconfigured' : 'error'
}

// Clients of the AI SDK know an error only by its frame.
function writeEnd({ reason, message }: StreamEnd): string {
  const error = reason === 'over' ? '' : frames({ type: 'error', errorText: message })
  return `${error}data: [DONE]\n\n`
}

function frames(...all: readonly object[]): string {
  return all.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')
}
