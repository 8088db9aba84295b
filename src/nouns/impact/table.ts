import type { Reader, Store } from '../../store/database.ts'

/** A project's pages that are still true, as `commit path`. */
export async function listStillTrue(
  db: Reader,
  projectId: string,
  commits: readonly string[],
): Promise<Set<string>> {
  if (commits.length === 0) return new Set()
  const rows = await db
    .selectFrom('impact_still_true')
    .select(['commit', 'path'])
    .where('project_id', '=', projectId)
    .where('commit', 'in', commits)
    .execute()
  return new Set(rows.map(({ commit, path }) => `${commit} ${path}`))
}

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
