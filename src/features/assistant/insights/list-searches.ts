import { sql } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import { confidenceFloor } from '../lookup.ts'

export interface Range {
  /** Included. */
  from: Date
  /** Excluded. */
  to: Date
}

/** `none`: nothing was found. `weak`: something was, but the documentation hardly speaks of it. */
export const searchResults = ['none', 'weak'] as const

/** What was searched for in the same words. */
export interface ListedSearch {
  /** In lower case. */
  query: string
  searches: number
  withoutResult: number
  weak: number
  lastSearchedAt: Date
}

/** What people and agents searched for, the most frequent first. */
export async function listSearches(
  db: Reader,
  projectId: string,
  {
    range,
    result,
    text,
    offset = 0,
    limit,
  }: {
    range: Range
    result?: (typeof searchResults)[number] | undefined
    /** What the queries contain. */
    text?: string | undefined
    offset?: number
    limit: number
  },
): Promise<ListedSearch[]> {
  const isWeak = sql`results > 0 and confidence < ${confidenceFloor}::real`
  const wanted = [
    sql`project_id = ${projectId} and created_at >= ${range.from} and created_at < ${range.to} and query <> ''`,
    ...(result === 'none' ? [sql`results = 0`] : []),
    ...(result === 'weak' ? [isWeak] : []),
    ...(text === undefined ? [] : [sql`strpos(lower(query), lower(${text})) > 0`]),
  ]
  const { rows } = await sql<ListedSearch>`
    select lower(query) as query, count(*)::int as searches,
      (count(*) filter (where results = 0))::int as "withoutResult",
      (count(*) filter (where ${isWeak}))::int as weak, max(created_at) as "lastSearchedAt"
    from searches where ${sql.join(wanted, sql` and `)}
    group by 1 order by searches desc, 1 limit ${limit} offset ${offset}
  `.execute(db)
  return rows
}
