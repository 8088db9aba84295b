import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import { eachPage, only, readPage, type Page } from '../../../store/in-index-order.ts'
import type {
  AnswerOutcomeColumn,
  CallerColumn,
  ContextColumn,
  FeedbackReasonColumn,
  SourceColumn,
} from '../../../store/columns.ts'

/** Which questions are meant; a conversation is meant when one of its questions is. */
export interface QuestionFilter {
  /** Asked at this time or later. */
  from?: Date | undefined
  /** Asked before this time. */
  to?: Date | undefined
  outcome?: AnswerOutcomeColumn | undefined
  caller?: CallerColumn | undefined
  /** What a reader thought of the answer. */
  rating?: 'up' | 'down' | undefined
  /** The page that the reader was on or that the answer cites, as the client or the citation writes it. */
  page?: string | undefined
  /** What question or answer contains, in any case of letters. */
  text?: string | undefined
  /** Who asked. */
  fp?: string | undefined
  threadId?: string | undefined
  /** The number of the question in its thread. */
  n?: number | undefined
  /** The questions of a gap in the documentation. */
  gapId?: string | undefined
}

/** A place in a list that is ordered by time: microseconds since 1970, and what tells equal times apart. */
export interface Position {
  at: number
  threadId: string
  /** Only where questions are listed. */
  n: number
}

/** A conversation in a list. */
export interface ListedThread {
  id: string
  createdAt: Date
  updatedAt: Date
  questions: number
  /** The newest question that is meant; empty where the project keeps no texts. */
  lastQuestion: string
  /** How its answer ended; null while there is none. */
  outcome: AnswerOutcomeColumn | null
  /** Readers who liked or disliked one of its answers. */
  up: number
  down: number
}

/** How many conversations, or questions, one page is searched for: the texts of each are read. */
const mostSearched = 4000

interface Asked {
  filter?: QuestionFilter
  after?: Position | undefined
  limit: number
  /** How many are searched. */
  within?: number
}

/** The conversations of a project, the one with the newest question first. */
export async function listThreads(
  db: Reader,
  projectId: string,
  { filter = {}, after, limit, within = mostSearched }: Asked,
): Promise<Page<ListedThread, Position>> {
  // Those of one reader, gap or thread are found by their messages.
  const { fp, gapId, threadId } = filter
  const isOfFew = [fp, gapId, threadId].some((one) => one !== undefined)
  const conditions = [isOfFew ? sql<SqlBool>`t.project_id = ${projectId}` : only('t.project_id', projectId)]
  const wanted = conditionsOf(filter)
  const meant = sql`${exchanges} where ${ofThread('q')} and ${sql.join([sql`q.role = 'user'`, ...wanted], sql` and `)}`
  if (filter.from) conditions.push(sql`t.updated_at >= ${filter.from}`)
  if (filter.to) conditions.push(sql`t.created_at < ${filter.to}`)
  if (after)
    conditions.push(
      sql`t.updated_at <= ${timeAt(after.at)} and (t.updated_at < ${timeAt(after.at)} or t.id > ${after.threadId})`,
    )
  const keys = sql<{ id: string; at: number }>`
    select t.id, ${microseconds('t.updated_at')} as at from threads t where ${sql.join(conditions, sql` and `)}
    order by t.project_id, t.updated_at desc, t.id`
  const page = await readPage(db, {
    limit,
    search: isSearch(filter) ? { keys, within } : undefined,
    placeOf: ({ id, at }): Position => ({ at, threadId: id, n: 0 }),
    read: async (count, end) => {
      const all = [...conditions]
      if (end)
        all.push(
          sql`t.updated_at >= ${timeAt(end.at)} and (t.updated_at > ${timeAt(end.at)} or t.id <= ${end.threadId})`,
        )
      if (wanted.length > 0) all.push(sql`exists (select from ${meant})`)
      const { rows } = await sql<ListedThread & { at: number }>`
        select t.id, t.created_at as "createdAt", t.updated_at as "updatedAt", ${microseconds('t.updated_at')} as at,
          (select count(*)::int from messages q where ${ofThread('q')} and q.role = 'user') as questions,
          coalesce((select q.text from ${meant} order by q.n desc limit 1), '') as "lastQuestion",
          (select a.outcome from ${meant} order by q.n desc limit 1) as outcome,
          (select count(*)::int from feedback f where ${ofThread('f')} and f.rating = 'up') as up,
          (select count(*)::int from feedback f where ${ofThread('f')} and f.rating = 'down') as down
        from threads t where ${sql.join(all, sql` and `)}
        order by t.project_id, t.updated_at desc, t.id limit ${count}
      `.execute(db)
      return rows
    },
  })
  return withoutTimes(page)
}

