import { sql } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import type { Page } from '../../../store/in-index-order.ts'
import { microseconds, timeAt, type Position } from './conversations.ts'
import type { Range } from './list-searches.ts'

/** What a reader thinks of an answer. */
export interface ListedFeedback {
  id: string
  rating: 'up' | 'down'
  note: string | null
  /** The page that the reader was on, as the client said. */
  page: string | null
  createdAt: Date
}

/** The newest first. */
export async function listFeedback(
  db: Reader,
  projectId: string,
  { range, after, limit }: { range: Range; after: Position | undefined; limit: number },
): Promise<Page<ListedFeedback, Position>> {
  const isAfter = after
    ? sql`and (f.created_at, f.thread_id, f.n) < (${timeAt(after.at)}, ${after.threadId}, ${after.n})`
    : sql``
  const { rows } = await sql<ListedFeedback & Position>`
    select f.thread_id || '.' || f.n || '.' || md5(f.fp) as id, f.rating, f.note, q.page, f.created_at as "createdAt",
      ${microseconds('f.created_at')} as at, f.thread_id as "threadId", f.n
    from feedback f left join messages q
      on q.project_id = f.project_id and q.thread_id = f.thread_id and q.n = f.n - 1
    where f.project_id = ${projectId} and f.created_at >= ${range.from} and f.created_at < ${range.to} ${isAfter}
    order by f.created_at desc, f.thread_id desc, f.n desc limit ${limit + 1}
  `.execute(db)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit).map(({ at: _at, threadId: _thread, n: _n, ...row }) => row),
    searched: undefined,
    next: last && { at: last.at, threadId: last.threadId, n: last.n },
  }
}

/** The pages with the most feedback first. */
export async function countFeedbackByPage(
  db: Reader,
  projectId: string,
  range: Range,
  limit: number,
): Promise<{ page: string; up: number; down: number }[]> {
  const { rows } = await sql<{ page: string; up: number; down: number }>`
    select coalesce(q.page, '') as page, (count(*) filter (where f.rating = 'up'))::int as up,
      (count(*) filter (where f.rating = 'down'))::int as down
    from feedback f left join messages q
      on q.project_id = f.project_id and q.thread_id = f.thread_id and q.n = f.n - 1
    where f.project_id = ${projectId} and f.created_at >= ${range.from} and f.created_at < ${range.to}
    group by 1 order by count(*) desc, 1 limit ${limit}
  `.execute(db)
  return rows
}
