import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { json, type Reader, type Tx } from '../../store/database.ts'
import type { FailureColumn, PullRequestColumn, RunCauseColumn } from '../../store/columns.ts'

export const runStates = ['running', 'review', 'accepted', 'closed', 'failed', 'no_change'] as const

export type RunState = (typeof runStates)[number]

/** What one event gave a rule. */
export interface Run {
  id: string
  automation: { id: string; name: string }
  state: RunState
  cause: RunCauseColumn
  /** Why nothing was started, or what the agent says it did. */
  reasons: string[]
  /** The job, and the turn of it that is this run's. */
  job: { id: string; turn: number; pullRequest: PullRequestColumn | undefined } | undefined
  /** USD; undefined where the price of a model is not known. */
  cost: number | undefined
  /** When it is to begin, while it waits. */
  dueAt: Date | undefined
  createdAt: Date
  finishedAt: Date | undefined
}

/** A run that has not begun. */
export interface DueRun {
  id: string
  automationId: string
  projectId: string
  cause: RunCauseColumn
  attempts: number
}

/** An event as a rule sees it. */
export interface RuleEvent {
  /** The same event has the same key, whoever sees it and how often. */
  key: string
  cause: RunCauseColumn
  /** Now when not given. */
  dueAt?: Date | undefined
}

/**
 * Gives a rule a run of an event. An event that gave it one already gives it nothing more; while a run still waits, a further event of its key
 * moves its last commit.
 * @returns the id of a run that is new
 */
export async function insertRun(
  tx: Tx,
  { id: automationId, projectId }: { id: string; projectId: string },
  { key, cause, dueAt }: RuleEvent,
): Promise<string | undefined> {
  const id = newId('run')
  const due = dueAt === undefined ? sql`now()` : sql`${dueAt.toISOString()}::timestamptz`
  const { rows } = await sql<{ id: string }>`
    insert into automation_runs (id, automation_id, project_id, event_key, cause, due_at)
    values (${id}, ${automationId}, ${projectId}, ${key}, ${json(cause)}, ${due})
    on conflict (automation_id, event_key) do update
      set cause = automation_runs.cause || jsonb_build_object('to', excluded.cause->'to', 'title', excluded.cause->'title',
        'events', coalesce((automation_runs.cause->>'events')::int, 1) + 1)
      where automation_runs.due_at is not null and excluded.due_at > now() and excluded.cause ? 'to'
        and automation_runs.cause->>'to' is distinct from excluded.cause->>'to'
    returning id
  `.execute(tx)
  return rows[0]?.id === id ? id : undefined
}

export async function listDueRuns(reader: Reader, limit: number): Promise<DueRun[]> {
  const rows = await reader
    .selectFrom('automation_runs')
    .select(['id', 'automation_id', 'project_id', 'cause', 'attempts'])
    .where('due_at', '<=', sql<Date>`now()`)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ automation_id: automationId, project_id: projectId, ...row }) => ({
    ...row,
    automationId,
    projectId,
  }))
}

/** Another process has begun or ended the run. */
export class RunTaken extends Error {}

/**
 * Notes the job that a run has, in the transaction that makes it.
 * @throws RunTaken, which undoes the transaction
 */
export async function beginRun(
  tx: Tx,
  runId: string,
  {
    jobId,
    turn,
    findings,
    reasons = [],
  }: {
    jobId: string
    turn: number
    findings: readonly string[]
    reasons?: readonly string[] | undefined
  },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('automation_runs')
    .set({
      job_id: jobId,
      turn,
      due_at: null,
      findings: json(findings),
      reasons: storedReasons(reasons),
      started_at: sql<Date>`now()`,
    })
    .where('id', '=', runId)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new RunTaken()
}

function storedReasons(reasons: readonly string[]) {
  return json(reasons.slice(0, 20).map((one) => one.toWellFormed().slice(0, 500)))
}

/** Ends a run without a job, unless it has begun or ended meanwhile. */
export async function endRun(
  tx: Tx,
  runId: string,
  { result, reasons }: { result: 'no_change' | 'failed' | 'closed'; reasons: readonly string[] },
): Promise<void> {
  await tx
    .updateTable('automation_runs')
    .set({
      result,
      reasons: storedReasons(reasons),
      due_at: null,
      started_at: sql<Date>`now()`,
    })
    .where('id', '=', runId)
    .where('due_at', 'is not', null)
    .execute()
}

export async function putOffRun(tx: Tx, runId: string, seconds: number): Promise<void> {
  await tx
    .updateTable('automation_runs')
    .set({
      due_at: sql<Date>`now() + make_interval(secs => ${seconds})`,
      attempts: sql<number>`attempts + 1`,
    })
    .where('id', '=', runId)
    .where('due_at', 'is not', null)
    .execute()
}

/** How many runs of a rule have begun work since midnight UTC. */
export async function countToday(reader: Reader, automationId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('automation_runs')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('automation_id', '=', automationId)
    .where('job_id', 'is not', null)
    .where('started_at', '>=', sql<Date>`date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`)
    .executeTakeFirstOrThrow()
  return count
}

