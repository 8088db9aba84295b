import type { Reader, Tx } from '../../store/database.ts'
import type { Change, DirtyEntry } from './workspace.ts'

/** The files that a turn has changed so far, against the commit that it started from. */
export async function readOverlay(reader: Reader, turnId: string): Promise<Change[]> {
  const rows = await reader
    .selectFrom('overlay_files')
    .select(['path', 'content'])
    .where('turn_id', '=', turnId)
    .orderBy('path')
    .execute()
  return rows.map(({ path, content }) => ({ path, content: content ?? undefined }))
}

export async function writeOverlay(tx: Tx, turnId: string, entries: readonly DirtyEntry[]): Promise<void> {
  for (const entry of entries) {
    if (entry.state === 'restored') {
      await tx
        .deleteFrom('overlay_files')
        .where('turn_id', '=', turnId)
        .where('path', '=', entry.path)
        .execute()
      continue
    }
    const content = entry.state === 'written' ? Buffer.from(entry.content) : null
    await tx
      .insertInto('overlay_files')
      .values({ turn_id: turnId, path: entry.path, content })
      .onConflict((conflict) => conflict.columns(['turn_id', 'path']).doUpdateSet({ content }))
      .execute()
  }
}
