import { sql } from 'kysely'
import type { Reader } from '../../store/database.ts'

/** Each job's revision by its id, which grows with every change that a reader can see. */
export async function readJobRevisions(
  reader: Reader,
  jobIds: readonly string[],
): Promise<Map<string, string>> {
  if (jobIds.length === 0) return new Map()
  const rows = await reader.selectFrom('jobs').select(['id', 'revision']).where('id', 'in', jobIds).execute()
  return new Map(rows.map(({ id, revision }) => [id, String(revision)]))
}

/** A text by the id of each project that changes whenever one of its jobs does. */
export async function readJobsVersions(
  reader: Reader,
  projectIds: readonly string[],
): Promise<Map<string, string>> {
  if (projectIds.length === 0) return new Map()
  // Of two changes, the one that began earlier may become visible later. So the newest ones are compared, and not
  // only the time of the last.
  const { rows } = await sql<{ id: string; version: string | null }>`
    select ids.id, (
      select md5(string_agg(newest.id || newest.revision, ',' order by newest.id))
      from (
        select jobs.id, jobs.revision from jobs
        where jobs.project_id = ids.id order by jobs.updated_at desc limit 50
      ) as newest
    ) as version
    from unnest(${projectIds}::text[]) as ids(id)
  `.execute(reader)
  return new Map(rows.map(({ id, version }) => [id, version ?? '']))
}

export async function hasJob(reader: Reader, projectId: string, jobId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', jobId)
    .executeTakeFirst()
  return row !== undefined
}
