import { sql } from 'kysely'
import type { Reader, Tx } from '../../store/database.ts'
import { projectOf } from './projects.ts'

/**
 * Takes the projects that are due to be synced, so that no other process takes them too.
 * @param seconds between two syncs of a project
 */
export async function takeDueSyncs(tx: Tx, seconds: number): Promise<string[]> {
  // Projects keep their time, however late one looks; after a pause each comes once.
  const { rows } = await sql<{ id: string }>`
    update projects set sync_due_at = greatest(sync_due_at + make_interval(secs => ${seconds}),
      now() + make_interval(secs => ${seconds / 2}))
    where id in (
      select id from projects where sync_due_at <= now() order by sync_due_at for update skip locked
    )
    returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** The projects whose sections models are to read now. */
export async function dueEnrichments(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .where(sql<boolean>`settings ? 'enrichment'`)
    .where('sync_state', '<>', 'syncing')
    .orderBy('created_at')
    .execute()
  return rows.filter((row) => projectOf(row).enrichment?.isDue === true).map(({ id }) => id)
}
