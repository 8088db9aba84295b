import { sql } from 'kysely'
import { randomText } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/database.ts'

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

/** Rows that one transaction deletes at most, so that none lasts long. */
export const batch = 1000

/**
 * Deletes questions of a person and their answers, in shared threads too, and threads that become empty by that.
 * @returns how many messages were deleted; there may be more unless it is 0
 */
export async function deleteMessagesOf(tx: Tx, projectId: string, fp: string): Promise<number> {
  const { rows } = await sql<{ id: string; deleted: number }>`
    with deleted as (
      delete from messages where (project_id, thread_id, n) in (
        select project_id, thread_id, n from messages
        where project_id = ${projectId} and fp = ${fp} order by thread_id, n limit ${batch}
      ) returning thread_id
    ) select thread_id as id, count(*)::int as deleted from deleted group by thread_id order by thread_id
  `.execute(tx)
  if (rows.length > 0)
    await tx
      .deleteFrom('threads')
      .where('project_id', '=', projectId)
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
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
  return rows.reduce((sum, { deleted }) => sum + deleted, 0)
}

/**
 * Deletes threads of a project without a question since `time`.
 * @returns how many were deleted; there may be more unless it is 0
 */
export async function deleteThreadsBefore(tx: Tx, projectId: string, time: Date): Promise<number> {
  const result = await sql`
    delete from threads where (project_id, id) in (
      select project_id, id from threads where project_id = ${projectId} and updated_at < ${time} limit ${batch}
    )
  `.execute(tx)
  return Number(result.numAffectedRows)
}
