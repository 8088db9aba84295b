import { sql } from 'kysely'
import { AppError } from '../../../lib/errors.ts'
import type { Tx } from '../../../store/database.ts'
import type { CallerColumn, FeedbackReasonColumn } from '../../../store/columns.ts'
import { textIfKept } from '../threads/kept-texts.ts'

export interface Feedback {
  threadId: string
  /** The answer's id, as the `start` frame has it; undefined: the newest answer of the thread. */
  messageId: string | undefined
  /** Null takes it back. */
  rating: 'up' | 'down' | null
  reason: FeedbackReasonColumn | undefined
  note: string | undefined
  /** Who rates the answer; undefined: the reader who asked. */
  fp: string | undefined
  caller: CallerColumn
}

/**
 * Records what a reader thinks of an answer, in place of what the same reader thought before.
 * @returns the id of the answer
 * @throws AppError `not_found` for a thread or an answer that the project does not have
 */
export async function giveFeedback(tx: Tx, projectId: string, feedback: Feedback): Promise<string> {
  const { threadId, messageId, rating, reason, note, caller } = feedback
  let answers = tx
    .selectFrom('messages')
    .select(['n', 'id', 'fp'])
    .where('project_id', '=', projectId)
    .where('thread_id', '=', threadId)
    .where('role', '=', 'assistant')
  if (messageId !== undefined) answers = answers.where('id', '=', messageId)
  const answer = await answers.orderBy('n', 'desc').limit(1).forKeyShare().executeTakeFirst()
  if (!answer)
    throw new AppError(
      'not_found',
      'Answer not found. Send the `threadId` and `messageId` of a completed answer',
    )
  const row = {
    project_id: projectId,
    thread_id: threadId,
    n: answer.n,
    fp: feedback.fp ?? answer.fp,
  }
  if (rating === null) {
    await tx
      .deleteFrom('feedback')
      .where(({ and }) => and(row))
      .execute()
    return answer.id
  }
  await tx
    .insertInto('feedback')
    .values({
      ...row,
      rating,
      reason: reason ?? null,
      note: note === undefined ? null : sql`nullif(${textIfKept(projectId, note)}, '')`,
      caller,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'thread_id', 'n', 'fp']).doUpdateSet(({ ref }) => ({
        rating: ref('excluded.rating'),
        reason: ref('excluded.reason'),
        note: ref('excluded.note'),
        caller: ref('excluded.caller'),
        created_at: sql<Date>`now()`,
      })),
    )
    .execute()
  return answer.id
}
