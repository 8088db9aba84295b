import { sql } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import { getJob, type Job } from '../jobs.ts'

/** The job that opened a pull request, on this server or at a host. */
export async function findJobOfPullRequest(
  reader: Reader,
  projectId: string,
  number: number,
): Promise<Job | undefined> {
  const recorded = await reader
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where(sql<number>`(pull_request->>'number')::int`, '=', number)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return recorded && getJob(reader, projectId, recorded.id)
}
