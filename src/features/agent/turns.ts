import { sql, type RawBuilder, type Selectable, type UpdateObject } from 'kysely'
import { newId } from '../../lib/ids.ts'
import { currentTrace } from '../../lib/trace.ts'
import { actingPerson } from '../../store/acts.ts'
import { json, type Reader, type Tx } from '../../store/database.ts'
import type {
  AboutChangeColumn,
  AskedByColumn,
  FailureColumn,
  OutcomeColumn,
  PageColumn,
  PassingTroubleColumn,
} from '../../store/columns.ts'
import type { Tables } from '../../store/tables.ts'
import { joinReasons } from './page-reasons.ts'

/** One prompt of a job and its outcome. */
export interface Turn {
  n: number
  prompt: string
  /** Undefined for turns of older versions. */
  askedBy: AskedByColumn | undefined
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  outcome: Outcome | undefined
  /** Nothing was changed because the request itself was not understood. */
  notUnderstood: boolean
  /** The agent's summary of what it did, why it changed nothing, or what it asks. Markdown. */
  summary: string | undefined
  failure: FailureColumn | undefined
  createdAt: Date
  startedAt: Date | undefined
  finishedAt: Date | undefined
}

/** What an ended turn came to. */
export type Outcome = OutcomeColumn | 'failed'

export type TurnRow = Selectable<Tables['turns']>

const open = ['queued', 'running'] as const

/** In order; none when there is no such job in this project. */
export async function listTurns(reader: Reader, projectId: string, jobId: string): Promise<Turn[]> {
  const rows = await reader
    .selectFrom('turns')
    .innerJoin('jobs', 'jobs.id', 'turns.job_id')
    .selectAll('turns')
    .where('jobs.project_id', '=', projectId)
    .where('turns.job_id', '=', jobId)
    .orderBy('turns.n')
    .execute()
  return rows.map((row) => ({
    n: row.n,
    prompt: row.prompt,
    askedBy: row.asked_by ?? undefined,
    status: row.status,
    outcome: row.status === 'failed' ? 'failed' : (row.outcome ?? undefined),
    notUnderstood: row.not_understood,
    summary: row.summary ?? undefined,
    failure: row.failure ?? undefined,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
  }))
}

/**
 * The job must be locked, so that the number is free.
 * @param publishes the turn has no model: it publishes what was kept
 * @param about the change that a follow-up documents, where it is not its job's
 */
export async function insertTurn(
  tx: Tx,
  jobId: string,
  prompt: string,
  {
    publishes = false,
    askedBy,
    about,
    evidence,
  }: {
    publishes?: boolean
    askedBy?: AskedByColumn | undefined
    about?: AboutChangeColumn | undefined
    evidence?: string | undefined
  } = {},
): Promise<number> {
  const { n } = await tx
    .insertInto('turns')
    .values({
      id: newId('trn'),
      job_id: jobId,
      n: sql<number>`(select coalesce(max(n), 0) + 1 from turns where job_id = ${jobId})`,
      prompt,
      publishes,
      person_id: actingPerson() ?? null,
      asked_by: json(askedBy ?? null),
      about_change: json(about ?? null),
      evidence: evidence ?? null,
      traceparent: currentTrace() ?? null,
      status: 'queued',
    })
    .returning('n')
    .executeTakeFirstOrThrow()
  return n
}

export async function firstOpenTurn(reader: Reader, jobId: string): Promise<TurnRow | undefined> {
  return reader
    .selectFrom('turns')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('status', 'in', open)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst()
}

/** The open turn that can run now: none while the first one waits for its git host, its model or the machine. */
export async function dueTurn(reader: Reader, jobId: string): Promise<TurnRow | undefined> {
  const row = await reader
    .selectFrom('turns')
    .selectAll()
    .select(isWaiting.as('is_waiting'))
    .where('job_id', '=', jobId)
    .where('status', 'in', open)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst()
  return row?.is_waiting === false ? row : undefined
}