/** A question with its answer, and what readers thought of that. */
export interface Exchange {
  threadId: string
  /** The number of the question in its thread; its answer has the next one. */
  n: number
  askedAt: Date
  fp: string
  caller: CallerColumn
  /** The page that the reader was on, as the client said. */
  page: string | null
  questionId: string
  question: string
  /** What the reader had selected or was looking at; empty where the project keeps no texts. */
  context: ContextColumn[]
  /** The number of the question that this one took the place of, asked again or edited. */
  replaces: number | null
  /** Null while there is no answer, with everything that follows. */
  answerId: string | null
  answer: string | null
  answeredAt: Date | null
  outcome: AnswerOutcomeColumn | null
  cause: string | null
  /** What was asked for that the documentation does not mention; empty where the project keeps no texts. */
  missing: string[]
  model: string | null
  milliseconds: number | null
  /** The pinned answer that was given. */
  pinned: string | null
  sources: SourceColumn[]
  feedback: {
    rating: 'up' | 'down'
    reason: FeedbackReasonColumn | null
    note: string | null
    fp: string
    caller: CallerColumn
    /** ISO 8601. */
    at: string
  }[]
}

/** Questions with their answers, the oldest first. */
export async function listExchanges(
  db: Reader,
  projectId: string,
  { filter = {}, after, limit, within = mostSearched }: Asked,
): Promise<Page<Exchange, Position>> {
  const all = [sql`q.project_id = ${projectId} and q.role = 'user'`]
  if (after) all.push(sql`${placeOf('q')} > (${timeAt(after.at)}, ${after.threadId}, ${after.n})`)
  if (filter.from) all.push(sql`q.created_at >= ${filter.from}`)
  const keys = sql<Position>`
    select q.thread_id as "threadId", q.n, ${microseconds('q.created_at')} as at from messages q
    where ${sql.join(all, sql` and `)} order by q.created_at, q.thread_id, q.n`
  const page = await readPage(db, {
    limit,
    search: isSearch(filter) ? { keys, within } : undefined,
    placeOf: ({ at, threadId, n }): Position => ({ at, threadId, n }),
    read: async (count, end) => {
      const conditions = [...all, ...conditionsOf(filter)]
      if (end) conditions.push(sql`${placeOf('q')} <= (${timeAt(end.at)}, ${end.threadId}, ${end.n})`)
      const { rows } = await sql<Exchange & { at: number }>`
        select q.thread_id as "threadId", q.n, q.created_at as "askedAt", ${microseconds('q.created_at')} as at, q.fp,
          q.caller, q.page, q.id as "questionId", q.text as question, q.context, q.replaces, a.id as "answerId", a.text as answer,
          a.created_at as "answeredAt", a.outcome, a.cause, a.model, a.milliseconds, a.pinned,
          coalesce(a.missing, '[]'::jsonb) as missing, coalesce(a.sources, '[]'::jsonb) as sources,
          coalesce((
            select jsonb_agg(jsonb_build_object('rating', rating, 'reason', reason, 'note', note, 'fp', f.fp,
              'caller', f.caller, 'at', to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
              order by f.created_at)
            from feedback f where f.project_id = a.project_id and f.thread_id = a.thread_id and f.n = a.n
          ), '[]'::jsonb) as feedback
        from ${exchanges} where ${sql.join(conditions, sql` and `)}
        order by q.created_at, q.thread_id, q.n limit ${count}
      `.execute(db)
      return rows
    },
  })
  return withoutTimes(page)
}

