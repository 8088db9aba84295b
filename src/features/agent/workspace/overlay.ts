import type { Reader, Tx } from '../../../store/database.ts'
import type { Change } from './base-tree.ts'
import type { DirtyEntry } from './workspace.ts'

/** The files that a turn has changed so far, compared with the commit that it started from. */
export async function readOverlay(reader: Reader, turnId: string): Promise<Change[]> {
  const rows = await reader
    .selectFrom('overlay_files')
    .select(['path', 'content'])
    .where('turn_id', '=', turnId)
    .orderBy('path')
    .execute()
  return rows.map(({ path, content }) => ({ path, content: content ?? undefined }))
}

/** Files per statement: a job may change a thousand, and a statement for each would delay everybody else. */
const batch = 50

export async function writeOverlay(tx: Tx, turnId: string, entries: readonly DirtyEntry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += batch) {
    const some = entries.slice(at, at + batch)
    const restored = some.filter(({ state }) => state === 'restored').map(({ path }) => path)
    if (restored.length > 0)
      await tx
        .deleteFrom('overlay_files')
        .where('turn_id', '=', turnId)
        .where('path', 'in', restored)
        .execute()
    const changed = some
      .filter((entry) => entry.state !== 'restored')
      .map((entry) => ({
        turn_id: turnId,
        path: entry.path,
        content: entry.state === 'written' ? Buffer.from(entry.content) : null,
      }))
    if (changed.length === 0) continue
    await tx
      .insertInto('overlay_files')
      .values(changed)
      .onConflict((conflict) =>
        conflict
          .columns(['turn_id', 'path'])
          .doUpdateSet((set) => ({ content: set.ref('excluded.content') })),
      )
      .execute()
  }
}

/** Drops the changes of all files but these. */
export async function forgetFiles(tx: Tx, turnId: string, except: readonly string[]): Promise<void> {
  const query = tx.deleteFrom('overlay_files').where('turn_id', '=', turnId)
  await (except.length === 0 ? query : query.where('path', 'not in', except)).execute()
}
