import { sql, type Selectable } from 'kysely'
import { json, type Reader, type Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { storableJson } from '../../lib/text/storable-json.ts'
import { queueChatPosts } from './queue-chat-posts.ts'
import { queueWebhooks } from './webhooks/queue-webhooks.ts'

export type EventType =
  | 'turn.queued'
  | 'turn.started'
  | 'fetching'
  | 'pushing'
  | 'turn.waiting'
  | 'turn.asked'
  | 'base.renamed'
  | 'base.merged'
  | 'work.carried'
  | 'branch.moved'
  | 'step'
  | 'tool'
  | 'file.changed'
  | 'model.fallback'
  | 'attention'
  | 'approved'
  | 'checks'
  | 'comments.skipped'
  | 'published'
  | 'pull_request.opened'
  | 'pull_request.updated'
  | 'pull_request.merged'
  | 'pull_request.closed'
  | 'pull_request.reopened'
  | 'turn.completed'
  | 'turn.failed'
  | 'cancelled'
  | 'archived'

export interface NewEvent {
  type: EventType
  /** For people and programs: plain fields, with a `message` where there is something to say. */
  data: Record<string, unknown>
}

export interface JobEvent extends NewEvent {
  /** 1, 2, 3 … without gaps within a job. */
  n: number
  /** The turn's number within the job. */
  turn: number
  createdAt: Date
}

/** The events after number `after`, at most `limit`; none when there is no such job in this project. */
export async function listEvents(
  reader: Reader,
  projectId: string,
  jobId: string,
  options: { after: number; limit: number },
): Promise<JobEvent[]> {
  const rows = await selectEvents(reader, projectId, jobId)
    .where('events.n', '>', options.after)
    .orderBy('events.n')
    .limit(options.limit)
    .execute()
  return rows.map(toEvent)
}

/** The last events, in their order. */
export async function newestEvents(
  reader: Reader,
  projectId: string,
  jobId: string,
  limit: number,
): Promise<JobEvent[]> {
  const rows = await selectEvents(reader, projectId, jobId).orderBy('events.n', 'desc').limit(limit).execute()
  return rows.reverse().map(toEvent)
}

function selectEvents(reader: Reader, projectId: string, jobId: string) {
  return reader
    .selectFrom('events')
    .innerJoin('jobs', 'jobs.id', 'events.job_id')
    .selectAll('events')
    .where('jobs.project_id', '=', projectId)
    .where('events.job_id', '=', jobId)
}

// Safe, because only the function below writes these columns.
function toEvent(row: Selectable<Tables['events']>): JobEvent {
  return {
    n: row.n,
    turn: row.turn,
    type: row.type as EventType,
    data: row.data as Record<string, unknown>,
    createdAt: row.created_at,
  }
}

/** The job must be locked, so that the numbers have no gaps and no duplicates. */
export async function appendEvents(
  tx: Tx,
  jobId: string,
  turn: number,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return
  const written = await tx
    .insertInto('events')
    .values(
      events.map((event, index) => ({
        job_id: jobId,
        n: sql<number>`(select coalesce(max(n), 0) + ${index + 1}::int from events where job_id = ${jobId})`,
        turn,
        type: event.type,
        data: json(storableJson(event.data)),
      })),
    )
    .returning('n')
    .execute()
  await queueWebhooks(tx, jobId, turn, events)
  const first = Math.min(...written.map(({ n }) => n))
  await queueChatPosts(
    tx,
    jobId,
    events.map((event, index) => ({ n: first + index, ...event })),
  )
  await noteForHosts(
    tx,
    jobId,
    events.map(({ type }) => type),
  )
}

const statusEvents = new Set<string>([
  'published',
  'turn.started',
  'turn.completed',
  'turn.failed',
  'cancelled',
  // People have pushed: their commit has no state yet.
  'branch.moved',
])

/**
 * Called in the transaction that writes events of these types: new pull requests on hosts are watched from now on,
 * and new states are reported to the host.
 */
async function noteForHosts(tx: Tx, jobId: string, types: readonly string[]): Promise<void> {
  if (types.includes('pull_request.opened')) {
    await sql`
      insert into host_requests (job_id, project_id, number, due_at)
      select jobs.id, jobs.project_id, (jobs.pull_request->>'number')::int, now() + interval '5 seconds'
      from jobs join project_hosts on project_hosts.project_id = jobs.project_id
      where jobs.id = ${jobId} and project_hosts.kind <> 'git' and jobs.pull_request is not null
      on conflict (job_id) do update
        set number = excluded.number, due_at = excluded.due_at, comments_since = null
    `.execute(tx)
  }
  if (types.some((type) => statusEvents.has(type))) {
    await tx
      .updateTable('host_requests')
      .set({ status_due_at: sql<Date>`now()` })
      .where('job_id', '=', jobId)
      .execute()
  }
}