/** The times, to the microsecond, are for places only. */
function withoutTimes<Row extends { at: number }>(
  page: Page<Row, Position>,
): Page<Omit<Row, 'at'>, Position> {
  return { ...page, rows: page.rows.map(({ at: _at, ...row }) => row) }
}

/** Whether it has to be looked for in all questions of a project. */
function isSearch({ text, page, outcome, caller, rating, threadId, gapId }: QuestionFilter): boolean {
  const wanted = [text, page, outcome, caller, rating]
  return threadId === undefined && gapId === undefined && wanted.some((one) => one !== undefined)
}

/** Few enough that their longest texts fit into memory several times. */
const batch = 100

/**
 * All questions with their answers, the oldest first, of which only some are in memory at a time. A batch is searched
 * for in no more questions than it may hold: what one has looked through, the next one need not.
 */
export function readExchanges(
  db: Reader,
  projectId: string,
  filter: QuestionFilter,
): AsyncGenerator<Exchange[], void, undefined> {
  return eachPage<Exchange, Position>((after) =>
    listExchanges(db, projectId, { filter, after, limit: batch, within: batch }),
  )
}

// The offset keeps the database from reading all answers that fit first, again for each page.
const exchanges = sql`messages q left join lateral (
    select * from messages where project_id = q.project_id and thread_id = q.thread_id and n = q.n + 1 offset 0
  ) a on true`

function conditionsOf(filter: QuestionFilter): RawBuilder<SqlBool>[] {
  const { from, to, outcome, caller, rating, page, text, fp, threadId, n, gapId } = filter
  const conditions: RawBuilder<SqlBool>[] = []
  if (threadId !== undefined) conditions.push(sql`q.thread_id = ${threadId}`)
  if (n !== undefined) conditions.push(sql`q.n = ${n}`)
  if (gapId !== undefined)
    conditions.push(
      sql`exists (select from gap_questions g where g.project_id = q.project_id and g.thread_id = q.thread_id
        and g.n = q.n and g.gap_id = ${gapId})`,
    )
  if (from) conditions.push(sql`q.created_at >= ${from}`)
  if (to) conditions.push(sql`q.created_at < ${to}`)
  if (outcome) conditions.push(sql`a.outcome = ${outcome}`)
  if (caller) conditions.push(sql`q.caller = ${caller}`)
  if (fp !== undefined) conditions.push(sql`q.fp = ${fp}`)
  if (rating)
    conditions.push(
      // The offset keeps the database from reading the ratings of all projects first.
      sql`exists (select from feedback f where f.project_id = q.project_id and f.thread_id = q.thread_id
        and f.n = q.n + 1 and f.rating = ${rating} offset 0)`,
    )
  if (page !== undefined)
    conditions.push(
      sql`(q.page = ${page} or exists (select from jsonb_array_elements(a.sources) s
        where s->>'path' = ${page} or s->>'url' = ${page} or split_part(s->>'url', '#', 1) = ${page}))`,
    )
  if (text !== undefined)
    conditions.push(
      sql`(strpos(lower(q.text), lower(${text})) > 0 or strpos(lower(a.text), lower(${text})) > 0)`,
    )
  return conditions
}

function ofThread(table: string): RawBuilder<SqlBool> {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return sql`${of('project_id')} = t.project_id and ${of('thread_id')} = t.id`
}

function placeOf(table: string): RawBuilder<unknown> {
  return sql`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.thread_id`)}, ${sql.ref(`${table}.n`)})`
}

export function microseconds(column: string): RawBuilder<number> {
  return sql`(extract(epoch from ${sql.ref(column)}) * 1000000)::int8`
}

export function timeAt(position: number): RawBuilder<Date> {
  return sql`(timestamptz 'epoch' + ${position}::float8 * interval '1 microsecond')`
}
