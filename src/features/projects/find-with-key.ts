import type { Selectable } from 'kysely'
import type { Reader } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { isLive } from './keys.ts'
import type { Key } from './keys.ts'
import { projectOf } from './projects.ts'
import type { Project } from './projects.ts'

/** What is asked of a key with each request. */
export type UsedKey = Pick<
  Key,
  'id' | 'kind' | 'organizationId' | 'projectId' | 'origins' | 'scopes' | 'addresses' | 'lastUsedAt'
>

/**
 * A key that works now, and the project of that id or domain, whoever's it is: in one statement, because every request
 * begins with this. Read anew each time, so that revoking a key acts at once on every process.
 */
export async function findWithKey(
  db: Reader,
  token: string,
  by: 'id' | 'domain',
  name: string,
): Promise<{ key: UsedKey; project: Project | undefined } | undefined> {
  const row = await db
    .selectFrom('keys')
    .leftJoin('projects', (join) => join.on(`projects.${by}`, '=', name))
    .selectAll('projects')
    .select([
      'keys.id as key_id',
      'keys.kind as key_kind',
      'keys.organization_id as key_organization_id',
      'keys.project_id',
      'keys.origins',
      'keys.scopes',
      'keys.addresses',
      'keys.last_used_at',
    ])
    .where(isLive(token))
    .executeTakeFirst()
  if (!row) return undefined
  const key = {
    id: row.key_id,
    kind: row.key_kind,
    organizationId: row.key_organization_id,
    projectId: row.project_id ?? undefined,
    origins: row.origins,
    scopes: row.scopes,
    addresses: row.addresses,
    lastUsedAt: row.last_used_at ?? undefined,
  }
  return { key, project: hasProject(row) ? projectOf(row) : undefined }
}

function hasProject<Row extends { id: string | null }>(
  row: Row,
): row is Row & Selectable<Tables['projects']> {
  return row.id !== null
}