/** The job of a rule whose pull request is open, or is still to come. */
export async function openJobOf(
  reader: Reader,
  automationId: string,
  { kind, repository = '', number = 0 }: RunCauseColumn,
): Promise<string | undefined> {
  // Documentation of what is not merged yet stands in a pull request of its own.
  const isOfSame =
    kind === 'pull'
      ? sql<SqlBool>`cause->>'kind' = 'pull' and cause->>'number' = ${String(number)} and coalesce(cause->>'repository', '') = ${repository}`
      : sql<SqlBool>`cause->>'kind' <> 'pull'`
  const row = await reader
    .selectFrom('automation_runs')
    .innerJoin('jobs', 'jobs.id', 'automation_runs.job_id')
    .select('jobs.id')
    .where('automation_id', '=', automationId)
    .where(isOfSame)
    .where('jobs.status', '<>', 'archived')
    .where(sql<SqlBool>`case when pull_request is null or pull_request = 'null'::jsonb then jobs.status = 'active'
      else pull_request->>'state' = 'open' end`)
    .orderBy('jobs.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** What a rule has raised in pull requests that were closed unmerged. */
export async function closedFindings(reader: Reader, automationId: string): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('automation_runs')
    .innerJoin('jobs', 'jobs.id', 'automation_runs.job_id')
    .select('findings')
    .where('automation_id', '=', automationId)
    .where(sql<SqlBool>`pull_request->>'state' = 'closed'`)
    .orderBy('automation_runs.id', 'desc')
    .limit(1000)
    .execute()
  return new Set(rows.flatMap(({ findings }) => findings))
}

/** @throws AppError `not_found` */
export async function getRun(reader: Reader, projectId: string, id: string): Promise<Run> {
  const [run] = hasUnstorable(id)
    ? []
    : await selectRuns(reader, sql`r.project_id = ${projectId} and r.id = ${id}`, 1)
  if (!run) throw new AppError('not_found', `Run ${JSON.stringify(id.slice(0, 100))} not found. Check the ID`)
  return run
}

/** The run of a rule that an event gave it. */
export async function findRunOf(reader: Reader, automationId: string, key: string): Promise<Run | undefined> {
  const [run] = await selectRuns(reader, sql`r.automation_id = ${automationId} and r.event_key = ${key}`, 1)
  return run
}

/** Newest first. */
export async function listRuns(
  reader: Reader,
  projectId: string,
  {
    automationId,
    state,
    cursor,
    limit,
  }: {
    automationId?: string | undefined
    state?: RunState | undefined
    cursor?: string | undefined
    limit: number
  },
): Promise<{ runs: Run[]; nextCursor: string | undefined }> {
  const which: RawBuilder<SqlBool>[] = [sql`r.project_id = ${projectId}`]
  if (automationId !== undefined) which.push(sql`r.automation_id = ${automationId}`)
  if (cursor !== undefined) which.push(sql`r.id < ${cursor}`)
  if (state !== undefined) which.push(sql`${stateOfRun} = ${state}`)
  const runs = await selectRuns(reader, sql.join(which, sql` and `), limit + 1)
  const page = runs.slice(0, limit)
  return { runs: page, nextCursor: runs.length > limit ? page.at(-1)?.id : undefined }
}

const stateOfRun = sql<RunState>`(case
  when r.result is not null then r.result
  when t.status is null or t.status in ('queued', 'running') then 'running'
  when t.status = 'failed' then 'failed'
  when t.status = 'cancelled' then 'closed'
  when t.outcome in ('no_change', 'nothing_done') then 'no_change'
  when j.pull_request->>'state' = 'merged' then 'accepted'
  when j.pull_request->>'state' = 'closed' or j.status = 'archived' then 'closed'
  else 'review' end)`

interface RunRow {
  id: string
  automation_id: string
  name: string
  state: RunState
  cause: RunCauseColumn
  reasons: string[]
  job_id: string | null
  turn: number | null
  pull_request: PullRequestColumn | null
  summary: string | null
  failure: FailureColumn | null
  cost: number | null
  tokens: number | null
  due_at: Date | null
  created_at: Date
  finished_at: Date | null
}

async function selectRuns(reader: Reader, which: RawBuilder<unknown>, limit: number): Promise<Run[]> {
  const { rows } = await sql<RunRow>`
    select r.id, r.automation_id, a.name, ${stateOfRun} as state, r.cause, r.reasons, r.job_id, r.turn,
      j.pull_request, t.summary, t.failure, t.cost, t.input_tokens + t.output_tokens as tokens, r.due_at, r.created_at,
      coalesce(t.finished_at, case when r.result is not null then r.started_at end) as finished_at
    from automation_runs r join automations a on a.id = r.automation_id
      left join jobs j on j.id = r.job_id left join turns t on t.job_id = r.job_id and t.n = r.turn
    where ${which} order by r.id desc limit ${limit}
  `.execute(reader)
  return rows.map(toRun)
}

function toRun(row: RunRow): Run {
  const { summary, failure, cost, tokens, job_id: jobId } = row
  const said = row.state === 'failed' ? failure?.message : (summary ?? undefined)
  return {
    id: row.id,
    automation: { id: row.automation_id, name: row.name },
    state: row.state,
    cause: row.cause,
    reasons: said === undefined ? row.reasons : [...row.reasons, said],
    job:
      jobId === null
        ? undefined
        : { id: jobId, turn: row.turn ?? 1, pullRequest: row.pull_request ?? undefined },
    cost: cost === null ? ((tokens ?? 0) === 0 ? 0 : undefined) : cost / 1e6,
    dueAt: row.due_at ?? undefined,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
  }
}