/** Written when a turn makes progress, so that later trouble counts as new. */
export const noLongerParked = { parks: 0, parked_since: null, parked_until: null, parked_for: null }

/** Whether a turn is parked. */
export const isWaiting = sql<boolean>`coalesce(parked_until > now(), false)`

/** Of an open turn that is not parked: no process has begun, or gone on, to work on it. */
const isForWorker = sql<boolean>`(status = 'queued' or parked_until is not null)`

/** Makes the turns that wait for the machine due, because it works again. */
export async function endMachineWaits(tx: Tx): Promise<void> {
  await tx
    .updateTable('turns')
    .set({ parked_until: sql<Date>`now()` })
    .where('status', 'in', open)
    .where('parked_for', '=', 'machine')
    .where(isWaiting)
    .execute()
}

/** How many turns wait now, by what they wait for. */
export async function countWaiting(reader: Reader): Promise<{ of: PassingTroubleColumn; count: number }[]> {
  const rows = await reader
    .selectFrom('turns')
    .select((select) => ['parked_for', select.fn.countAll<number>().as('count')])
    .where('status', 'in', open)
    .where(isWaiting)
    .groupBy('parked_for')
    .execute()
  return rows.flatMap(({ parked_for: of, count }) => (of === null ? [] : { of, count }))
}

/** Turns that wait for a worker and for no turn before them, since when, and those that are worked on. */
export async function countQueue(
  reader: Reader,
): Promise<{ waiting: number; oldest: Date | undefined; running: number }> {
  const { rows } = await sql<{ waiting: number; oldest: Date | null; running: number }>`
    select count(*) filter (where ${isForWorker})::int8 as waiting,
      min(coalesce(parked_until, created_at)) filter (where ${isForWorker}) as oldest,
      count(*) filter (where not ${isForWorker})::int8 as running
    from turns where status in ('queued', 'running') and not ${isWaiting} and not exists (
      select from turns as earlier
      where earlier.job_id = turns.job_id and earlier.n < turns.n and earlier.status in ('queued', 'running')
    )
  `.execute(reader)
  const [{ waiting, oldest, running } = { waiting: 0, oldest: null, running: 0 }] = rows
  return { waiting, oldest: oldest ?? undefined, running }
}

/** The number of the job's last turn. */
export async function lastTurn(reader: Reader, jobId: string): Promise<number> {
  const { last } = await reader
    .selectFrom('turns')
    .select((select) => select.fn.max('n').as('last'))
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  return last
}

export async function readTurn(reader: Reader, turnId: string): Promise<TurnRow | undefined> {
  return reader.selectFrom('turns').selectAll().where('id', '=', turnId).executeTakeFirst()
}

export async function earlierTurns(reader: Reader, turn: TurnRow): Promise<TurnRow[]> {
  return reader
    .selectFrom('turns')
    .selectAll()
    .where('job_id', '=', turn.job_id)
    .where('n', '<', turn.n)
    .orderBy('n')
    .execute()
}

/** Those of these turns that have published what a pull request of this branch holds. */
export function publishedTurns(turns: readonly TurnRow[], branch: string): TurnRow[] {
  return turns.filter(
    (one) => one.branch === branch && one.publication !== null && one.status === 'completed',
  )
}

/**
 * The number of the turn whose changes a job keeps: the newest that was started, where it ended with changed files
 * that were not published, or not all of them. A turn that could not take over the changes of the one before does not hide them.
 */
export function keptTurnNumber(): RawBuilder<number | null> {
  const hasFiles = (turn: string) =>
    sql<boolean>`exists (select from overlay_files where turn_id = ${sql.ref(`${turn}.id`)})`
  return sql<number | null>`(
    select kept.n from turns as kept
    where kept.job_id = jobs.id and kept.start_commit is not null and ${hasFiles('kept')}
      and (kept.status = 'failed' or kept.status = 'completed' and (
        (kept.publication->>'commit') is null or kept.publication->'leftOut' is not null
      ))
      and not exists (
        select from turns as later
        where later.job_id = jobs.id and later.n > kept.n and later.start_commit is not null
          and (later.status <> 'failed' or later.carried_from is not null or ${hasFiles('later')})
      )
    order by kept.n desc limit 1
  )`
}

