import { html } from 'hono/html'
import { readPageReasons } from '../../features/agent/turns.ts'
import type { Store } from '../../store/database.ts'
import type { PageLists } from '../../api/docs/navigation/page-list.ts'
import type { Html } from '../../api/frame/html/html.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import type { ReadRows } from './files/read-rows.ts'
import { readReviewRequest } from './files/review-request.ts'
import type { Reviewed } from './files/reviewed.ts'
import { showReview, showReviewFile } from './files/show-review.ts'
import { commitSection } from './commits.ts'
import { reviewAtLines, reviewComments, reviewProgress } from './review-parts.ts'
import { readReview, type ShownChange } from './read-review.ts'

export interface ChangePorts {
  store: Store
  now(): Date
  pagesOf: PageLists
  readMarkdown: ReadMarkdown
  readRows: ReadRows
}

/** What pages with `changeSections` load. */
export const changeAssets = {
  styles: ['components.css', 'review.css', 'comments.css'],
  scripts: ['review.js', 'comments.js', 'drafts.js'],
} as const

/** The change of a job with the comments at its lines, the draft review, and the commits. */
export async function changeSections(
  ports: ChangePorts,
  shown: ShownChange,
  title = 'Changes',
): Promise<Html> {
  const { change, project, job } = shown
  const { review, lines, reviewed, request } = await readShown(ports, shown)
  const view =
    change.from === change.to
      ? html`<p class="empty">No differences from the base branch.</p>`
      : await showReview(ports, reviewed, request, lines)
  return html`<section id="changes" class="wide">
      <h2>${title}</h2>
      ${reviewProgress(review)} ${view}
    </section>
    ${reviewComments(ports, review, lines)} ${await commitSection(project, job.id, change, ports.now())}`
}

/** One file of it, where the script of the page asks for one: a page sends it before it reads what else it shows. */
export async function changedFile(ports: ChangePorts, shown: ShownChange): Promise<Html | undefined> {
  if (!readReviewRequest(shown.context).alone) return undefined
  const { lines, reviewed, request } = await readShown(ports, shown)
  return showReviewFile(ports, reviewed, request, lines)
}

async function readShown(ports: ChangePorts, shown: ShownChange) {
  const review = await readReview(ports, shown)
  const request = readReviewRequest(shown.context)
  return {
    review,
    lines: reviewAtLines(ports, review),
    reviewed: await reviewedJob(ports, shown),
    // The file that somebody comments on is open.
    request: { ...request, file: request.file ?? review.writing.range?.path },
  }
}

/** A job's change with what is known about it. */
async function reviewedJob(
  { store }: Pick<ChangePorts, 'store'>,
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
