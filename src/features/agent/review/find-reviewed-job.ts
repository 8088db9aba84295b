import { sql } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import { getJob, type Job } from '../jobs.ts'

/** The job that opened a pull request, on this server or at a host. */
export async function findJobOfPullRequest(
  reader: Reader,
  project: { id: string; kind: 'path' | 'https' },
  number: number,
): Promise<Job | undefined> {
  // A project may have been moved from one to the other, and both count from one.
  const isHere = sql<boolean>`pull_request->>'link' like '/%'`
  const recorded = await reader
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', project.id)
    .where(sql<number>`(pull_request->>'number')::int`, '=', number)
    .where(project.kind === 'path' ? isHere : sql<boolean>`not ${isHere}`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return recorded && getJob(reader, project.id, recorded.id)
}
