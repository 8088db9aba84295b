import { sql } from 'kysely'
import type { Tx } from '../../store/database.ts'

/** Takes a call of a host once. @returns false when it came before */
export async function takeDelivery(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const row = await tx
    .insertInto('host_deliveries')
    .values({ project_id: projectId, id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Hosts repeat a call within minutes, or by hand. */
export async function deleteOldDeliveries(tx: Tx): Promise<void> {
  await sql`delete from host_deliveries where created_at < now() - interval '1 day'`.execute(tx)
}
