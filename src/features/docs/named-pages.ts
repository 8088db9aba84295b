import { sql } from 'kysely'
import type { Reader } from '../../store/database.ts'

const longest = 10_000

/** Paths of the pages that a text names by path, address or title, at most `limit`. A title of one short word is not a name. */
export async function namedPages(
  reader: Reader,
  projectId: string,
  text: string,
  limit: number,
): Promise<string[]> {
  const told = text.slice(0, longest).toWellFormed().replaceAll('\0', ' ').toLowerCase()
  const { rows } = await sql<{ path: string }>`
    select path from pages
    where project_id = ${projectId} and (
      position(lower(path) in ${told}) > 0
      or (length(url) > 3 and position(lower(url) in ${told}) > 0)
      or (length(title) > 5 and position(lower(title) in ${told}) > 0)
    )
    order by length(path) desc, path
    limit ${limit}
  `.execute(reader)
  return rows.map(({ path }) => path)
}