/** The turn whose changes a job keeps. */
export async function keptTurn(reader: Reader, jobId: string): Promise<TurnRow | undefined> {
  return reader
    .selectFrom('jobs')
    .innerJoin('turns', (join) =>
      join.onRef('turns.job_id', '=', 'jobs.id').on('turns.n', '=', keptTurnNumber()),
    )
    .selectAll('turns')
    .where('jobs.id', '=', jobId)
    .executeTakeFirst()
}

/** The turn that runs, once it has changed a file. */
export async function workingTurn(reader: Reader, jobId: string): Promise<TurnRow | undefined> {
  return reader
    .selectFrom('turns')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('status', '=', 'running')
    .where('start_commit', 'is not', null)
    .where(sql<boolean>`exists (select from overlay_files where turn_id = turns.id)`)
    .limit(1)
    .executeTakeFirst()
}

/** The description that the pull request of a job was published with last; undefined before that. */
export async function readDescription(reader: Reader, jobId: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom('turns')
    .select(sql<string>`publication->>'body'`.as('body'))
    .where('job_id', '=', jobId)
    .where('publication', 'is not', null)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.body
}

/** Why each page was changed, as the turns that were published say it. */
export async function readPageReasons(reader: Reader, jobId: string): Promise<Map<string, PageColumn>> {
  const rows = await reader
    .selectFrom('turns')
    .select(sql<PageColumn[] | null>`publication->'pages'`.as('pages'))
    .where('job_id', '=', jobId)
    .where('publication', 'is not', null)
    .orderBy('n')
    .execute()
  return new Map(joinReasons(rows.flatMap(({ pages }) => pages ?? [])).map((page) => [page.path, page]))
}

export async function updateTurn(
  tx: Tx,
  turnId: string,
  change: UpdateObject<Tables, 'turns'>,
): Promise<void> {
  await tx.updateTable('turns').set(change).where('id', '=', turnId).execute()
}

/** Written when a runner leaves a turn regularly, because only crashes are counted. */
export const uncountedStart = { starts: sql<number>`greatest(starts - 1, 0)` }

/**
 * @returns how often the turn was started since it last made progress, this time included; undefined when it has
 * ended
 */
export async function countStart(tx: Tx, turnId: string): Promise<number | undefined> {
  const row = await tx
    .updateTable('turns')
    .set({ starts: sql<number>`starts + 1`, parked_until: null })
    .where('id', '=', turnId)
    .where('status', 'in', open)
    .returning('starts')
    .executeTakeFirst()
  return row?.starts
}

/**
 * Counts an end by the watchdog, which weighs as four, for the running turns of these jobs: their texts most likely
 * caused it.
 */
export async function countHang(tx: Tx, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return
  await tx
    .updateTable('turns')
    .set({ starts: sql<number>`starts + 3` })
    .where('job_id', 'in', jobIds)
    .where('status', 'in', open)
    .where('starts', '>', 0)
    .execute()
}

/**
 * Ends the running turn as failed, and drops the queued ones.
 * @returns the number of the first one
 */
export async function stopOpenTurns(
  tx: Tx,
  jobId: string,
  failure: FailureColumn,
): Promise<number | undefined> {
  const first = await firstOpenTurn(tx, jobId)
  if (first === undefined) return undefined
  const ended = { failure: json(failure), finished_at: sql<Date>`now()` }
  await updateTurn(tx, first.id, { ...ended, status: 'failed' })
  await tx
    .updateTable('turns')
    .set({ ...ended, status: 'cancelled' })
    .where('job_id', '=', jobId)
    .where('status', 'in', open)
    .execute()
  return first.n
}

/** Why an open turn waits, and until when. */
export interface Waiting {
  for: PassingTroubleColumn
  until: Date
  message: string
}
