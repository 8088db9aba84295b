import { sql, type RawBuilder, type Selectable, type SqlBool, type UpdateObject } from 'kysely'
import { abandonAct } from '../../store/acts.ts'
import { defaultBranchPrefix } from '../../integrations/git/branch-prefix.ts'
import { json, type Reader, type Tx } from '../../store/database.ts'
import type {
  AskedByColumn,
  ChangeColumn,
  ChoiceColumn,
  CheckColumn,
  FailureColumn,
  PullRequestColumn,
} from '../../store/columns.ts'
import type { Tables } from '../../store/tables.ts'
import { only, readPage, type Page } from '../../store/in-index-order.ts'
import { type JobState, type JobStatus } from './job-state.ts'
import { keptTurnNumber, type Outcome, type Waiting } from './turns.ts'
import { commonOf, stateOfJob } from './state-of-job.ts'

/** A job as the rest of the program sees it. */
export interface Job {
  id: string
  projectId: string
  status: JobStatus
  state: JobState
  /** The first line of the first prompt, until the agent sets a title. */
  title: string
  model: string
  /** The branch that the job starts from. */
  base: string
  /** The branch that the agent works on. */
  branch: string
  draft: boolean
  /** Its pull request is a draft because problems are left, or a person published what was kept. */
  draftForChecks: boolean
  pullRequest: PullRequestColumn | undefined
  failure: FailureColumn | undefined
  /** What the last turn came to; undefined while the job is active. */
  outcome: Outcome | undefined
  /** Why the last turn changed nothing, as far as a list shows it. */
  nothingChanged: string | undefined
  /** What the agent asks, which the next message answers. */
  question: { text: string; askedAt: Date; choices: ChoiceColumn[] } | undefined
  /** Set while the turn under way waits for its git host, its model or the machine. */
  waiting: Waiting | undefined
  /** Who sent its first prompt; undefined for jobs of older versions. */
  createdBy: AskedByColumn | undefined
  /** The gap that it is to close. */
  gapId: string | undefined
  checks: CheckColumn[]
  changes: ChangeColumn[]
  /** The turn whose changes were not published and are kept. */
  kept: { turn: number } | undefined
  turns: number
  usage: JobUsage
  createdAt: Date
  archivedAt: Date | undefined
  /** Incremented with every change that a reader can see. */
  revision: number
}

/** The usage of all turns of a job. */
interface JobUsage {
  inputTokens: number
  /** The part of the input tokens that was served from the provider's cache. */
  cachedInputTokens: number
  outputTokens: number
  /** US dollars; undefined where a model's price is not known. */
  cost: number | undefined
}

export type JobRow = Selectable<Tables['jobs']>

/** Undefined when there is no such job in this project. */
export async function getJob(reader: Reader, projectId: string, jobId: string): Promise<Job | undefined> {
  const row = await selectJobs(
    reader,
    sql`jobs.project_id = ${projectId} and jobs.id = ${jobId}`,
  ).executeTakeFirst()
  return row && toJob(row)
}

/** How many jobs one page is searched for: what they have come to and what was asked is read of each. */
const mostSearched = 5000

/** Newest first. The cursor is `next` of the page before. Jobs are searched for by words and by states. */
export async function listJobs(
  reader: Reader,
  projectId: string,
  options: {
    status?: JobStatus | undefined
    states?: readonly JobState[] | undefined
    /** In its title or one of its prompts, in any case. */
    text?: string | undefined
    limit: number
    cursor?: string | undefined
    /** How many jobs are searched. */
    within?: number
  },
): Promise<Page<Job, string>> {
  const { within = mostSearched, states } = options
  const common = commonOf(states ?? [])
  const status = options.status ?? common.status
  const isSearch = options.text !== undefined || (states !== undefined && common.status !== 'archived')
  const among: RawBuilder<SqlBool>[] = [only('jobs.project_id', projectId)]
  if (status !== undefined) among.push(sql`jobs.status = ${status}`)
  if (common.isOpen) among.push(sql`jobs.pull_request->>'state' = 'open'`)
  if (options.cursor !== undefined) among.push(sql`jobs.id < ${options.cursor}`)
  const order = sql`jobs.project_id desc, jobs.id desc`
  const keys = sql<{ id: string }>`select id from jobs where ${sql.join(among, sql` and `)} order by ${order}`
  return readPage(reader, {
    limit: options.limit,
    search: isSearch ? { keys, within } : undefined,
    placeOf: ({ id }) => id,
    read: async (count, end) => {
      let query = selectJobs(reader, sql.join(among, sql` and `))
        .orderBy(order)
        .limit(count)
      if (states !== undefined) query = query.where(stateOfJob(), 'in', states)
      if (options.text !== undefined) query = query.where(holds(options.text))
      if (end !== undefined) query = query.where('jobs.id', '>=', end)
      return (await query.execute()).map(toJob)
    },
  })
}

