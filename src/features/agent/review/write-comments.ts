import { isAncestor } from '../../../integrations/git/trees/ancestry.ts'
import { changedFiles } from '../../../integrations/git/trees/changed-files.ts'
import { isObjectId } from '../../../integrations/git/object-id.ts'
import { AppError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { Store } from '../../../store/database.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { jobChange, type Change, type DiffedProject } from '../workspace/job-work.ts'
import {
  countLineComments,
  deleteLineComment,
  insertLineComment,
  readLineComment,
  updateLineComment,
  type LineComment,
} from './comments.ts'
import { readLines } from './lines.ts'

/** Who comments. */
export interface Reviewer {
  id: string
  name: string
  /** May take away what others wrote. */
  isOperator: boolean
}

export interface NewLineComment {
  path: string
  side: 'old' | 'new'
  line: number
  endLine: number
  /** The commit or tree that the person looked at; the present one when not given. */
  revision?: string | undefined
  body: string
}

const mostLines = 100
const mostUnsent = 100
const mostComments = 1000

/**
 * Adds a comment on lines of a job's changes to its draft review.
 * @returns undefined when there is no such job in this project
 * @throws AppError `invalid` for lines that are not there, `conflict` when the job takes no more comments or its change
 * was replaced since it was looked at
 */
export async function addLineComment(
  store: Store,
  project: DiffedProject,
  jobId: string,
  by: Reviewer,
  input: NewLineComment,
): Promise<LineComment | undefined> {
  const { path, side, line, endLine, body } = input
  if (endLine < line) throw new AppError('invalid', 'The last line is before the first one')
  if (endLine - line >= mostLines) throw new AppError('invalid', 'Comment on at most 100 lines at once')
  const change = await jobChange(store, project, jobId, { fresh: false })
  if (change === undefined) {
    const job = await store.db
      .selectFrom('jobs')
      .select('project_id')
      .where('id', '=', jobId)
      .executeTakeFirst()
    if (job?.project_id !== project.id) return undefined
    throw new AppError('conflict', 'The job has not changed anything yet')
  }
  const revision = await revisionOf(change, input)
  // Otherwise a comment would quote whatever the repository holds, also files that the agent does not read.
  const files = await changedFiles(change.repository, change.from, change.to)
  const isPart = files.some((file) => (side === 'old' ? (file.oldPath ?? file.path) : file.path) === path)
  const text = isPart ? (await readLines(change.repository, revision, [path])).get(path) : undefined
  const quoted = text?.lines.slice(line - 1, endLine)
  if (text === undefined || quoted?.length !== endLine - line + 1)
    throw new AppError(
      'invalid',
      `The ${side === 'old' ? 'base' : 'change'} has no line ${text === undefined ? line : Math.min(endLine, text.lines.length + 1)} in ${JSON.stringify(path.slice(0, 200))}`,
    )
  return store.transaction(async (tx) => {
    const job = await lockJob(tx, jobId, project.id)
    if (job === undefined) return undefined
    if (job.status === 'archived')
      throw new AppError('conflict', 'The job is archived and can’t accept comments')
    const { all, unsent } = await countLineComments(tx, jobId)
    if (unsent >= mostUnsent)
      throw new AppError(
        'conflict',
        'You have 100 unsent comments, the maximum. Send them before adding more',
      )
    if (all >= mostComments)
      throw new AppError('conflict', 'This job has 1,000 comments already: send it a message')
    await updateJob(tx, jobId)
    return insertLineComment(tx, jobId, {
      id: newId('cmt'),
      authorId: by.id,
      author: by.name.slice(0, 200),
      path,
      side,
      line,
      endLine,
      revision,
      file: text.file,
      quote: quoted.join('\n').replaceAll('\0', ''),
      body: body.trim(),
    })
  })
}

// Somebody may comment on a page that was loaded before the newest push, but on nothing that was never a part of it.
async function revisionOf(
  { repository, from, to, head }: Change,
  { side, revision }: NewLineComment,
): Promise<string> {
  const present = side === 'old' ? from : to
  if (revision === undefined || revision === present) return present
  if (revision === from) return from
  // A turn that works changes its files all the time.
  if (to !== head) return present
  const isIn = (commit: string): Promise<boolean> =>
    isAncestor(repository, revision, commit).catch(() => false)
  if (isObjectId(revision) && (await isIn(head)) && !(await isIn(from))) return revision
  throw new AppError(
    'conflict',
    'The change was updated after you opened this page. Reload to see the latest version',
  )
}

/**
 * Changes the text of a comment that is not sent yet, or marks one as resolved.
 * @returns undefined when there is no such comment
 * @throws AppError `forbidden` for somebody else's text, `conflict` for the text of one that was sent
 */
export async function changeLineComment(
  store: Store,
  { projectId, jobId, id }: { projectId: string; jobId: string; id: string },
  by: Reviewer,
  change: { body?: string | undefined; resolved?: boolean | undefined },
): Promise<LineComment | undefined> {
  const { body, resolved } = change
  return store.transaction(async (tx) => {
    if (!(await lockJob(tx, jobId, projectId))) return undefined
    const comment = await readLineComment(tx, jobId, id)
    if (comment === undefined) return undefined
    if (body !== undefined) requireOwnDraft(comment, by, 'edit')
    await updateLineComment(tx, id, { body: body?.trim(), resolved })
    await updateJob(tx, jobId)
    return readLineComment(tx, jobId, id)
  })
}

/** @returns whether there was such a comment @throws AppError as `changeLineComment` */
export async function removeLineComment(
  store: Store,
  { projectId, jobId, id }: { projectId: string; jobId: string; id: string },
  by: Reviewer,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    if (!(await lockJob(tx, jobId, projectId))) return false
    const comment = await readLineComment(tx, jobId, id)
    if (comment === undefined) return false
    if (!by.isOperator || comment.turn !== undefined) requireOwnDraft(comment, by, 'delete')
    await deleteLineComment(tx, id)
    await updateJob(tx, jobId)
    return true
  })
}

function requireOwnDraft({ turn, authorId, author }: LineComment, by: Reviewer, verb: string): void {
  if (turn !== undefined)
    throw new AppError('conflict', `This comment was already sent to the agent, so you can’t ${verb} it`)
  if (authorId !== by.id) throw new AppError('forbidden', `Only ${author} can ${verb} this comment`)
}
