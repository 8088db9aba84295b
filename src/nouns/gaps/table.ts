import { sql, type RawBuilder } from 'kysely'
import { textOf } from '../../features/assistant/gaps/gap-texts.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type {
  AnswerOutcomeColumn,
  GapCauseColumn,
  NearestColumn,
  PullRequestColumn,
} from '../../store/columns.ts'
import { gapCauses, usualReturn, type GapState } from './verbs.ts'

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
  const [gap] = hasUnstorable(id) ? [] : await listGaps(db, projectId, { days, id, offset: 0, limit: 1 })
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
  if (from === into) throw new AppError('invalid', 'Choose another gap: one cannot be merged into itself')
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
 * Takes a gap for a new job, until the transaction ends.
 * @returns the id of a job that works on it or waits for its check, or undefined
 */
export async function takeGap(tx: Tx, gapId: string): Promise<string | undefined> {
  await tx.selectFrom('gaps').select('id').where('id', '=', gapId).forUpdate().execute()
  const { rows } = await sql<{ id: string }>`
    select j.id from gaps g join lateral (select * from jobs where gap_id = g.id order by id desc limit 1) j on true
    where g.id = ${gapId} and (j.status = 'active' or j.pull_request->>'state' = 'open'
      or j.pull_request->>'state' = 'merged' and g.checked_job is distinct from j.id)
  `.execute(tx)
  return rows[0]?.id
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
  return new AppError('not_found', 'Gap not found')
}
