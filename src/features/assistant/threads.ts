import { sql } from 'kysely'
import { randomText } from '../../lib/ids.ts'
import type { Tx } from '../../store/database.ts'

export interface Thread {
  projectId: string
  id: string
  /** Whether this server made the id, so that a client that knows it may see the thread. */
  minted: boolean
}

export function newThread(projectId: string): Thread {
  return { projectId, id: `thr_${randomText(20)}`, minted: true }
}

export function rowOfThread({ projectId, id, minted }: Thread) {
  return { project_id: projectId, id, minted }
}

/** The thread of an id, made where there is none. Its row is locked until the transaction ends. */
export async function takeThread(tx: Tx, projectId: string, id: string): Promise<Thread> {
  const row = await tx
    .insertInto('threads')
    .values(rowOfThread({ projectId, id, minted: false }))
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({ updated_at: sql<Date>`now()` }),
    )
    .returning('minted')
    .executeTakeFirstOrThrow()
  return { projectId, id, minted: row.minted }
}

/** @returns whether there was one */
export async function deleteThread(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('threads')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/**
 * Deletes a person's questions and their answers, in shared threads too.
 * @returns how many messages were deleted
 */
export async function deleteMessagesOf(tx: Tx, projectId: string, fp: string): Promise<number> {
  const result = await tx
    .deleteFrom('messages')
    .where('project_id', '=', projectId)
    .where('fp', '=', fp)
    .executeTakeFirst()
  await tx
    .deleteFrom('threads')
    .where('project_id', '=', projectId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages')
            .select(sql.lit(1).as('one'))
            .whereRef('messages.project_id', '=', 'threads.project_id')
            .whereRef('messages.thread_id', '=', 'threads.id'),
        ),
      ),
    )
    .execute()
  return Number(result.numDeletedRows)
}

/**
 * Deletes the threads of every project without a question since `time`.
 * @returns how many were deleted
 */
export async function deleteThreadsBefore(tx: Tx, time: Date): Promise<number> {
  const result = await tx.deleteFrom('threads').where('updated_at', '<', time).executeTakeFirst()
  return Number(result.numDeletedRows)
}
