import { sql } from 'kysely'
import type { Reader, Tx } from '../../../store/database.ts'

/**
 * Records a webhook delivery of a host.
 * @returns false when it was recorded before
 */
export async function recordDelivery(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const row = await tx
    .insertInto('host_deliveries')
    .values({ project_id: projectId, id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** When a host last sent a webhook for a project. */
export async function lastDelivery(reader: Reader, projectId: string): Promise<Date | undefined> {
  const row = await reader
    .selectFrom('host_deliveries')
    .select('created_at')
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/**
 * Hosts repeat a delivery within minutes, or when somebody asks for it. The last one of a project is kept, because
 * it shows that the webhook works.
 */
export async function deleteOldDeliveries(tx: Tx): Promise<void> {
  await sql`
    delete from host_deliveries old
    where created_at < now() - interval '1 day' and exists (
      select 1 from host_deliveries newer
      where newer.project_id = old.project_id and (newer.created_at, newer.id) > (old.created_at, old.id)
    )
  `.execute(tx)
}
