import { sql } from 'kysely'
import { json, type Reader, type Tx } from '../../store/database.ts'

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

export async function writeNavigation(
  tx: Tx,
  projectId: string,
  entries: readonly NavigationEntry[],
): Promise<void> {
  const rows = json(
    entries.map(({ path, groups, label, isOutside }) => ({
      path,
      ...(groups !== undefined && { groups: [...groups] }),
      ...(label !== undefined && { label }),
      ...(isOutside === true && { isOutside }),
    })),
  )
  await sql`
    insert into navigations (project_id, entries) values (${projectId}, ${rows})
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
