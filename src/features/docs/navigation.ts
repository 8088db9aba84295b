import { sql } from 'kysely'
import type { Reader, Tx } from '../../store/database.ts'

/** A page in the order of the site's navigation. */
export interface NavigationEntry {
  /** Path of the file. */
  path: string
  /** The groups that it stands in, outermost first; undefined for a page that the navigation does not place. */
  groups?: readonly string[] | undefined
  /** Its title in the navigation, where it is another than its own. */
  label?: string | undefined
  /** Whether the site's navigation leaves it out. */
  isOutside?: boolean
}

/** A navigation as it is stored, in one text: that of a large site has an entry for each of its pages. */
export function packNavigation(entries: readonly NavigationEntry[]): string {
  return JSON.stringify(
    entries.map(({ path, groups, label, isOutside }) => ({
      path,
      ...(groups !== undefined && { groups }),
      ...(label !== undefined && { label }),
      ...(isOutside === true && { isOutside }),
    })),
  )
}

/**
 * @param packed as `packNavigation` packs it
 * @returns whether it is another than before
 */
export async function writeNavigation(tx: Tx, projectId: string, packed: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into navigations (project_id, entries) values (${projectId}, ${packed}::jsonb)
    on conflict (project_id) do update set entries = excluded.entries
    where navigations.entries is distinct from excluded.entries
  `.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Pages at the beginning of the navigation, of each language and version. */
const mostFirst = 30

/** Paths of the first pages of the navigation, in its order; empty where the site's files place none. */
export async function readFirstPages(db: Reader, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select path from (
      select pages.path, place, row_number() over (partition by pages.language, pages.version order by place) as rank from navigations
      join projects on projects.id = navigations.project_id and projects.framework <> 'markdown'
      cross join lateral jsonb_array_elements(entries) with ordinality as entry(value, place)
      join pages on pages.project_id = navigations.project_id and pages.path = entry.value->>'path'
      where navigations.project_id = ${projectId} and not hidden and not coalesce((entry.value->>'isOutside')::boolean, false)
    ) as placed where rank <= ${mostFirst} order by place
  `.execute(db)
  return rows.map(({ path }) => path)
}

/** Empty for a project that was not read since navigations are stored as they are now. */
export async function readNavigation(db: Reader, projectId: string): Promise<NavigationEntry[]> {
  const row = await db
    .selectFrom('navigations')
    .select('entries')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row?.entries ?? []
}
