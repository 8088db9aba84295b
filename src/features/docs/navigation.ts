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

/** @param packed as `packNavigation` packs it */
export async function writeNavigation(tx: Tx, projectId: string, packed: string): Promise<void> {
  await sql`
    insert into navigations (project_id, entries) values (${projectId}, ${packed}::jsonb)
    on conflict (project_id) do update set entries = excluded.entries
    where navigations.entries is distinct from excluded.entries
  `.execute(tx)
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
