import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import { readPageReasons } from '../../../../features/agent/turns.ts'
import type { Change } from '../../../../features/agent/workspace/job-work.ts'
import type { Caller } from '../../../../features/projects/allow.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { RequestContext } from '../../../endpoint.ts'
import type { Html } from '../../html/html.ts'
import type { PagePorts } from '../../ports.ts'
import type { Reviewed } from '../../review/reviewed.ts'
import { readReviewRequest } from '../../review/review-request.ts'
import { showReview, showReviewFile } from '../../review/show-review.ts'
import { commitSection } from './commits.ts'
import { readReview } from './review.ts'
import { reviewAtLines, reviewComments, reviewProgress } from './review-parts.ts'

interface ShownChange {
  context: RequestContext
  session: Session
  caller: Caller
  project: Project
  job: Job
  /** Of the page. */
  path: string
  change: Change
}

/** What pages with `changeSections` load. */
export const changeAssets = {
  styles: ['components.css', 'review.css', 'comments.css'],
  scripts: ['review.js', 'comments.js'],
} as const

/**
 * The change of a job with the comments at its lines, the draft review, and the commits. Only one file of it where the script of
 * the page asks for one.
 */
export async function changeSections(
  ports: PagePorts,
  shown: ShownChange,
  title = 'Changes',
): Promise<{ sections: Html } | { alone: Html }> {
  const { context, change, project, job } = shown
  const review = await readReview(ports, shown)
  const lines = reviewAtLines(ports, review)
  const reviewed = await reviewedJob(ports, shown)
  const asked = readReviewRequest(context)
  // The file that somebody comments on is open.
  const request = { ...asked, file: asked.file ?? review.writing.range?.path }
  if (request.alone) return { alone: await showReviewFile(ports, reviewed, request, lines) }
  const view =
    change.from === change.to
      ? html`<p class="empty">No difference to the base is left.</p>`
      : await showReview(ports, reviewed, request, lines)
  const sections = html`<section id="changes">
      <h2>${title}</h2>
      ${reviewProgress(review)} ${view}
    </section>
    ${reviewComments(ports, review, lines)} ${await commitSection(project, job.id, change, ports.now())}`
  return { sections }
}

/** A job's change with what is known about it. */
async function reviewedJob(
  { store }: Pick<PagePorts, 'store'>,
  { project, job, path, change: { repository, from, to } }: ShownChange,
): Promise<Reviewed> {
  return {
    project,
    repository,
    from,
    to,
    page: path,
    checks: job.checks,
    reasons: await readPageReasons(store.db, job.id),
    kept: new Set(job.changes.flatMap(({ path: file, kept }) => (kept === true ? file : []))),
    images: true,
  }
}
