import { sql } from 'kysely'
import type { Reader, Store, Tx } from '../../../store/database.ts'

/** A comment with a request that still needs a reply. */
export interface PendingAnswer {
  commentId: string
  jobId: string
  number: number
  /** The turn that was created for it. */
  turn: number | undefined
  /** Why no turn was created. */
  refusal: string | undefined
  acknowledged: boolean
  attempts: number
}

export async function isRecorded(reader: Reader, projectId: string, commentId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('host_comments')
    .select('comment_id')
    .where('project_id', '=', projectId)
    .where('comment_id', '=', commentId)
    .executeTakeFirst()
  return row !== undefined
}

/** How many comments of one pull request were accepted or refused within the last hour. */
export async function countRecentComments(tx: Tx, projectId: string, number: number): Promise<number> {
  const { count } = await tx
    .selectFrom('host_comments')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Records a comment as handled.
 * @returns false when another process was faster: the comment must not be handled again
 */
export async function recordComment(
  tx: Tx,
  comment: {
    projectId: string
    commentId: string
    jobId: string
    number: number
    turn?: number
    refusal?: string
    /** The refusal is not posted. */
    isSilent?: boolean
  },
): Promise<boolean> {
  const row = await tx
    .insertInto('host_comments')
    .values({
      project_id: comment.projectId,
      comment_id: comment.commentId,
      job_id: comment.jobId,
      number: comment.number,
      turn: comment.turn ?? null,
      refusal: comment.refusal ?? null,
      due_at: comment.isSilent === true ? null : sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('comment_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Claims the replies that are due. They become due again, later each time, until they are settled. */
export async function claimAnswers(store: Store, projectId: string, limit: number): Promise<PendingAnswer[]> {
  return store.transaction(async (tx) => {
    const { rows } = await sql<{
      comment_id: string
      job_id: string
      number: number
      turn: number | null
      refusal: string | null
      acknowledged: boolean
      attempts: number
    }>`
      update host_comments
      set attempts = attempts + 1, due_at = now() + make_interval(secs => 30 * (2 ^ attempts)::int)
      where project_id = ${projectId} and comment_id in (
        select c.comment_id from host_comments c
        left join turns t on t.job_id = c.job_id and t.n = c.turn
        where c.project_id = ${projectId} and c.due_at <= now()
          and (not c.acknowledged or c.turn is null or t.status in ('completed', 'failed', 'cancelled'))
        order by c.due_at limit ${limit} for update of c skip locked
      )
      returning comment_id, job_id, number, turn, refusal, acknowledged, attempts
    `.execute(tx)
    return rows.map((row) => ({
      commentId: row.comment_id,
      jobId: row.job_id,
      number: row.number,
      turn: row.turn ?? undefined,
      refusal: row.refusal ?? undefined,
      acknowledged: row.acknowledged,
      attempts: row.attempts,
    }))
  })
}

/** The reply becomes due at once when the turn has ended. */
export async function markAcknowledged(tx: Tx, projectId: string, commentId: string): Promise<void> {
  await change(tx, projectId, commentId, { acknowledged: true, attempts: 0, due_at: sql<Date>`now()` })
}

/** Called when the reply was posted or given up. */
export async function settleAnswer(tx: Tx, projectId: string, commentId: string): Promise<void> {
  await change(tx, projectId, commentId, { due_at: null })
}

async function change(
  tx: Tx,
  projectId: string,
  commentId: string,
  values: { acknowledged?: boolean; attempts?: number; due_at: ReturnType<typeof sql<Date>> | null },
): Promise<void> {
  await tx
    .updateTable('host_comments')
    .set(values)
    .where('project_id', '=', projectId)
    .where('comment_id', '=', commentId)
    .execute()
}
