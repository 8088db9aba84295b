import { z } from '@hono/zod-openapi'
import { getJob, type Job } from '../../../features/agent/jobs.ts'
import { listChangeCommits } from '../../../features/agent/review/list-change-commits.ts'
import { readReviewComments, type ReviewedComment } from '../../../features/agent/review/read-review.ts'
import { sendComments } from '../../../features/agent/review/send-comments.ts'
import { markViewed, readProgress } from '../../../features/agent/review/viewed-files.ts'
import {
  addLineComment,
  changeLineComment,
  removeLineComment,
  type Reviewer,
} from '../../../features/agent/review/write-comments.ts'
import { diffedProject, jobChange, type Change } from '../../../features/agent/workspace/job-work.ts'
import { askedBy, idOf, isOperator, nameOf, type Caller } from '../../../features/projects/allow.ts'
import { limits, useBy } from '../../../features/projects/limits.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { AppError } from '../../../lib/errors.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import { comments, commits, side, type comment } from '../../../nouns/reviews/answers.ts'
import { textUpTo } from '../../contract.ts'
import { describe, operations } from '../../description/operation.ts'
import type { Endpoint, RequestContext } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'
import { checkBody, jobBodyLimit, readJson } from '../../read-body.ts'
import {
  answerOnce,
  checkLimitsUnlessAnswered,
  idempotencyHeader,
  readKey,
  sendReply,
} from './idempotency.ts'
import { jobToBody, oneJob, type JobEndpointPorts } from './job-body.ts'

interface Ports extends JobEndpointPorts {
  mirror(project: Project, commits: readonly string[], options?: { fresh?: boolean }): Promise<Repository>
}

const lineRule = 'must be a whole number from 1 to 10,000,000'
const line = z.number({ error: lineRule }).int(lineRule).min(1, lineRule).max(10_000_000, lineRule)
const textRule = 'must be text of 1 to 10,000 characters'
const text = textUpTo(10_000, textRule).min(1, textRule)
const pathRule = 'must be text of 1 to 4,000 characters'
const path = textUpTo(4000, pathRule).min(1, pathRule)
const revisionRule = 'must be the id of a commit or tree'

