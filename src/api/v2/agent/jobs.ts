import { z } from '@hono/zod-openapi'
import { publishKept } from '../../../features/agent/add-message.ts'
import { approve } from '../../../features/agent/approve.ts'
import { archiveJob } from '../../../features/agent/archive-job.ts'
import { cancelJob } from '../../../features/agent/cancel-job.ts'
import { getJob, listJobs, type Job } from '../../../features/agent/jobs.ts'
import { listTurnRemarks, listTurns } from '../../../features/agent/turns.ts'
import { diffedProject, jobDiff, withKeptChanges } from '../../../features/agent/workspace/job-work.ts'
import { askedBy, nameOf } from '../../../features/projects/allow.ts'
import { countLimits, limits, useBy } from '../../../features/projects/limits.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { idCursor, limitUpTo } from '../../../lib/list-query.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import type { Tx } from '../../../store/database.ts'
import { approveBody } from '../../contract.ts'
import { diffAnswer, diffResponse, operations } from '../../description/operation.ts'
import type { Endpoint, RequestContext } from '../../endpoint.ts'
import { hasVersion } from '../../entity-tag.ts'
import { notFound } from '../../errors.ts'
import { jobToBody, waitingToBody, type JobEndpointPorts } from './job-body.ts'
import {
  jobBody,
  jobListBody,
  jobState,
  jobStatus,
  turnListBody,
  type JobBody,
} from '../../../nouns/jobs/answers.ts'
import { allowAlways } from '../../../features/projects/settings/update-settings.ts'

interface Ports extends JobEndpointPorts {
  mirror(project: Project, commits: readonly string[], options?: { fresh?: boolean }): Promise<Repository>
}

const listQuery = z.object({
  status: jobStatus.optional(),
  state: jobState
    .optional()
    .describe('Finer than `status`: what the job does or waits for, or what came of it.'),
  text: z
    .string()
    .max(200, 'is longer than 200 characters')
    .refine((text) => !hasUnstorable(text), 'holds a NUL character; remove it')
    .optional()
    .describe('In the title or a prompt.'),
  limit: limitUpTo(100, 20),
  cursor: idCursor('job').optional(),
})

