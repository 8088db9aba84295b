import { dayText } from '../../../lib/text/time-words.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Reader, Store, Tx } from '../../../store/database.ts'
import type { Range } from './list-searches.ts'

/** What the sums are made with. */
export type SummingStore = Pick<Store, 'db' | 'transaction'>

const length = 86_400_000
/**
 * Milliseconds after its end in which a day may still get what was begun before. Whatever is recorded later deletes the
 * sums of its day: migrations/0049-insight-days.sql.
 */
const closesAfter = 3_600_000
/** Any constant: the other half of the lock is the project. */
const lock = sql.lit(4)

/** A part of one day, in UTC. */
interface Slice extends Range {
  day: string
  /** It is the whole day, and nothing comes to it any more. */
  closed: boolean
}

/**
 * What happened in a range of time, as a query with a row for each day: `day`, and for each list a column of JSON that is
 * added up with those of other days. Days that are over are counted once, and kept.
 */
export async function sumDays(
  store: SummingStore,
  projectId: string,
  range: Range,
  now: Date,
): Promise<RawBuilder<unknown>> {
  const slices = slicesOf(range, await firstRecorded(store.db, projectId), now)
  await keepDays(store, projectId, slices)
  return sql`
    with slices as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(slices)}::jsonb)
        as slice(day date, "from" timestamptz, "to" timestamptz, closed boolean)
    ), kept as materialized (
      select kept.* from slices join insight_days kept on kept.project_id = ${projectId} and kept.day = slices.day
      where closed
    ), open as materialized (
      -- A day whose sums have gone meanwhile is one of them.
      select * from slices where not closed or day not in (select day from kept)
    )
    select day, messages, threads, latencies, asked_on, cited, feedback, searches, queries from kept
    union all select day, counted.* from open cross join lateral (${countSlice(projectId)}) counted`
}

/** Counts the days that are over and have no sums. Each is a transaction of its own, so that nobody waits for long. */
async function keepDays(
  { db, transaction }: SummingStore,
  projectId: string,
  slices: readonly Slice[],
): Promise<void> {
  const closed = slices.filter((slice) => slice.closed)
  const [oldest, newest] = [closed[0], closed.at(-1)]
  if (!oldest || !newest) return
  const { rows } = await sql<{ day: string }>`
    select day::text as day from insight_days
    where project_id = ${projectId} and day between ${oldest.day}::date and ${newest.day}::date`.execute(db)
  const kept = new Set(rows.map(({ day }) => day))
  for (const slice of closed)
    if (!kept.has(slice.day)) await transaction((tx) => keepDay(tx, projectId, slice))
}

async function keepDay(tx: Tx, projectId: string, { day, from, to }: Slice): Promise<void> {
  // In the order in which the removal of a project takes its locks.
  const project = await sql`select from projects where id = ${projectId} for key share`.execute(tx)
  if (project.rows.length === 0) return
  // Whoever changes the day waits until its sums are there, or has changed it before they are made.
  await sql`select pg_advisory_xact_lock(${lock}, hashtext(${projectId}))`.execute(tx)
  await sql`
    insert into insight_days (project_id, day, messages, threads, latencies, asked_on, cited, feedback, searches, queries)
    select ${projectId}, ${day}::date, counted.*
    from (select ${from}::timestamptz as "from", ${to}::timestamptz as "to") open
      cross join lateral (${countSlice(projectId)}) counted
    on conflict do nothing
  `.execute(tx)
}

/** The columns of one slice, which is the row `open`. */
function countSlice(projectId: string): RawBuilder<unknown> {
  const during = sql`project_id = ${projectId} and created_at >= open."from" and created_at < open."to"`
  // The rows of messages are wide, so they are read once, and all is counted from their few columns that matter.
  return sql`
    with read as materialized (
      select thread_id, role, outcome, cause, caller, model, milliseconds, page, sources from messages where ${during}
    ), searched as materialized (
      select query, caller, results from searches where ${during}
    )
    select ${list(sql`
      select outcome, cause, caller, role = 'user' as "isQuestion", count(*) as count from read group by 1, 2, 3, 4
    `)} as messages, (
      select coalesce(jsonb_agg(distinct thread_id), '[]') from read
    ) as threads, ${list(sql`
      select model, jsonb_agg(milliseconds) as milliseconds from read where milliseconds is not null group by model
    `)} as latencies, ${list(sql`
      select page, count(*) as questions from read where role = 'user' and page is not null group by page
    `)} as asked_on, ${list(sql`
      select s->>'path' as path, s->>'url' as url, max(s->>'title') as title, max(s->>'heading') as heading,
        count(*) as citations
      from read, jsonb_array_elements(sources) s
      -- Without an answer, the links are the nearest pages.
      where role = 'assistant' and outcome not in ('unanswered', 'uncited')
      group by 1, 2
    `)} as cited, ${list(sql`
      select rating, reason, count(*) as count from feedback where ${during} group by 1, 2
    `)} as feedback, ${list(sql`
      select caller, count(*) as count, count(*) filter (where results = 0) as without from searched group by 1
    `)} as searches, ${list(sql`
      select lower(query) as query, count(*) as searches, count(*) filter (where results = 0) as without
      from searched where query <> '' group by 1
    `)} as queries`
}

/** The rows of a query as one value. */
export function list(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(row), '[]') from (${query}) row)`
}

/** The days of a range, from the first one with anything. Nothing is recorded in the future. */
function slicesOf({ from, to }: Range, first: Date | undefined, now: Date): Slice[] {
  if (!first) return []
  const end = Math.min(to.getTime(), now.getTime() + length)
  const slices: Slice[] = []
  for (let at = Math.max(from.getTime(), startOf(first)); at < end;) {
    const begin = startOf(new Date(at))
    const next = Math.min(begin + length, end)
    const closed = next - at === length && next + closesAfter <= now.getTime()
    slices.push({
      day: dayText(new Date(at)),
      from: new Date(at),
      to: new Date(next),
      closed,
    })
    at = next
  }
  return slices
}

function startOf(time: Date): number {
  return Math.floor(time.getTime() / length) * length
}

async function firstRecorded(db: Reader, projectId: string): Promise<Date | undefined> {
  const first = (table: 'messages' | 'feedback' | 'searches') =>
    sql`(select created_at from ${sql.table(table)} where project_id = ${projectId} order by created_at limit 1)`
  const { rows } = await sql<{ at: Date | null }>`
    select least(${first('messages')}, ${first('feedback')}, ${first('searches')}) as at`.execute(db)
  return rows[0]?.at ?? undefined
}
