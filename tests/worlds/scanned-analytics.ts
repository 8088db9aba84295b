import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../src/store/database.ts'
import { listSearches, type Range } from '../../src/features/assistant/insights/list-searches.ts'

/** Rows of a query, as they come. */
type Rows = Record<string, unknown>[]

/** What insights are made of, counted from the messages themselves. */
export interface Scanned {
  messages: Rows
  conversations: Rows
  models: Rows
  askedOn: Rows
  pages: Rows
  sections: Rows
  feedback: Rows
  searches: Rows
  queries: Rows
  queriesWithoutResult: Rows
}

export async function scanAnalytics(
  db: Reader,
  projectId: string,
  { range, limit }: { range: Range; limit: number },
): Promise<Scanned> {
  const during = sql`project_id = ${projectId} and created_at >= ${range.from} and created_at < ${range.to}`
  const day = sql`(created_at at time zone 'UTC')::date::text`
  const rows = async (query: RawBuilder<unknown>): Promise<Rows> =>
    (await sql<Record<string, unknown>>`select * from (${query}) counted`.execute(db)).rows
  const cited = sql`
    select s->>'path' as path, s->>'url' as url, max(s->>'title') as title, max(s->>'heading') as heading,
      count(*)::int as citations
    from messages, jsonb_array_elements(sources) s where ${during} and role = 'assistant'
      and outcome not in ('unanswered', 'uncited')
    group by 1, 2`
  const searched = async (result?: 'none') =>
    (await listSearches(db, projectId, { range, result, limit })).searches
  return {
    messages: await rows(sql`
      select outcome, cause, caller, role, count(*)::int as count from messages where ${during} group by 1, 2, 3, 4`),
    conversations: await rows(sql`
      select ${day} as start, count(distinct thread_id)::int as count from messages where ${during} group by 1
      union all select null, count(distinct thread_id)::int from messages where ${during} order by 1`),
    models: await rows(sql`
      select model, count(*)::int as answers,
        round(percentile_cont(0.5) within group (order by milliseconds))::int as p50,
        round(percentile_cont(0.95) within group (order by milliseconds))::int as p95
      from messages where ${during} and milliseconds is not null
      group by grouping sets ((model), ()) order by grouping(model) desc, answers desc, model`),
    askedOn: await rows(sql`
      select page, count(*)::int as questions from messages where ${during} and role = 'user' and page is not null
      group by page order by questions desc, page limit ${limit}`),
    pages: await rows(sql`
      select path, min(split_part(url, '#', 1)) as url, min(split_part(title, ' › ', 1)) as title,
        sum(citations)::int as citations
      from (${cited}) cited group by path order by citations desc, path limit ${limit}`),
    sections: await rows(sql`
      select path, url, title, heading, citations from (${cited}) cited
      order by citations desc, path, url limit ${limit}`),
    feedback: await rows(sql`
      select rating, reason, count(*)::int as count from feedback where ${during} group by 1, 2`),
    searches: await rows(sql`
      select caller, count(*)::int as count, (count(*) filter (where results = 0))::int as without
      from searches where ${during} group by 1`),
    queries: (await searched()).map(({ query, searches, withoutResult }) => ({
      query,
      searches,
      withoutResult,
    })),
    queriesWithoutResult: (await searched('none')).map(({ query, searches }) => ({ query, searches })),
  }
}
