import { sql } from 'kysely'
import { randomText } from '../../lib/ids.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { Outcome } from './outcome.ts'

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

/** A conversation in a list. */
export interface ListedThread {
  id: string
  createdAt: Date
  updatedAt: Date
  questions: number
  /** The newest question. */
  lastQuestion: string
  /** How its answer ended; null while there is none. */
  outcome: Outcome['outcome'] | null
}

/** The conversations of a project, the one with the newest question first. */
export async function listThreads(
  reader: Reader,
  projectId: string,
  { limit }: { limit: number },
): Promise<ListedThread[]> {
  const rows = await reader
    .selectFrom('threads')
    .select(['id', 'created_at', 'updated_at'])
    .select(({ selectFrom }) => {
      const messages = selectFrom('messages')
        .whereRef('messages.project_id', '=', 'threads.project_id')
        .whereRef('messages.thread_id', '=', 'threads.id')
      const questions = messages.where('messages.role', '=', 'user')
      return [
        questions.select(sql<number>`count(*)::int`.as('count')).as('questions'),
        questions.select('text').orderBy('n', 'desc').limit(1).as('last_question'),
        messages.select('outcome').orderBy('n', 'desc').limit(1).as('outcome'),
      ]
    })
    .where('project_id', '=', projectId)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    questions: row.questions ?? 0,
    lastQuestion: row.last_question ?? '',
    outcome: row.outcome,
  }))
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
