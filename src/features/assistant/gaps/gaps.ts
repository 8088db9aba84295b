import { sql, type RawBuilder } from 'kysely'
import { AppError } from '../../../lib/errors.ts'
import { json, type Reader, type Tx } from '../../../store/database.ts'
import type {
  AnswerOutcomeColumn,
  ContextColumn,
  GapCauseColumn,
  NearestColumn,
  PullRequestColumn,
} from '../../../store/columns.ts'

export const gapCauses = [
  'nothing_found',
  'weak',
  'uncited',
  'partial',
  'downvoted',
  'search',
] as const satisfies readonly GapCauseColumn[]

/**
 * `in_work`: a job writes, or its pull request is open. `published`: it was merged and is not checked yet. `answered` and
 * `still_open`: what the check found. A gap that is dismissed or answered is open again when more is asked.
 */
export const gapStates = ['open', 'dismissed', 'in_work', 'published', 'answered', 'still_open'] as const
type GapState = (typeof gapStates)[number]

/** A topic that the documentation does not answer well. */
export interface Gap {
  id: string
  name: string
  namedBy: 'words' | 'model' | 'person'
  state: GapState
  questions: number
  /** People who asked, as far as clients tell them apart. */
  askers: number
  causes: Record<GapCauseColumn, number>
  /** Questions of the last days, and of as many days before. */
  trend: { now: number; before: number }
  firstAskedAt: Date
  lastAskedAt: Date
  /** The newest questions, each once. */
  examples: string[]
  nearest: NearestColumn[]
  dismissed: { at: Date; reason: string | null; returnsAfter: number } | null
  /** The newest job that was made for it. */
  job: { id: string; status: string; pullRequest: PullRequestColumn | null } | null
  check: { verdict: 'answered' | 'still_open'; at: Date } | null
}

const mostExamples = 3
/** Characters of a question in a list. */
const longestShown = 300

interface ListOptions {
  /** Of the trend. */
  days: number
  state?: GapState | undefined
  id?: string | undefined
  offset: number
  limit: number
}

/** The gaps of a project, those first that were asked about most in the last days. */
export async function listGaps(
  db: Reader,
  projectId: string,
  { days, state, id, offset, limit }: ListOptions,
): Promise<Gap[]> {
  const since = (times: number): RawBuilder<unknown> => sql`now() - ${times * days} * interval '1 day'`
  const causes = gapCauses.map(
    (cause) => sql`${sql.lit(cause)}, count(*) filter (where cause = ${sql.lit(cause)})`,
  )
  const { rows } = await sql<Gap>`
    with recent as materialized (
      select gap_id, count(*)::int as now from gap_questions
      where project_id = ${projectId} and asked_at >= ${since(1)}
        and ${id === undefined ? sql`gap_id is not null` : sql`gap_id = ${id}`}
      group by gap_id
    ), ranked as (
      select g.*, coalesce(recent.now, 0) as now, j.id as job_id, j.status as job_status, j.pull_request,
        ${stateOf} as state
      from gaps g left join recent on recent.gap_id = g.id left join lateral (
        select id, status, pull_request from jobs where gap_id = g.id order by id desc limit 1
      ) j on true
      where g.project_id = ${projectId} ${id === undefined ? sql`` : sql`and g.id = ${id}`}
        -- The order makes it one look into the index.
        and (select asked_at from gap_questions q where q.gap_id = g.id order by asked_at limit 1) is not null
    ), shown as materialized (
      select * from ranked ${state === undefined ? sql`` : sql`where state = ${state}`}
      order by now desc, size desc, id limit ${limit} offset ${offset}
    )
    select id, ${nameOf('shown')} as name, named_by as "namedBy", state, questions, askers, causes,
      jsonb_build_object('now', now, 'before', before) as trend, first as "firstAskedAt", last as "lastAskedAt",
      ${examplesOf('shown')} as examples, nearest,
      case when state = 'dismissed' then jsonb_build_object('at', dismissed_at, 'reason', dismissed_reason,
        'returnsAfter', returns_after) end as dismissed,
      case when job_id is not null then jsonb_build_object('id', job_id, 'status', job_status,
        'pullRequest', pull_request) end as job,
      case when verdict is not null and checked_job = job_id then jsonb_build_object('verdict', verdict,
        'at', checked_at) end as check
    from shown cross join lateral (
      select count(*)::int as questions, count(distinct fp)::int as askers,
        (count(*) filter (where asked_at >= ${since(2)} and asked_at < ${since(1)}))::int as before,
        min(asked_at) as first, max(asked_at) as last, jsonb_build_object(${sql.join(causes)}) as causes
      from gap_questions where gap_id = shown.id
    ) counted
    order by now desc, size desc, id
  `.execute(db)
  // Times inside of JSON are texts.
  return rows.map((gap) => ({
    ...gap,
    dismissed: gap.dismissed && { ...gap.dismissed, at: new Date(gap.dismissed.at) },
    check: gap.check && { ...gap.check, at: new Date(gap.check.at) },
  }))
}

