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

/** A change on a page that may be without a job, and open to those who have its link. */
type PageChange = Omit<ShownChange, 'session' | 'job'> & {
  [Name in 'session' | 'job']: ShownChange[Name] | undefined
}

/** A change. For people, that of a job has the comments at its lines, the draft review, and the commits. */
export async function changeSections(ports: ChangePorts, page: PageChange, title = 'Changes'): Promise<Html> {
  const { change, project } = page
  const commented = ofJob(page)
  const read = commented && (await readShown(ports, commented))
  const view =
    change.from === change.to
      ? html`<p class="empty">No differences from the base branch.</p>`
      : await (read
          ? showReview(ports, read.reviewed, read.request, read.lines)
          : showReview(ports, plain(page), readReviewRequest(page.context)))
  return html`<section id="changes" class="wide">
      <h2>${title}</h2>
      ${read ? reviewProgress(read.review) : ''} ${view}
    </section>
    ${read && commented ? html`${reviewComments(ports, read.review, read.lines)} ${await commitSection(project, commented.job.id, change, ports.now())}` : ''}`
}

/** One file of it, where the script of the page asks for one: a page sends it before it reads what else it shows. */
export async function changedFile(ports: ChangePorts, page: PageChange): Promise<Html | undefined> {
  const request = readReviewRequest(page.context)
  if (!request.alone) return undefined
  const commented = ofJob(page)
  if (commented === undefined) return showReviewFile(ports, plain(page), request)
  const { lines, reviewed, request: open } = await readShown(ports, commented)
  return showReviewFile(ports, reviewed, open, lines)
}

function ofJob({ session, job, ...page }: PageChange): ShownChange | undefined {
  return session && job ? { ...page, session, job } : undefined
}

/** What is known of a change without a job. */
function plain({ project, session, path, change: { repository, from, to } }: PageChange): Reviewed {
  return {
    project,
    repository,
    from,
    to,
    page: path,
    checks: [],
    reasons: new Map(),
    kept: new Set(),
    images: session !== undefined,
  }
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

/** A job’s change with what is known about it. */
async function reviewedJob({ store }: Pick<ChangePorts, 'store'>, shown: ShownChange): Promise<Reviewed> {
  const { job } = shown
  return {
    ...plain(shown),
    checks: job.checks,
    reasons: await readPageReasons(store.db, job.id),
    kept: new Set(job.changes.flatMap(({ path: file, kept }) => (kept === true ? file : []))),
  }
}
