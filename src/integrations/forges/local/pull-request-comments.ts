import { AppError } from '../../../lib/errors.ts'
import type { Reader, Store } from '../../../store/database.ts'
import { lockPullRequests, readPullRequest } from './pull-requests.ts'

/** What a person said on a pull request. `body` is Markdown, untrusted. */
export interface PullRequestComment {
  n: number
  author: string
  body: string
  createdAt: Date
}

const maxLength = 20_000
const maxComments = 1000

/** The newest comments, oldest of them first. */
export async function readComments(
  reader: Reader,
  projectId: string,
  number: number,
  options: { since?: Date | undefined; limit: number },
): Promise<PullRequestComment[]> {
  let query = reader
    .selectFrom('pull_request_comments')
    .select(['n', 'author', 'body', 'created_at'])
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .orderBy('n', 'desc')
    .limit(options.limit)
  if (options.since !== undefined) query = query.where('created_at', '>=', options.since)
  const rows = await query.execute()
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at })).toReversed()
}

/** @throws AppError `not_found`, or `invalid` for a comment that is empty, too long or one too many */
export async function addComment(
  store: Store,
  projectId: string,
  number: number,
  comment: { author: string; body: string },
): Promise<void> {
  if (comment.body.trim() === '') throw new AppError('invalid', 'The comment is empty: write something')
  if (comment.body.length > maxLength) {
    throw new AppError('invalid', 'The comment is longer than 20,000 characters: shorten it')
  }
  await store.transaction(async (tx) => {
    await lockPullRequests(tx, projectId)
    if (!(await readPullRequest(tx, projectId, number))) {
      throw new AppError('not_found', `Pull request ${number} not found`)
    }
    const { last } = await tx
      .selectFrom('pull_request_comments')
      .select((select) => select.fn.coalesce(select.fn.max('n'), select.lit(0)).as('last'))
      .where('project_id', '=', projectId)
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    if (last >= maxComments) {
      throw new AppError('invalid', 'This pull request has 1,000 comments already: send a message to its job')
    }
    await tx
      .insertInto('pull_request_comments')
      .values({ project_id: projectId, number, n: last + 1, ...comment })
      .execute()
  })
}
