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
    .select(['n', 'status', 'outcome'])
    .where('job_id', '=', jobId)
    .execute()
  const ends = new Map(turns.map((turn) => [turn.n, turn]))
  return placed.map((comment) => ({ ...comment, state: stateOf(comment, ends) }))
}

interface End {
  status: string
  outcome: string | null
}

function stateOf(
  { turn, resolvedAt, now, side }: PlacedComment,
  ends: ReadonlyMap<number, End>,
): CommentState {
  if (resolvedAt !== undefined) return 'resolved'
  if (turn === undefined) return 'draft'
  const { status, outcome } = ends.get(turn) ?? {}
  if (status === 'failed' || status === 'cancelled') return 'failed'
  if (status !== 'completed') return 'waiting'
  // The lines before the change stay as they are, whatever is done about them.
  const isChanged = side === 'old' ? outcome === 'changed' : now === undefined
  return isChanged ? 'changed' : 'unchanged'
}