/** @throws AppError `not_found` */
export async function getGap(db: Reader, projectId: string, id: string, days: number): Promise<Gap> {
  const [gap] = await listGaps(db, projectId, { days, id, offset: 0, limit: 1 })
  if (!gap) throw missing()
  return gap
}

/** The searches of a gap, and the questions that were asked again. */
export interface GapDetails {
  searches: { query: string; searches: number; lastAskedAt: Date }[]
  checks: { question: string; outcome: AnswerOutcomeColumn; cited: boolean }[]
}

export async function readDetails(db: Reader, gapId: string): Promise<GapDetails> {
  const searches = await sql<GapDetails['searches'][number]>`
    select lower(s.query) as query, count(*)::int as searches, max(asked_at) as "lastAskedAt"
    from gap_questions q join searches s on s.id = q.search_id
    where q.gap_id = ${gapId} group by 1 order by 2 desc, 1 limit 50
  `.execute(db)
  const checks = await sql<GapDetails['checks'][number]>`
    select left(${textOf('q')}, ${longestShown}) as question, check_outcome as outcome, check_cited as cited
    from gap_questions q where q.gap_id = ${gapId} and check_outcome is not null order by asked_at desc, q.id
  `.execute(db)
  return { searches: searches.rows, checks: checks.rows }
}

export interface GapChange {
  /** A person's name for it, which stays. */
  name?: string | undefined
  /** `true`: it is not worth a page, until `returnsAfter` more questions; `false`: it is open again. */
  dismissed?: boolean | undefined
  reason?: string | undefined
  returnsAfter?: number | undefined
}

export const usualReturn = 5

