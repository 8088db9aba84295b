import type { StillTrue } from '../../site/impact/still-true.ts'
import type { Reader, Store } from '../../store/database.ts'

/** What people said of pages of a project, the newest first: older ones than these many are forgotten. */
export async function listStillTrue(
  db: Reader,
  projectId: string,
  paths: readonly string[],
): Promise<StillTrue[]> {
  return db
    .selectFrom('impact_still_true')
    .select(['commit', 'path'])
    .where('project_id', '=', projectId)
    .where('path', 'in', paths)
    .orderBy('created_at', 'desc')
    .limit(mostRows)
    .execute()
}

const mostRows = 5000

/** Written twice it is the same. */
export async function addStillTrue(
  store: Store,
  row: { projectId: string; commit: string; path: string },
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx
      .insertInto('impact_still_true')
      .values({ project_id: row.projectId, commit: row.commit, path: row.path })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}