const addBody = z
  .object({
    path,
    side: side.default('new'),
    line,
    endLine: line.optional().describe('Last line of a range; at most 100 lines.'),
    revision: z
      .string()
      .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, revisionRule)
      .openapi({ example: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' })
      .optional()
      .describe('Commit or tree whose lines are counted; the present one when absent.'),
    body: text.openapi({ description: 'Markdown.', example: 'Say how long it waits.' }),
  })
  .openapi('AddJobComment', { description: 'A comment to add.' })
const changeBody = z
  .object({
    body: text.optional().openapi({ description: 'Markdown. Only its author, and only before it is sent.' }),
    resolved: z.boolean({ error: 'must be true or false' }).optional(),
  })
  .openapi('ChangeJobComment', { description: 'A change of a comment.' })
const sendBody = z
  .object({
    remark: textUpTo(10_000, 'must be text of at most 10,000 characters')
      .nullish()
      .openapi({ description: 'About the change as a whole.' }),
  })
  .openapi('SendJobComments', { description: 'Comments to send to the agent as one prompt.' })
const viewedBody = z
  .object({ path, viewed: z.boolean({ error: 'must be true or false' }) })
  .openapi('MarkViewed', { description: 'A file that was viewed, or not.' })
const progress = z
  .object({
    files: z.array(z.object({ path: z.string(), viewed: z.boolean() })),
    viewed: z.int().describe('How many files were viewed and have not changed since.'),
  })
  .openapi('ReviewProgress', { description: 'Which files of a change were viewed.' })
/** What people do with a job's change: comments on lines, which files they have viewed, its commits. */
export function jobCommentEndpoints(ports: Ports): Endpoint[] {
  const { access, jobs } = ports
  const { store } = jobs
  const { onProject } = operations(access, 'Agent jobs')
  const one = '/v2/agent/{projectId}/job/{id}'
  const answer = [200, 'The comments in the order in which they were made', comments] as const
  const showAll = async (project: Project, job: Job): Promise<z.output<typeof comments>> => {
    const change = await changeOf(ports, project, job.id).catch(() => undefined)
    return { comments: (await readReviewComments(store.db, job.id, change)).map(toBody) }
  }
  const showProgress = async (
    job: Job,
    viewerId: string,
    change: Change | undefined,
  ): Promise<z.output<typeof progress>> => {
    if (change === undefined) return { files: [], viewed: 0 }
    const { files, viewed } = await readProgress(store.db, job.id, viewerId, change)
    return { files: files.map((name) => ({ path: name, viewed: viewed.has(name) })), viewed: viewed.size }
  }
  return [
    onProject('listJobComments', `get ${one}/comments`, 'List comments on a job', {
      description: 'Comments on lines of the job’s changes: the draft review and what was sent.',
      answer,
      async handle({ context, project }) {
        return showAll(project, await jobOf(ports, context, project))
      },
    }),
    onProject('addJobComment', `post ${one}/comments`, 'Comment on lines of a job', {
      description:
        'Adds a comment to the draft review of the job. The agent gets it when the review is sent. The lines are quoted with it.',
      body: addBody,
      errors: [409],
      answer: [201, 'The comments', comments],
      async handle({ context, project, caller, body }) {
        const job = await jobOf(ports, context, project)
        const added = await addLineComment(
          store,
          diffedProject(project, ports.mirror),
          job.id,
          reviewerOf(caller),
          {
            ...body,
            endLine: body.endLine ?? body.line,
          },
        )
        if (!added) throw notFound('job', job.id)
        return showAll(project, job)
      },
    }),
    onProject('changeJobComment', `patch ${one}/comments/{comment}`, 'Change a comment on a job', {
      description: 'Changes the text of an unsent comment, or marks a comment as resolved.',
      body: changeBody,
      errors: [409],
      answer,
      async handle({ context, project, caller, body }) {
        const job = await jobOf(ports, context, project)
        const id = commentIdOf(context)
        const place = { projectId: project.id, jobId: job.id, id }
        if (!(await changeLineComment(store, place, reviewerOf(caller), body))) throw notFound('comment', id)
        return showAll(project, job)
      },
    }),
    onProject('deleteJobComment', `delete ${one}/comments/{comment}`, 'Delete a comment on a job', {
      description: 'Only before it is sent.',
      errors: [409],
      answer,
      async handle({ context, project, caller }) {
        const job = await jobOf(ports, context, project)
        const id = commentIdOf(context)
        const place = { projectId: project.id, jobId: job.id, id }
        if (!(await removeLineComment(store, place, reviewerOf(caller)))) throw notFound('comment', id)
        return showAll(project, job)
      },
    }),
    sendEndpoint(ports),
    onProject('getReviewProgress', `get ${one}/viewed`, 'List viewed files', {
      description: 'The files of the job’s changes, and which of them the caller has viewed.',
      answer: [200, 'The files', progress],
      async handle({ context, project, caller }) {
        const job = await jobOf(ports, context, project)
        return showProgress(job, idOf(caller), await changeOf(ports, project, job.id))
      },
    }),
    onProject('markViewed', `post ${one}/viewed`, 'Mark a file as viewed', {
      description: 'Kept for the caller alone. The mark falls off when the file changes again.',
      body: viewedBody,
      errors: [409],
      answer: [200, 'The files', progress],
      async handle({ context, project, caller, body }) {
        const job = await jobOf(ports, context, project)
        const change = await changeOf(ports, project, job.id)
        if (change === undefined) throw new AppError('conflict', 'The job has not changed anything yet')
        const viewer = { projectId: project.id, jobId: job.id, viewerId: idOf(caller) }
        await markViewed(store, viewer, change, body)
        return showProgress(job, viewer.viewerId, change)
      },
    }),
    onProject('listJobCommits', `get ${one}/commits`, 'List commits of a job', {
      description: 'The commits of the job’s branch since it left its base, newest first, at most 250.',
      answer: [200, 'The commits', commits],
      async handle({ context, project }) {
        const job = await jobOf(ports, context, project)
        const change = await changeOf(ports, project, job.id)
        const history = change === undefined ? [] : await listChangeCommits(change)
        return {
          commits: history.map(({ id, parent, title, author, coAuthors, date }) => ({
            id,
            parent: parent ?? null,
            title,
            author,
            coAuthors,
            date: date.toISOString(),
          })),
        }
      },
    }),
  ]
}

function sendEndpoint(ports: Ports): Endpoint {
  const { access, jobs, addresses } = ports
  return {
    route: describe('sendJobComments', 'post /v2/agent/{projectId}/job/{id}/comments/send', {
      tag: 'Agent jobs',
      summary: 'Send the comments on a job',
      description:
        'Sends everybody’s unsent comments as one follow-up. It counts as a message. Answers 409 when there is none.',
      headers: idempotencyHeader,
      body: sendBody,
      responses: { 200: oneJob },
      errors: [409, 422, 429],
    }),
    async handle(context) {
      const { project, caller } = await access.project(context, 'sendJobComments')
      const { id } = await jobOf(ports, context, project)
      const key = readKey(context)
      const operation = {
        store: jobs.store,
        projectId: project.id,
        operation: `send comments ${id}`,
        uses: [useBy(project, limits.jobMessage)],
      }
      await checkLimitsUnlessAnswered(key, operation)
      const body = await readJson(context, jobBodyLimit)
      const { remark } = checkBody(sendBody, body)
      const reply = await answerOnce(key, {
        ...operation,
        body,
        async run(finish, begin) {
          const input = { remark: remark ?? undefined, askedBy: askedBy(caller) }
          const job = await sendComments(jobs, project, id, input, finish, begin)
          if (!job) throw notFound('job', id)
          return job
        },
        show: (job) => jobToBody(job, project, addresses),
      })
      return sendReply(context, reply, 200)
    },
  }
}

/** Whoever asks, as the author of comments. */
export function reviewerOf(caller: Caller): Reviewer {
  return { id: idOf(caller), name: nameOf(caller), isOperator: isOperator(caller) }
}

async function changeOf(ports: Ports, project: Project, jobId: string): Promise<Change | undefined> {
  return jobChange(ports.jobs.store, diffedProject(project, ports.mirror), jobId, { fresh: false })
}

/** The job that the path names. @throws AppError `not_found` */
async function jobOf({ jobs }: Ports, context: RequestContext, project: Project): Promise<Job> {
  const id = context.req.param('id') ?? ''
  const job = hasUnstorable(id) ? undefined : await getJob(jobs.store.db, project.id, id)
  if (!job) throw notFound('job', id)
  return job
}

function commentIdOf(context: RequestContext): string {
  const id = context.req.param('comment') ?? ''
  if (hasUnstorable(id)) throw notFound('comment', id)
  return id
}

function toBody(one: ReviewedComment): z.output<typeof comment> {
  return {
    id: one.id,
    author: one.author,
    path: one.path,
    side: one.side,
    line: one.line,
    endLine: one.endLine,
    revision: one.revision,
    quote: one.quote,
    body: one.body,
    state: one.state,
    outdated: one.now === undefined,
    now: one.now ?? null,
    turn: one.turn ?? null,
    createdAt: one.createdAt.toISOString(),
    updatedAt: one.updatedAt?.toISOString() ?? null,
  }
}