/** @throws AppError `not_found` */
export async function changeGap(tx: Tx, projectId: string, id: string, change: GapChange): Promise<void> {
  const { name, dismissed, reason, returnsAfter } = change
  const { numUpdatedRows } = await tx
    .updateTable('gaps')
    .set({
      id,
      ...(name !== undefined && { name, named_by: 'person' as const }),
      ...(dismissed === true && {
        dismissed_at: sql<Date>`now()`,
        dismissed_reason: reason ?? null,
        returns_after: returnsAfter ?? usualReturn,
      }),
      ...(dismissed === false && {
        dismissed_at: null,
        dismissed_reason: null,
        returns_after: null,
        verdict: null,
      }),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw missing()
}

/** Moves the questions and the jobs of one gap to another one, which stays. @throws AppError `not_found` */
export async function mergeGaps(tx: Tx, projectId: string, from: string, into: string): Promise<void> {
  const rows = await tx
    .selectFrom('gaps')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', [from, into])
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length < 2) throw missing()
  await tx.updateTable('gap_questions').set({ gap_id: into }).where('gap_id', '=', from).execute()
  await tx.updateTable('jobs').set({ gap_id: into }).where('gap_id', '=', from).execute()
  await tx.deleteFrom('gaps').where('id', '=', from).execute()
  await sql`
    update gaps set size = (select count(*) from gap_questions where gap_id = ${into}), nearest_size = 0 where id = ${into}
  `.execute(tx)
}

/**
 * Removes what came from questions that were deleted elsewhere: gaps without a question, the names of gaps, and the
 * evidence for jobs that were made from questions of which one is gone. Names that a person gave stay.
 */
export async function forgetDeleted(tx: Tx, projectId: string): Promise<void> {
  await sql`
    update jobs set evidence = null where project_id = ${projectId} and about_thread is not null
      and evidence is not null and not exists (
        select from messages m where m.project_id = jobs.project_id and m.thread_id = jobs.about_thread
          and m.n = jobs.about_question and m.text <> '')
  `.execute(tx)
  const { rows } = await sql<{ id: string; size: number }>`
    select g.id, (select count(*)::int from gap_questions where gap_id = g.id) as size
    from gaps g where g.project_id = ${projectId}
      and g.size > (select count(*) from gap_questions where gap_id = g.id)
    order by g.id for update
  `.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx.updateTable('jobs').set({ evidence: null }).where('gap_id', 'in', ids).execute()
  await sql`
    update gaps set size = now.size, named_size = 0, name = case named_by when 'person' then name end,
      named_by = case named_by when 'person' then 'person' else 'words' end
    from jsonb_to_recordset(${json(rows)}) as now(id text, size integer) where gaps.id = now.id
  `.execute(tx)
  await sql`delete from gaps where project_id = ${projectId} and id in (${sql.join(ids)}) and size = 0`.execute(
    tx,
  )
}

/** The text of a question or a search. */
export function textOf(table: string): RawBuilder<string> {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return sql<string>`coalesce(
    (select text from messages m where m.project_id = ${of('project_id')} and m.thread_id = ${of('thread_id')}
      and m.n = ${of('n')}),
    (select query from searches s where s.id = ${of('search_id')}), '')`
}

/** What the reader had selected for a question; null where that was nothing, and for a search. */
export function contextOf(table: string): RawBuilder<ContextColumn[] | null> {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return sql`(select nullif(m.context, '[]') from messages m where m.project_id = ${of('project_id')}
    and m.thread_id = ${of('thread_id')} and m.n = ${of('n')})`
}

function nameOf(table: string): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(`${table}.name`)}, (
    select left(${textOf('q')}, 80) from gap_questions q where q.gap_id = ${sql.ref(`${table}.id`)}
    order by asked_at, q.id limit 1
  ), '')`
}

function examplesOf(table: string): RawBuilder<string[]> {
  return sql<string[]>`(
    select coalesce(jsonb_agg(text order by last desc, text), '[]') from (
      select text, max(asked_at) as last from (
        select left(${textOf('q')}, ${longestShown}) as text, asked_at from gap_questions q
        where q.gap_id = ${sql.ref(`${table}.id`)} order by asked_at desc limit 20
      ) newest group by text order by last desc, text limit ${mostExamples}
    ) examples
  )`
}

// Of a gap `g` with its newest job `j`.
const stateOf = sql<GapState>`case
  when g.dismissed_at is not null and g.returns_after >
    (select count(*) from gap_questions q where q.gap_id = g.id and q.asked_at > g.dismissed_at) then 'dismissed'
  when j.status = 'active' or j.pull_request->>'state' = 'open' then 'in_work'
  when j.pull_request->>'state' = 'merged' and g.checked_job is distinct from j.id then 'published'
  when g.verdict is not null and g.checked_job = j.id and (g.verdict = 'still_open' or not exists
    (select from gap_questions q where q.gap_id = g.id and q.asked_at > g.checked_at)) then g.verdict
  else 'open' end`

function missing(): AppError {
  return new AppError('not_found', 'There is no such gap; see the list of gaps')
}
