import type { Reader } from '../../store/database.ts'

/** A job as a search shows it. */
export interface FoundJob {
  id: string
  projectId: string
  title: string
  status: string
}

/** The latest jobs of some projects whose title holds every one of the words. */
export async function findJobs(
  db: Reader,
  projectIds: readonly string[],
  words: readonly string[],
  limit: number,
): Promise<FoundJob[]> {
  if (projectIds.length === 0) return []
  let query = db
    .selectFrom('jobs')
    .select(['id', 'project_id', 'title', 'status'])
    .where('project_id', 'in', projectIds)
    .orderBy('id', 'desc')
    .limit(limit)
  for (const word of words) query = query.where('title', 'ilike', `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const rows = await query.execute()
  return rows.map(({ id, project_id: projectId, title, status }) => ({
    id,
    projectId,
    title: title ?? id,
    status,
  }))
}
