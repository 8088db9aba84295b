import type { Reader } from '../../../store/database.ts'
import type { Change } from '../workspace/job-work.ts'
import { listLineComments } from './comments.ts'
import { placeComments, type PlacedComment } from './place-comments.ts'

/**
 * What became of a comment. `draft`: it is not sent. `waiting`: the agent has yet to work on it. `changed`, `unchanged`:
 * what the follow-up did to its lines. `failed`: the follow-up did not come to an end.
 */
export type CommentState = 'draft' | 'waiting' | 'changed' | 'unchanged' | 'failed' | 'resolved'

type Sides = Pick<Change, 'repository' | 'from' | 'to'>

export interface ReviewedComment extends PlacedComment {
  state: CommentState
}

/**
 * The comments of a job, where their lines are in the change that is shown, and what became of them.
 * @param change or how to get it; undefined when it cannot be read
 */
export async function readReviewComments(
  reader: Reader,
  jobId: string,
  change: Sides | (() => Promise<Sides>) | undefined,
): Promise<ReviewedComment[]> {
  const comments = await listLineComments(reader, jobId)
  if (comments.length === 0) return []
  const placed = await placeComments(typeof change === 'function' ? await change() : change, comments)
  const turns = await reader
    .selectFrom('turns')
    .select(['n', 'status'])
    .where('job_id', '=', jobId)
    .execute()
  const statuses = new Map(turns.map(({ n, status }) => [n, status]))
  return placed.map((comment) => ({ ...comment, state: stateOf(comment, statuses) }))
}

function stateOf({ turn, resolvedAt, now }: PlacedComment, statuses: ReadonlyMap<number, string>): CommentState {
  if (resolvedAt !== undefined) return 'resolved'
  if (turn === undefined) return 'draft'
  const status = statuses.get(turn)
  if (status === 'completed') return now === undefined ? 'changed' : 'unchanged'
  return status === 'failed' || status === 'cancelled' ? 'failed' : 'waiting'
}
