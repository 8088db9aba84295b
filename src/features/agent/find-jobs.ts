import { sql } from 'kysely'
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

/** How many jobs of each project are at work, and how many of their pull requests are open. */
export async function countJobs(db: Reader): Promise<Map<string, { active: number; pulls: number }>> {
  const { rows } = await sql<{ project: string; active: number; pulls: number }>`
    select project_id as project, count(*) filter (where status = 'active')::int8 as active,
      count(*) filter (where pull_request->>'state' = 'open')::int8 as pulls
    from jobs where status = 'active' or pull_request->>'state' = 'open' group by project_id
  `.execute(db)
  return new Map(rows.map(({ project, active, pulls }) => [project, { active, pulls }]))
}
