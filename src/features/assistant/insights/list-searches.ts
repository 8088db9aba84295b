import { sql } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import { confidenceFloor } from '../search/lookup.ts'
import type { searchResults } from './insight-words.ts'

export interface Range {
  /** Included. */
  from: Date
  /** Excluded. */
  to: Date
}

/** What was searched for in the same words. */
export interface ListedSearch {
  /** In lower case. */
  query: string
  searches: number
  withoutResult: number
  weak: number
  lastSearchedAt: Date
}

/** How many searches are counted. */
const mostCounted = 100_000

export interface SearchPage {
  searches: ListedSearch[]
  /** How many of the newest searches were counted, where the range may have older ones. */
  counted: number | undefined
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
    within = mostCounted,
  }: {
    range: Range
    result?: (typeof searchResults)[number] | undefined
    /** What the queries contain. */
    text?: string | undefined
    offset?: number
    limit: number
    /** How many searches are counted. */
    within?: number
  },
): Promise<SearchPage> {
  const isWeak = sql`results > 0 and confidence < ${confidenceFloor}::real`
  const wanted = [
    ...(result === 'none' ? [sql`results = 0`] : []),
    ...(result === 'weak' ? [isWeak] : []),
    ...(text === undefined ? [] : [sql`strpos(lower(query), lower(${text})) > 0`]),
  ]
  const { rows } = await sql<{ searches: ListedSearch[]; counted: number }>`
    with newest as materialized (
      select query, results, confidence, created_at from searches
      where project_id = ${projectId} and created_at >= ${range.from} and created_at < ${range.to} and query <> ''
      order by created_at desc limit ${within}
    ), counted as (
      select lower(query) as query, count(*)::int as searches,
        (count(*) filter (where results = 0))::int as "withoutResult",
        (count(*) filter (where ${isWeak}))::int as weak, max(created_at) as "lastSearchedAt"
      from newest ${wanted.length === 0 ? sql`` : sql`where ${sql.join(wanted, sql` and `)}`}
      group by 1 order by searches desc, 1 limit ${limit} offset ${offset}
    )
    select (select count(*)::int from newest) as counted,
      coalesce((select jsonb_agg(counted order by searches desc, query) from counted), '[]') as searches
  `.execute(db)
  const [read = { searches: [], counted: 0 }] = rows
  return {
    // Times inside of JSON are texts.
    searches: read.searches.map((one) => ({ ...one, lastSearchedAt: new Date(one.lastSearchedAt) })),
    counted: read.counted < within ? undefined : within,
  }
}
