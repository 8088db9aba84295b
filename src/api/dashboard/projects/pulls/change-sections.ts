import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { Change } from '../../../../features/agent/workspace/job-work.ts'
import type { Caller } from '../../../../features/projects/allow.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { RequestContext } from '../../../endpoint.ts'
import type { Html } from '../../html/html.ts'
import type { PagePorts } from '../../ports.ts'
import { readReviewRequest, type ReviewRequest } from '../../review/review-request.ts'
import type { Reviewed } from '../../review/reviewed.ts'
import { showReview, showReviewFile } from '../../review/show-review.ts'
import { commitSection } from './commits.ts'
import { readReview, type Review } from './review.ts'
import { reviewAtLines, reviewComments, reviewProgress } from './review-parts.ts'

/** A change of a job on a page, and who looks at it. */
export interface ShownChange {
  context: RequestContext
  session: Session
  caller: Caller
  job: Job
  reviewed: Reviewed
  /** The commit of the branch, where there is one. */
  head: string | undefined
}

/** What a page shows of a change, in three sections. */
export interface ChangeSections {
  changes: Html
  comments: Html
  commits: Html
}

/** The change with comments at its lines, the draft review, and the commits. */
export async function changeSections(ports: PagePorts, shown: ShownChange): Promise<ChangeSections> {
  const { review, request } = await open(ports, shown)
  const lines = reviewAtLines(ports, review)
  const view = await showReview(ports, shown.reviewed, request, lines)
  return {
    changes: html`<section id="changes">
      <h2>Changes</h2>
      ${reviewProgress(review)} ${view}
    </section>`,
    // After the change, because what it has shown is not repeated.
    comments: reviewComments(ports, review, lines),
    commits: await commitSection(shown.reviewed.project, shown.job.id, review.change, ports.now()),
  }
}

/** One file of it, for the script that opens files in place. */
export async function changedFileAlone(ports: PagePorts, shown: ShownChange): Promise<Html> {
  const { review, request } = await open(ports, shown)
  return showReviewFile(ports, shown.reviewed, request, reviewAtLines(ports, review))
}

async function open(
  ports: PagePorts,
  { context, session, caller, job, reviewed, head }: ShownChange,
): Promise<{ review: Review; request: ReviewRequest }> {
  const { project, page, repository, from, to } = reviewed
  const change: Change = { repository, from, to, head }
  const review = await readReview(ports, { context, session, caller, project, job, path: page, change })
  const request = readReviewRequest(context)
  // The file that somebody comments on is open.
  return { review, request: { ...request, file: request.file ?? review.writing.range?.path } }
}