/** The endpoints that read, cancel and archive jobs, and publish what they keep. */
export function jobEndpoints({ access, jobs, addresses, mirror }: Ports): Endpoint[] {
  const { db } = jobs.store
  const { onProject } = operations(access, 'Agent jobs')
  const one = '/v2/agent/{projectId}/job/{id}'
  const show = async (job: Job, project: Project): Promise<JobBody> =>
    jobToBody(await withKeptChanges(jobs.store, diffedProject(project, mirror), job), project, addresses)
  const end = (name: 'archive' | 'cancel', work: typeof cancelJob, description: string): Endpoint =>
    onProject(`${name}Job`, `post ${one}/${name}`, `${name === 'archive' ? 'Archive' : 'Cancel'} agent job`, {
      description,
      answer: [200, 'The job', jobBody],
      async handle({ context, project, caller }) {
        const job = await named(context, (id) => work(jobs.store, project, id, nameOf(caller)))
        return show(job, project)
      },
    })
  return [
    onProject('getJob', `get ${one}`, 'Get agent job', {
      description:
        'Poll until `status` is `completed`, `archived` or `failed`. Send `If-None-Match` to get 304 while nothing has changed.',
      answer: [200, 'The job', jobBody],
      also: { 304: { description: 'Not changed since the entity tag that was sent' } },
      async handle({ context, project }) {
        const job = await named(context, (id) => getJob(db, project.id, id))
        const tag = `"${job.revision}"`
        const headers = { ETag: tag, 'Cache-Control': 'no-cache' }
        if (hasVersion(context, tag)) return context.body(null, 304, headers)
        return context.json(await show(job, project), 200, headers)
      },
    }),
    onProject('listJobs', 'get /v2/agent/{projectId}/jobs', 'List agent jobs', {
      description:
        'Newest first. Pass `nextCursor` as `cursor` for the next page. With `state` or `text` a page is searched for in some thousand jobs: it may be short, or empty, while `nextCursor` leads on.',
      query: listQuery,
      answer: [200, 'A page of jobs', jobListBody],
      async handle({ project, query }) {
        const { state, ...options } = query
        const page = await listJobs(db, project.id, { ...options, states: state && [state] })
        const bodies: JobBody[] = []
        // One by one, because the kept files of a job are read for that.
        for (const job of page.rows) bodies.push(await show(job, project))
        return { jobs: bodies, nextCursor: page.next ?? null }
      },
    }),
    end(
      'archive',
      archiveJob,
      'Puts the job away for good and stops its work if it runs. Archiving again changes nothing.',
    ),
    end(
      'cancel',
      cancelJob,
      'Ends the turn under way as failed and drops the follow-ups that wait. A job that is not active stays as it is.',
    ),
    onProject('publishJob', `post ${one}/publish`, 'Publish kept changes', {
      description:
        'Opens a draft pull request with the changes that a turn left unpublished, because a person decided so, or adds them to the open one. What the policy refuses is left out and named in it. No model is asked. Answers 409 while the job is active, and when nothing is kept.',
      answer: [200, 'The job, active until the changes are published', jobBody],
      errors: [400, 409, 429],
      async handle({ context, project, caller }) {
        const count = (tx: Tx) => countLimits(tx, [useBy(project, limits.jobMessage)])
        return show(
          await named(context, (id) => publishKept(jobs, project, id, count, askedBy(caller))),
          project,
        )
      },
    }),
    onProject('approve', `post ${one}/approve`, 'Allow what the policy refused', {
      description:
        'Allows one host or module in the changes of this job, which `failure.files` or `checks` name as an `approval`. It is recorded as the event `approved`. With the last of them the kept changes are published without asking a model. Answers 409 when the job was not refused because of it.',
      body: approveBody,
      errors: [409, 429],
      answer: [200, 'The job, active when its changes are tried again', jobBody],
      async handle({ context, project, caller, body: { always = false, ...approval } }) {
        const count = (tx: Tx) => countLimits(tx, [useBy(project, limits.jobMessage)])
        const remember = (tx: Tx) => (always ? allowAlways(tx, project.id, approval) : Promise.resolve())
        const approved = { ...approval, by: nameOf(caller), askedBy: askedBy(caller) }
        return show(
          await named(context, (id) => approve(jobs, project, id, approved, count, remember)),
          project,
        )
      },
    }),
    onProject('listTurns', `get ${one}/turns`, 'List job turns', {
      description: 'Each prompt in order, with its author and its result.',
      answer: [200, 'The turns', turnListBody],
      async handle({ context, project }) {
        const { id } = await named(context, (id) => getJob(db, project.id, id))
        const remarks = await listTurnRemarks(db, project.id, id)
        const turns = await listTurns(db, project.id, id)
        return {
          turns: turns.map((turn) => {
            const { n, prompt, status, outcome, summary, failure, ...times } = turn
            const { author, waiting } = remarks.get(n) ?? {}
            return {
              n,
              prompt,
              author: author ?? null,
              askedBy: turn.askedBy ?? null,
              status,
              outcome: outcome ?? null,
              summary: summary ?? null,
              failure: failure ?? null,
              waiting: waitingToBody(waiting),
              createdAt: times.createdAt.toISOString(),
              startedAt: times.startedAt?.toISOString() ?? null,
              finishedAt: times.finishedAt?.toISOString() ?? null,
            }
          }),
        }
      },
    }),
    onProject('getJobDiff', `get ${one}/diff`, 'Get job diff', {
      description:
        'The changes of the job since its base as a unified diff: what it has published, what people pushed to its branch since, what a turn has left unpublished (see `kept`), and what the turn under way has changed so far.',
      answer: [200, ...diffAnswer],
      async handle({ context, project }) {
        return diffResponse(
          context,
          await named(context, (id) => jobDiff(jobs.store, diffedProject(project, mirror), id)),
        )
      },
    }),
  ]
}

/** What `find` returns for the job that the path names. @throws AppError `not_found` */
async function named<T>(context: RequestContext, find: (id: string) => Promise<T | undefined>): Promise<T> {
  const id = context.req.param('id') ?? ''
  const match = hasUnstorable(id) ? undefined : await find(id)
  if (match === undefined) throw notFound('job', id)
  return match
}
