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

/** A text by the id of each organization that changes when a project of it is added, removed or changed. */
export async function readOrganizationVersions(
  reader: Reader,
  organizationIds: readonly string[],
): Promise<Map<string, string>> {
  if (organizationIds.length === 0) return new Map()
  const rows = await reader
    .selectFrom('projects')
    .select([
      'organization_id as id',
      sql<string>`md5(string_agg(projects.xmin::text, ',' order by projects.id))`.as('version'),
    ])
    .where('organization_id', 'in', organizationIds)
    .groupBy('organization_id')
    .execute()
  return new Map(rows.map(({ id, version }) => [id, version]))
}
