import { sql, type SqlBool } from 'kysely'
import type { Reader } from '../../store/database.ts'
import type { JobState } from './job-state.ts'
import { only } from '../../store/in-index-order.ts'
import { selectJobs } from './jobs.ts'

/** A job as a search shows it. */
export interface FoundJob {
  id: string
  projectId: string
  title: string
  state: JobState
}

/** How many jobs are searched for words, of all projects together; at least some of each. */
const mostSearched = { together: 5000, each: 100 }

/** The latest jobs of some projects whose title holds every one of the words. Only the newest of each are searched. */
export async function findJobs(
  db: Reader,
  projectIds: readonly string[],
  words: readonly string[],
  limit: number,
): Promise<FoundJob[]> {
  if (projectIds.length === 0) return []
  const { together, each } = mostSearched
  const within = words.length === 0 ? limit : Math.max(each, Math.ceil(together / projectIds.length))
  const wanted = words.map((word) => sql<SqlBool>`title ilike ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`)
  const { rows: found } = await sql<{ id: string }>`
    select newest.id from unnest(${projectIds}::text[]) as project(id) cross join lateral (
      select jobs.id, title from jobs where ${only('jobs.project_id', sql.ref('project.id'))}
      order by jobs.project_id desc, jobs.id desc limit ${within}
    ) newest
    where ${wanted.length === 0 ? sql`true` : sql.join(wanted, sql` and `)} order by newest.id desc limit ${limit}
  `.execute(db)
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await selectJobs(db, sql`jobs.id in (${sql.join(ids)})`)
    .orderBy('jobs.id', 'desc')
    .execute()
  return rows.map(({ id, project_id: projectId, title, state }) => ({
    id,
    projectId,
    title: title ?? id,
    state,
  }))
}

/** How many jobs of some projects are at work, and how many of their pull requests are open. */
export async function countJobs(
  db: Reader,
  projectIds: readonly string[],
): Promise<Map<string, { active: number; pulls: number }>> {
  const { rows } = await sql<{ project: string; active: number; pulls: number }>`
    select project_id as project, count(*) filter (where status = 'active')::int8 as active,
      count(*) filter (where pull_request->>'state' = 'open')::int8 as pulls
    from jobs where project_id = any (${projectIds}::text[]) and (status = 'active' or pull_request->>'state' = 'open')
    group by project_id
  `.execute(db)
  return new Map(rows.map(({ project, active, pulls }) => [project, { active, pulls }]))
}

/** How many of a project's newest jobs are looked at for a question: who has not answered for longer does not mean to. */
const mostAsking = 200

/** How many of the newest jobs of a project ended with a question of the agent that nobody has answered. */
export async function countQuestions(db: Reader, projectId: string): Promise<number> {
  const { rows } = await sql<{ questions: number }>`
    select count(*)::int8 as questions from (
      select id from jobs where ${only('jobs.project_id', projectId)} and status = 'completed'
      order by project_id desc, id desc limit ${mostAsking}
    ) newest cross join lateral (
      select outcome from turns where job_id = newest.id order by n desc limit 1
    ) last where outcome = 'needs_input'
  `.execute(db)
  return rows[0]?.questions ?? 0
}

/** The newest job about each answer of a conversation, by the number of its question. */
export async function findJobsAbout(
  db: Reader,
  projectId: string,
  threadId: string,
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'about_question'])
    .where('project_id', '=', projectId)
    .where('about_thread', '=', threadId)
    .orderBy('id')
    .execute()
  return new Map(rows.flatMap(({ id, about_question: n }) => (n === null ? [] : [[n, id] as const])))
}
