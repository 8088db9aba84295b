import { getJob, type Job } from '../../../../features/agent/jobs.ts'
import type { JobPorts } from '../../../../features/agent/ports.ts'
import { findJobOfPullRequest } from '../../../../features/agent/review/find-reviewed-job.ts'
import { sendComments } from '../../../../features/agent/review/send-comments.ts'
import { markViewed } from '../../../../features/agent/review/viewed-files.ts'
import {
  addLineComment,
  changeLineComment,
  removeLineComment,
} from '../../../../features/agent/review/write-comments.ts'
import { diffedProject, type Change } from '../../../../features/agent/workspace/job-work.ts'
import { askedBy, idOf, type Caller } from '../../../../features/projects/allow.ts'
import { countLimits, limits, useBy } from '../../../../features/projects/limits.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Verb } from '../../../../features/projects/rights.ts'
import { AppError } from '../../../../lib/errors.ts'
import { hasUnstorable } from '../../../../lib/text/plain-text.ts'
import { readWholeNumber } from '../../../../lib/whole-number.ts'
import { pullNumberOf, pullOf } from '../../../admin/pulls.ts'
import type { Endpoint, RequestContext } from '../../../endpoint.ts'
import { notFound } from '../../../errors.ts'
import type { Pages } from '../../../frame/pages.ts'
import { fieldOf } from '../../../frame/read-form.ts'
import { reviewerOf } from '../../../v2/agent/job-comments.ts'
import { showJobEndpoint, type JobPagePorts } from '../jobs/show-job.ts'
import { hrefOf, leaveFile } from './review.ts'
import { changeOf } from '../../../admin/judge-pull.ts'
import { changeOfPull, showPullEndpoint, type PullPagePorts } from './show-pull.ts'

interface Ports extends PullPagePorts, JobPagePorts {
  queue: JobPorts['queue']
  machine: JobPorts['machine']
}

/** A page that shows the review of a job's change. */
interface Place {
  base: string
  shownOn: Endpoint
  jobOf(context: RequestContext, project: Project): Promise<Job | undefined>
  changeOf(context: RequestContext, project: Project, job: Job): Promise<Change | undefined>
}

/** The forms of a review, on the page of the job and on that of its pull request. Each leads back to its page. */
export function reviewForms(pages: Pages, ports: Ports): Endpoint[] {
  const { db } = ports.store
  const job: Place = {
    base: '/projects/{domain}/jobs/{id}',
    shownOn: showJobEndpoint(pages, ports),
    async jobOf(context, { id }) {
      const named = context.req.param('id') ?? ''
      return hasUnstorable(named) ? undefined : getJob(db, id, named)
    },
    changeOf: (_, project, found) => changeOf(ports, project, found),
  }
  const pull: Place = {
    base: '/projects/{domain}/pulls/{number}',
    shownOn: showPullEndpoint(pages, ports),
    async jobOf(context, project) {
      const number = pullNumberOf(context)
      return number === 0 ? undefined : findJobOfPullRequest(db, project, number)
    },
    changeOf: async (context, project, found) =>
      project.kind === 'https'
        ? changeOf(ports, project, found)
        : changeOfPull(ports, project, await pullOf(ports.pullRequests, context, project)),
  }
  return [job, pull].flatMap((place) => formsOf(pages, ports, place))
}

interface Sent {
  context: RequestContext
  caller: Caller
  project: Project
  job: Job
  form: URLSearchParams
}

function formsOf(pages: Pages, ports: Ports, place: Place): Endpoint[] {
  const { store } = ports
  /** @param act returns the part of the page that it leads back to */
  const action = (verb: Verb, path: string, done: string, act: (sent: Sent) => Promise<string>): Endpoint =>
    pages.projectForm(
      `${place.base}/${path}`,
      verb,
      async ({ context, caller, project, form }) => {
        const job = await place.jobOf(context, project)
        if (!job) throw notFound('review', context.req.path)
        const part = await act({ context, caller, project, job, form })
        const { pathname, searchParams: query } = new URL(context.req.url)
        const page = pathname.replace(/\/(?:comments|viewed)(?:\/[^]*)?$/, '')
        // The file that somebody has commented on is open.
        const file = verb === 'addJobComment' ? (form.get('path') ?? '') : query.get('file')
        if (file !== query.get('file')) leaveFile(query)
        const change = { ...(done !== '' && { done }), ...(file !== null && { file }) }
        return context.redirect(hrefOf(page, query, change, part), 303)
      },
      place.shownOn,
    )
  const commentOf = ({ context, project, job }: Sent): { projectId: string; jobId: string; id: string } => {
    const id = context.req.param('comment') ?? ''
    if (hasUnstorable(id)) throw notFound('comment', id)
    return { projectId: project.id, jobId: job.id, id }
  }
  const orNotFound = <T>(id: string, value: T | undefined): T => {
    if (value === undefined || value === false) throw notFound('comment', id)
    return value
  }
  return [
    action('addJobComment', 'comments', '', async ({ caller, project, job, form }) => {
      const diffed = diffedProject(project, ports.mirror)
      const revision = fieldOf(form, 'revision')
      const added = await addLineComment(store, diffed, job.id, reviewerOf(caller), {
        path: form.get('path') ?? '',
        side: form.get('side') === 'old' ? 'old' : 'new',
        line: lineOf(form, 'line'),
        endLine: lineOf(form, 'endLine'),
        revision: revision === '' ? undefined : revision,
        body: fieldOf(form, 'body'),
      })
      return orNotFound(job.id, added).id
    }),
    action('changeJobComment', 'comments/{comment}/edit', '', async (sent) => {
      const comment = commentOf(sent)
      const change = { body: fieldOf(sent.form, 'body') }
      orNotFound(comment.id, await changeLineComment(store, comment, reviewerOf(sent.caller), change))
      return comment.id
    }),
    action('changeJobComment', 'comments/{comment}/resolve', '', async (sent) => {
      const comment = commentOf(sent)
      const change = { resolved: sent.form.get('resolved') === 'yes' }
      orNotFound(comment.id, await changeLineComment(store, comment, reviewerOf(sent.caller), change))
      return 'review-comments'
    }),
    action('deleteJobComment', 'comments/{comment}/delete', '', async (sent) => {
      const comment = commentOf(sent)
      orNotFound(comment.id, await removeLineComment(store, comment, reviewerOf(sent.caller)))
      return 'changes'
    }),
    action('sendJobComments', 'comments/send', 'message', async ({ caller, project, job, form }) => {
      const input = { remark: fieldOf(form, 'remark'), askedBy: askedBy(caller) }
      const sent = await sendComments(ports, project, job.id, input, (tx) =>
        countLimits(tx, [useBy(project, limits.jobMessage)]),
      )
      if (!sent) throw notFound('job', job.id)
      return 'review-comments'
    }),
    action('markViewed', 'viewed', '', async ({ context, caller, project, job, form }) => {
      const change = await place.changeOf(context, project, job)
      if (change === undefined) throw new AppError('conflict', 'The job has not changed anything yet')
      const viewer = { projectId: project.id, jobId: job.id, viewerId: idOf(caller) }
      const viewed = { path: form.get('path') ?? '', viewed: form.get('viewed') === 'yes' }
      await markViewed(store, viewer, change, viewed)
      return 'changes'
    }),
  ]
}

function lineOf(form: URLSearchParams, name: string): number {
  const line = readWholeNumber(fieldOf(form, name), 9_999_999)
  if (!line) throw new AppError('invalid', 'The lines must be whole numbers from 1')
  return line
}
