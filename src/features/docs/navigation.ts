import { sql } from 'kysely'
import { json, type Reader, type Tx } from '../../store/database.ts'

/** A page in the order of the site's navigation. */
export interface NavigationEntry {
  /** Path of the file. */
  path: string
  /** The groups that it stands in, outermost first. Empty for a page that the navigation does not name. */
  groups: readonly string[]
}

export async function writeNavigation(
  tx: Tx,
  projectId: string,
  entries: readonly NavigationEntry[],
): Promise<void> {
  const rows = json(entries.map(({ path, groups }) => [path, ...groups]))
  await sql`
    insert into navigations (project_id, entries) values (${projectId}, ${rows})
    on conflict (project_id) do update set entries = excluded.entries
    where navigations.entries is distinct from excluded.entries
  `.execute(tx)
}

/** Empty for a project that was not read since navigations are stored. */
export async function readNavigation(db: Reader, projectId: string): Promise<NavigationEntry[]> {
  const row = await db
    .selectFrom('navigations')
    .select('entries')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return (row?.entries ?? []).map(([path, ...groups]) => ({
    path,
    groups: groups.filter((group) => group !== null),
  }))
}
