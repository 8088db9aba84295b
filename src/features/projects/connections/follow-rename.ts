import { sql } from 'kysely'
import { gitUrl } from '../../../integrations/forges/hosts.ts'
import type { Store } from '../../../store/database.ts'
import type { Connection } from './connections.ts'

/**
 * Follows a repository that was renamed or transferred at its host: the project, its history and its webhook stay, and
 * only its address changes. Can be repeated.
 * @param path as the host calls the repository now
 * @returns whether that is another name than the project had
 */
export async function followRename(
  store: Store,
  { projectId, repository }: Pick<Connection, 'projectId' | 'repository'>,
  path: string,
): Promise<boolean> {
  const { site, path: former } = repository
  if (path.toLowerCase() === former.toLowerCase()) return false
  await store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('project_hosts')
      .set({ path, revision: sql<number>`revision + 1` })
      .where('project_id', '=', projectId)
      .where('site', '=', site)
      .where('path', '=', former)
      .executeTakeFirst()
    // Another process was faster, or people have connected it to another repository.
    if (numUpdatedRows === 0n) return
    await tx
      .updateTable('projects')
      .set({ location: gitUrl(site, path) })
      .where('id', '=', projectId)
      .execute()
  })
  return true
}