function holds(text: string): RawBuilder<SqlBool> {
  const like = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  // The offset keeps the database from reading the prompts of all jobs first.
  return sql`(jobs.title ilike ${like} or exists (
    select from turns as asked where asked.job_id = jobs.id and asked.prompt ilike ${like} offset 0
  ))`
}

export async function readJob(reader: Reader, jobId: string): Promise<JobRow | undefined> {
  return reader.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
}

/**
 * Every write to a job, its turns and its events must take this lock first, which puts them in order. `updateJob`
 * takes it as well.
 */
export async function lockJob(tx: Tx, jobId: string, projectId?: string): Promise<JobRow | undefined> {
  const query = tx.selectFrom('jobs').selectAll().where('id', '=', jobId).forUpdate()
  const scoped = projectId === undefined ? query : query.where('project_id', '=', projectId)
  const job = await scoped.executeTakeFirst()
  if (!job) abandonAct()
  return job
}

export async function insertJob(
  tx: Tx,
  job: Pick<
    JobRow,
    | 'id'
    | 'project_id'
    | 'title'
    | 'model'
    | 'base'
    | 'branch'
    | 'draft'
    | 'gap_id'
    | 'evidence'
    | 'about_thread'
    | 'about_question'
  > & {
    budget: RawBuilder<unknown>
    about_change: RawBuilder<unknown>
  },
): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({ ...job, status: 'active', checks: json([]), changes: json([]) })
    .execute()
}

/** Increments the revision, even without other changes to the row, because turns, events or comments may have changed. */
export async function updateJob(
  tx: Tx,
  jobId: string,
  change: UpdateObject<Tables, 'jobs'> = {},
): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ ...change, revision: sql<number>`revision + 1`, updated_at: sql<Date>`now()` })
    .where('id', '=', jobId)
    .execute()
}

/** The job that works on a branch. */
export async function findJobByBranch(
  reader: Reader,
  projectId: string,
  branch: string,
): Promise<Job | undefined> {
  const row = await selectJobs(
    reader,
    sql`jobs.project_id = ${projectId} and branch = ${branch}`,
  ).executeTakeFirst()
  return row && toJob(row)
}

/** @param which a condition on rows of `jobs` */
export function selectJobs(reader: Reader, which: RawBuilder<SqlBool>) {
  return reader
    .selectFrom('jobs')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('turns')
          .select([
            'turns.status as last_status',
            'outcome',
            'not_understood',
            'finished_at as asked_at',
            'choices',
          ])
          .select(sql<string | null>`case when outcome = 'needs_input' then summary end`.as('question'))
          .select(
            sql<
              string | null
            >`case when outcome in ('no_change', 'nothing_done') then left(summary, 1000) end`.as(
              'nothing_changed',
            ),
          )
          .whereRef('turns.job_id', '=', 'jobs.id')
          .orderBy('turns.n', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('turns')
          .innerJoin('events', (join) =>
            join.onRef('events.job_id', '=', 'turns.job_id').onRef('events.turn', '=', 'turns.n'),
          )
          .select(['parked_for', 'parked_until', sql<string>`data->>'message'`.as('waiting')])
          .whereRef('turns.job_id', '=', 'jobs.id')
          .where('jobs.status', '=', 'active')
          .where('turns.status', 'in', ['queued', 'running'])
          .where('parked_until', '>', sql<Date>`now()`)
          .where('type', '=', 'turn.waiting')
          .orderBy('events.n', 'desc')
          .limit(1)
          .as('parked'),
      (join) => join.onTrue(),
    )
    .selectAll('jobs')
    .select(['last_status', 'outcome', 'question', 'nothing_changed', 'asked_at', 'choices'])
    .select(['parked_for', 'parked_until', 'waiting'])
    .select([
      stateOfJob().as('state'),
      sql<AskedByColumn | null>`(select asked_by from turns where job_id = jobs.id and n = 1)`.as(
        'created_by',
      ),
      sql<number>`(select count(*) from turns where job_id = jobs.id)`.as('turns'),
      keptTurnNumber().as('kept_turn'),
      sumOf('input_tokens'),
      sumOf('cached_input_tokens'),
      sumOf('output_tokens'),
      sumOf('cost'),
      // A turn of a model without a known price makes the sum unknown. The offset is as in the state.
      sql<boolean>`exists (
        select from turns where job_id = jobs.id and cost is null and input_tokens + output_tokens > 0 offset 0
      )`.as('cost_unknown'),
    ])
    .where(which)
}

