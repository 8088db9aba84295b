import { sql } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import type { BudgetColumn } from '../../../store/columns.ts'
import type { JobEvent } from '../events.ts'
import { readJob } from '../jobs.ts'
import { firstOpenTurn, type TurnRow } from '../turns.ts'
import { budgetOf, type Budget, type RunLimits } from '../turns/budget.ts'
import { withInputs, type ToolCall } from '../turns/steps.ts'
import { describeCall } from './calls/describe-call.ts'

/** How far the turn under way is, for people who watch. */
export interface TurnProgress {
  id: string
  turn: number
  /** What it does now, as a sentence without its end: `Reads guides/install.md`. Texts in it are untrusted. */
  now: string
  startedAt: Date | undefined
  /** Cost in millionths of a US dollar; undefined where a price is not known. */
  used: { steps: number; tokens: number; cost: number | undefined; work: number }
  budget: Budget
  /** Jobs that came earlier and wait too; undefined once it has started. */
  ahead: number | undefined
}

/**
 * @param events those of the job so far
 * @param wider the budget of its project
 */
export async function readProgress(
  reader: Reader,
  limits: RunLimits,
  wider: BudgetColumn,
  jobId: string,
  events: readonly JobEvent[],
): Promise<TurnProgress | undefined> {
  const job = await readJob(reader, jobId)
  const turn = job?.status === 'active' ? await firstOpenTurn(reader, jobId) : undefined
  if (job === undefined || turn === undefined) return undefined
  const last = await lastStep(reader, turn.id)
  const isQueued = turn.status === 'queued' && turn.started_at === null
  const ahead = isQueued ? await countAhead(reader, turn) : undefined
  const own = events.filter((event) => event.turn === turn.n)
  return {
    id: turn.id,
    turn: turn.n,
    now: isQueued ? 'Waits for its turn' : sayNow(own.at(-1), last?.calls),
    startedAt: turn.started_at ?? undefined,
    used: {
      steps: last?.n ?? 0,
      tokens: turn.input_tokens + turn.output_tokens,
      cost: turn.cost ?? undefined,
      work: turn.worked,
    },
    budget: budgetOf(limits, wider, job.budget),
    ahead,
  }
}

/** The number of the last step, with its calls while they run. */
async function lastStep(
  reader: Reader,
  turnId: string,
): Promise<{ n: number; calls: ToolCall[] | undefined } | undefined> {
  const row = await reader
    .selectFrom('steps')
    .select(['n', sql<boolean>`results is null`.as('is_open')])
    .select(sql`case when results is null then response end`.as('response'))
    .where('turn_id', '=', turnId)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  // Safe, because only `insertStep` writes this column.
  const calls = row.is_open ? withInputs(row.response as Parameters<typeof withInputs>[0]).calls : undefined
  return { n: row.n, calls }
}

/** Turns that became ready before this one and have not started either. */
async function countAhead(reader: Reader, turn: TurnRow): Promise<number> {
  const { ahead } = await reader
    .selectFrom('turns')
    .select((select) => select.fn.count<number>('job_id').distinct().as('ahead'))
    .where('status', '=', 'queued')
    .where('created_at', '<', turn.created_at)
    .where('job_id', '<>', turn.job_id)
    .executeTakeFirstOrThrow()
  return ahead
}

const doing: Partial<Record<JobEvent['type'], string>> = {
  'turn.queued': 'Starts',
  'turn.started': 'Looks at the repository',
  fetching: 'Fetches the repository',
  'base.merged': 'Brings the branch up to date',
  'work.carried': 'Takes over the work so far',
  checks: 'Asks the model',
  pushing: 'Pushes the branch',
  published: 'Opens the pull request',
}

function sayNow(last: JobEvent | undefined, calls: readonly ToolCall[] | undefined): string {
  const [call] = calls ?? []
  if (call) {
    const more = (calls?.length ?? 0) - 1
    return `${inPresent(describeCall(call.name, call.input))}${more > 0 ? ` and ${more} more` : ''}`
  }
  return (last && doing[last.type]) ?? 'Asks the model'
}

const special: Readonly<Record<string, string>> = {
  Finish: 'Finishes',
  Search: 'Searches',
  Fetch: 'Fetches',
  Check: 'Runs the checks:',
}

/** `Read a.md` as `Reads a.md`. */
function inPresent(description: string): string {
  const [verb = '', ...rest] = description.split(' ')
  return [special[verb] ?? (/^[A-Z][a-z]+$/.test(verb) ? `${verb}s` : verb), ...rest].join(' ')
}
