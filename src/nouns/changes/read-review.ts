import type { Job } from '../../features/agent/jobs.ts'
import { readReviewComments, type ReviewedComment } from '../../features/agent/review/read-review.ts'
import { readProgress, type ReviewProgress } from '../../features/agent/review/viewed-files.ts'
import type { Change } from '../../features/agent/workspace/job-work.ts'
import { idOf, mayDo, type Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import type { Store } from '../../store/database.ts'
import type { RequestContext } from '../../api/endpoint.ts'
import { typedInto } from '../../api/frame/pages.ts'

interface Ports {
  store: Store
}

/** What a page shows of the review of a job's change, and what is being written on it. */
export interface Review {
  context: RequestContext
  project: Project
  session: Session
  job: Job
  /** Of the page: that of the job, or that of its pull request. */
  path: string
  /** Its query, without what opens a form. */
  query: URLSearchParams
  change: Change
  comments: ReviewedComment[]
  progress: ReviewProgress
  writing: Writing
  mayWrite: boolean
  viewerId: string
}

/** Lines of a file of a change. */
export interface LineRange {
  path: string
  side: 'old' | 'new'
  line: number
  endLine: number
}

/** What is being written: a new comment on lines, another text of a comment, or nothing. */
interface Writing {
  range: LineRange | undefined
  edited: string | undefined
  /** What was typed into a form that was refused just now. */
  typed: URLSearchParams
  remark: string
}

/** A change on the page of its job or of its pull request. */
export interface ShownChange {
  context: RequestContext
  session: Session
  caller: Caller
  project: Project
  job: Job
  /** Of the page. */
  path: string
  change: Change
}

export async function readReview({ store }: Pick<Ports, 'store'>, shown: ShownChange): Promise<Review> {
  const { context, caller, job, change, path } = shown
  const viewerId = idOf(caller)
  const query = new URLSearchParams(new URL(context.req.url).search)
  const writing = writingOf(context, path, query)
  for (const name of ['comment', 'edit', 'done', 'token', 'alone', 'count']) query.delete(name)
  return {
    ...shown,
    query,
    viewerId,
    writing,
    mayWrite: mayDo(caller, 'addJobComment', shown.project.organizationId) && job.status !== 'archived',
    comments: await readReviewComments(store.db, job.id, change),
    progress: await readProgress(store.db, job.id, viewerId, change),
  }
}

function writingOf(context: RequestContext, path: string, query: URLSearchParams): Writing {
  const typed = typedInto(context, `${path}/comments`)
  const refused = context.get('refused')
  const [, refusedEdit] = /\/comments\/([\w-]+)\/edit$/.exec(refused?.path ?? '') ?? []
  return {
    range: rangeOf(typed) ?? parseRange(query.get('comment') ?? ''),
    edited: refusedEdit ?? query.get('edit') ?? undefined,
    typed: refusedEdit === undefined ? typed : (refused?.values ?? typed),
    remark: typedInto(context, `${path}/comments/send`).get('remark') ?? '',
  }
}

function rangeOf(form: URLSearchParams): LineRange | undefined {
  const path = form.get('path')
  if (path === null) return undefined
  const [line, endLine] = [Number(form.get('line')), Number(form.get('endLine'))]
  return { path, side: form.get('side') === 'old' ? 'old' : 'new', line, endLine }
}

/** `new:12-14:guides/retries.mdx`, as links write it. */
function parseRange(text: string): LineRange | undefined {
  const [, side, from, to, path] = /^(old|new):(\d{1,7})(?:-(\d{1,7}))?:(.{1,4000})$/s.exec(text) ?? []
  if (path === undefined) return undefined
  const line = Number(from)
  return {
    path,
    side: side === 'old' ? 'old' : 'new',
    line,
    endLine: Math.max(line, Number(to ?? from)),
  }
}

/** The address of the page with the form at these lines. */
export function commentHref({ path, query }: Pick<Review, 'path' | 'query'>, range: LineRange): string {
  const lines = range.endLine > range.line ? `${range.line}-${range.endLine}` : String(range.line)
  const kept = new URLSearchParams(query)
  if (kept.get('file') !== range.path) leaveFile(kept)
  return hrefOf(path, kept, { comment: `${range.side}:${lines}:${range.path}` }, 'comment-form')
}

/** What is open of another file does not matter any more. */
export function leaveFile(query: URLSearchParams): void {
  for (const name of ['file', 'from', 'as', 'whole']) query.delete(name)
}

/** The address of a form of the review, which comes back to the page as it is now. */
export function actionOf({ path, query }: Pick<Review, 'path' | 'query'>, form: string): string {
  return query.size === 0 ? `${path}/${form}` : `${path}/${form}?${query.toString()}`
}

export function hrefOf(
  path: string,
  query: URLSearchParams,
  change: Record<string, string>,
  fragment: string,
): string {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(change)) next.set(name, value)
  const text = next.toString()
  return `${path}${text === '' ? '' : `?${text}`}#${fragment}`
}
