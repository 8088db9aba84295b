import { hrefOf, leaveFile } from '../changes/read-review.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { notFound } from '../../api/errors.ts'
import type { Pages, Visit } from '../../api/frame/pages.ts'
import { findJobOfPullRequest } from '../../features/agent/review/find-reviewed-job.ts'
import { diffedProject, jobChange } from '../../features/agent/workspace/job-work.ts'
import type { Project } from '../../features/projects/projects.ts'
import { readWholeNumber } from '../../lib/whole-number.ts'
import { verbForm } from '../../verbs/form.ts'
import type { OncePorts } from '../jobs/once.ts'
import { changeOnPage } from '../pulls/judge.ts'
import * as deeds from './run.ts'

type Ports = OncePorts & deeds.ReviewPorts & Parameters<typeof changeOnPage>[0]

interface FormVisit extends Visit {
  project: Project
  form: URLSearchParams
}

/** A page that shows the review of a job's change. */
interface Place {
  base: string
  jobOf(visit: FormVisit): Promise<string | undefined> | string | undefined
  changeShown: NonNullable<deeds.ReviewPorts['changeShown']>
}

/** The forms of a review, on the page of the job and on that of its pull request. */
export function reviewPages(pages: Pages, ports: Ports): Endpoint[] {
  const job: Place = {
    base: '/projects/{domain}/jobs/{id}',
    jobOf: ({ context }) => context.req.param('id'),
    changeShown: (project, { id }) => jobChange(ports.store, diffedProject(project, ports.mirror), id),
  }
  const pull: Place = {
    base: '/projects/{domain}/pulls/{number}',
    async jobOf({ context, project }) {
      const number = readWholeNumber(context.req.param('number')) ?? 0
      return number === 0 ? undefined : (await findJobOfPullRequest(ports.store.db, project, number))?.id
    },
    changeShown: (project, job) => changeOnPage(ports, project, job),
  }
  return [job, pull].flatMap((place) => formsOf(pages, ports, place))
}

/** Each leads back to the part of its page that it has changed. */
function formsOf(pages: Pages, ports: Ports, { base, jobOf, changeShown }: Place): Endpoint[] {
  const shownOn = pages.at(base)
  const inView = { ...ports, changeShown }
  const jobIn = async (visit: FormVisit): Promise<{ id: string }> => {
    const id = await jobOf(visit)
    if (id === undefined) throw notFound('review', visit.context.req.path)
    return { id }
  }
  const commentIn = async (visit: FormVisit): Promise<{ id: string; comment: string }> => ({
    ...(await jobIn(visit)),
    comment: visit.context.req.param('comment') ?? '',
  })
  // As it was sent: a path may begin or end with a space.
  const fileIn = async (visit: FormVisit): Promise<{ id: string; path: string }> => ({
    ...(await jobIn(visit)),
    path: visit.form.get('path') ?? '',
  })
  const back = (
    { context }: Visit,
    part: string,
    change: { done?: string; file?: string } = {},
  ): Response => {
    const { pathname, searchParams: query } = new URL(context.req.url)
    const page = pathname.replace(/\/(?:comments|viewed)(?:\/[^]*)?$/, '')
    if (change.file !== undefined && change.file !== query.get('file')) leaveFile(query)
    return context.redirect(hrefOf(page, query, change, part), 303)
  }
  return [
    verbForm(pages, inView, `${base}/comments`, deeds.addJobComment, {
      typed: { only: ['path', 'side', 'line', 'endLine', 'revision', 'body'], required: ['body'] },
      shownOn,
      given: fileIn,
      // The file that somebody has commented on is open.
      done: (visit, { comments }) =>
        back(visit, comments.at(-1)?.id ?? 'changes', { file: visit.form.get('path') ?? '' }),
    }),
    verbForm(pages, inView, `${base}/comments/{comment}/edit`, deeds.changeJobComment, {
      typed: { only: ['body'], required: ['body'] },
      shownOn,
      given: commentIn,
      done: (visit) => back(visit, visit.context.req.param('comment') ?? ''),
    }),
    verbForm(pages, inView, `${base}/comments/{comment}/resolve`, deeds.changeJobComment, {
      typed: { only: ['resolved'] },
      shownOn,
      given: commentIn,
      done: (visit) => back(visit, 'review-comments'),
    }),
    verbForm(pages, inView, `${base}/comments/{comment}/delete`, deeds.deleteJobComment, {
      shownOn,
      given: commentIn,
      done: (visit) => back(visit, 'changes'),
    }),
    verbForm(pages, inView, `${base}/comments/send`, deeds.sendJobComments, {
      typed: { only: ['remark'] },
      shownOn,
      given: jobIn,
      done: (visit) => back(visit, 'review-comments', { done: 'message' }),
    }),
    verbForm(pages, inView, `${base}/viewed`, deeds.markViewed, {
      typed: { only: ['path', 'viewed'] },
      shownOn,
      given: fileIn,
      done: (visit) => back(visit, 'changes'),
    }),
  ]
}
