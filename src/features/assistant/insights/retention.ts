import { sql, type RawBuilder } from 'kysely'
import type { Store, Tx } from '../../../store/database.ts'
import { forgetDeleted } from '../gaps/forget-deleted.ts'
import { batch, deleteMessagesOf, deleteThread, deleteThreadsBefore } from '../threads/threads.ts'

type Writer = Pick<Store, 'transaction'>

/**
 * Deletes what readers have written, and what was answered, when its time is over: conversations without a question for
 * that long with their feedback, and searches. Where the time is 0 days, texts that are still there are removed, and
 * the rest stays for `defaultDays`.
 */
export async function deleteExpired(
  store: Writer,
  projects: readonly { id: string; settings: { retentionDays?: number | undefined } }[],
  defaultDays: number,
  now: Date = new Date(),
): Promise<void> {
  for (const { id, settings } of projects) {
    const keepsNoText = settings.retentionDays === 0
    const days = keepsNoText ? defaultDays : (settings.retentionDays ?? defaultDays)
    const time = new Date(now.getTime() - days * 86_400_000)
    await inBatches(store, (tx) => deleteThreadsBefore(tx, id, time))
    const isOld = sql`project_id = ${id} and created_at < ${time}`
    await inBatches(store, (tx) => deleteSearches(tx, isOld))
    await inBatches(store, (tx) =>
      affected(
        sql`delete from agent_feedback where id in (select id from agent_feedback where ${isOld} limit ${batch})`,
        tx,
      ),
    )
    if (keepsNoText) await removeTexts(store, id)
    await store.transaction((tx) => forgetDeleted(tx, id))
  }
}

/**
 * Deletes everything of one person: questions with their answers, feedback and searches.
 * @returns how many of them there were
 */
export async function deletePerson(store: Writer, projectId: string, fp: string): Promise<number> {
  const messages = await inBatches(store, (tx) => deleteMessagesOf(tx, projectId, fp))
  const own = sql`project_id = ${projectId} and fp = ${fp}`
  const feedback = await inBatches(store, (tx) =>
    affected(
      sql`delete from feedback where (project_id, thread_id, n, fp) in
        (select project_id, thread_id, n, fp from feedback where ${own} limit ${batch})`,
      tx,
    ),
  )
  const searches = await inBatches(store, (tx) => deleteSearches(tx, own))
  await store.transaction((tx) => forgetDeleted(tx, projectId))
  return messages + feedback + searches
}

/** Deletes a thread with its feedback. @returns how many there were */
export async function deleteConversation(
  { transaction }: Writer,
  projectId: string,
  id: string,
): Promise<number> {
  return transaction(async (tx) => {
    const isDeleted = await deleteThread(tx, projectId, id)
    await forgetDeleted(tx, projectId)
    return Number(isDeleted)
  })
}

function deleteSearches(tx: Tx, wanted: RawBuilder<unknown>): Promise<number> {
  return affected(
    sql`delete from searches where id in (select id from searches where ${wanted} limit ${batch})`,
    tx,
  )
}

// For what was recorded before the project's retention was set to 0.
async function removeTexts(store: Writer, projectId: string): Promise<void> {
  await inBatches(store, (tx) =>
    affected(
      sql`delete from gap_questions where id in
        (select id from gap_questions where project_id = ${projectId} limit ${batch})`,
      tx,
    ),
  )
  await inBatches(store, (tx) =>
    affected(
      sql`
        update messages set text = '', context = '[]', missing = '[]', sources = (select coalesce(jsonb_agg(s - 'words'), '[]') from
          jsonb_array_elements(sources) s)
        where (project_id, thread_id, n) in
          (select project_id, thread_id, n from messages where project_id = ${projectId} and text <> '' limit ${batch})
      `,
      tx,
    ),
  )
  await inBatches(store, (tx) =>
    affected(
      sql`update searches set query = '' where id in
        (select id from searches where project_id = ${projectId} and query <> '' limit ${batch})`,
      tx,
    ),
  )
  await inBatches(store, (tx) =>
    affected(
      sql`update agent_feedback set note = null, query = left(query, 0) where id in
        (select id from agent_feedback where project_id = ${projectId} and (note <> '' or query <> '')
          limit ${batch})`,
      tx,
    ),
  )
  await inBatches(store, (tx) =>
    affected(
      sql`update feedback set note = null where (project_id, thread_id, n, fp) in
        (select project_id, thread_id, n, fp from feedback where project_id = ${projectId} and note is not null
          limit ${batch})`,
      tx,
    ),
  )
}

// Each batch is a transaction of its own: others never wait long for its rows.
async function inBatches(store: Writer, work: (tx: Tx) => Promise<number>): Promise<number> {
  let all = 0
  for (;;) {
    const done = await store.transaction(work)
    if (done === 0) return all
    all += done
  }
}

async function affected(statement: RawBuilder<unknown>, tx: Tx): Promise<number> {
  return Number((await statement.execute(tx)).numAffectedRows)
}
