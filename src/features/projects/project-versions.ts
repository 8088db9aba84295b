import { sql } from 'kysely'
import type { Reader } from '../../store/database.ts'

/** A text by the id of each project that changes with its row: its settings, and how far its pages are read. */
export async function readProjectVersions(
  reader: Reader,
  projectIds: readonly string[],
): Promise<Map<string, string>> {
  if (projectIds.length === 0) return new Map()
  const rows = await reader
    .selectFrom('projects')
    // The transaction that wrote the row last.
    .select(['id', sql<string>`projects.xmin::text`.as('version')])
    .where('id', 'in', projectIds)
    .execute()
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** A text that changes when a project is added, removed or changed. */
export async function readAllProjectsVersion(reader: Reader): Promise<string> {
  const row = await reader
    .selectFrom('projects')
    .select(sql<string | null>`md5(string_agg(projects.xmin::text, ',' order by id))`.as('version'))
    .executeTakeFirst()
  return row?.version ?? ''
}
