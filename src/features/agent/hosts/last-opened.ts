import type { Reader } from '../../../store/database.ts'

/** When the newest pull request that is watched was opened. */
export async function lastOpened(reader: Reader, projectId: string): Promise<Date | undefined> {
  const row = await reader
    .selectFrom('host_requests')
    .innerJoin('events', 'events.job_id', 'host_requests.job_id')
    .select('events.created_at')
    .where('host_requests.project_id', '=', projectId)
    .where('host_requests.due_at', 'is not', null)
    .where('events.type', '=', 'pull_request.opened')
    .orderBy('events.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}