type Summed = 'input_tokens' | 'cached_input_tokens' | 'output_tokens' | 'cost'

function sumOf<Column extends Summed>(column: Column) {
  const name = sql.ref(column)
  return sql<number>`(select coalesce(sum(${name}), 0)::int8 from turns where job_id = jobs.id)`.as(column)
}

type SelectedJob = Awaited<ReturnType<ReturnType<typeof selectJobs>['execute']>>[number]

function toJob(row: SelectedJob): Job {
  const { last_status: last, outcome, question, asked_at: askedAt } = row
  const { parked_for: reason, parked_until: until, waiting: message } = row
  const isAsking = row.status === 'completed' && question !== null && askedAt !== null
  return {
    id: row.id,
    projectId: row.project_id,
    status: row.status,
    state: row.state,
    title: row.title ?? '',
    model: row.model,
    base: row.base,
    branch: row.branch,
    draft: row.draft,
    draftForChecks: row.draft_for_checks,
    pullRequest: row.pull_request ?? undefined,
    failure: row.failure ?? undefined,
    // A cancellation fails the turn under way and drops those behind it.
    outcome: last === 'failed' || last === 'cancelled' ? 'failed' : (outcome ?? undefined),
    nothingChanged: row.status === 'active' ? undefined : (row.nothing_changed ?? undefined),
    question: isAsking ? { text: question, askedAt, choices: row.choices ?? [] } : undefined,
    waiting: until === null ? undefined : { for: reason ?? 'host', until, message: message ?? '' },
    createdBy: row.created_by ?? undefined,
    gapId: row.gap_id ?? undefined,
    checks: row.checks,
    changes: row.changes,
    kept: row.kept_turn === null ? undefined : { turn: row.kept_turn },
    turns: row.turns,
    usage: {
      inputTokens: row.input_tokens,
      cachedInputTokens: row.cached_input_tokens,
      outputTokens: row.output_tokens,
      cost: row.cost_unknown ? undefined : row.cost / 1e6,
    },
    createdAt: row.created_at,
    archivedAt: row.archived_at ?? undefined,
    revision: row.revision,
  }
}

/**
 * The branch name of a job: the prefix, and the random end of its id. After a person has merged or closed a pull
 * request the job gets a new branch, so that their work is never overwritten: `generation` counts the branches.
 */
export function branchName(jobId: string, generation: number, prefix = defaultBranchPrefix): string {
  const name = `${prefix}${endOf(jobId)}`
  return generation === 1 ? name : `${name}-${generation}`
}

/** Which branch of the job it is, from 1. */
export function generationOf(jobId: string, branch: string): number {
  const end = endOf(jobId)
  return Number(branch.slice(branch.lastIndexOf(end) + end.length + 1)) || 1
}

/** What the name of a job's branch begins with. */
export function prefixOf(jobId: string, branch: string): string {
  return branch.slice(0, branch.lastIndexOf(endOf(jobId)))
}

/** Whether a branch is one of the job's, whatever its prefix was then. */
export function isBranchOfJob(jobId: string, branch: string): boolean {
  const at = branch.lastIndexOf(endOf(jobId))
  return at !== -1 && /^[^-]+(?:-\d+)?$/.test(branch.slice(at))
}

function endOf(jobId: string): string {
  return jobId.slice(-12)
}
