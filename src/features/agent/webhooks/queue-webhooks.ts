import { sql } from 'kysely'
import type { Tx } from '../../../store/database.ts'
import type { PullRequestColumn } from '../../../store/columns.ts'
import { insertMessage } from './messages.ts'
import type { JobStatus, WebhookPayload } from './payload.ts'
import type { WebhookEvent } from './webhook-events.ts'

interface JobEvent {
  type: string
  data: Record<string, unknown>
}

/** The webhook event of each job event. The end of a turn is only sent when the job ends with it. */
const webhookEventOf: ReadonlyMap<string, { as: WebhookEvent; endsAs?: JobStatus }> = new Map([
  ['turn.started', { as: 'job.started' }],
  ['attention', { as: 'job.needs_attention' }],
  ['turn.asked', { as: 'job.needs_input' }],
  ['pull_request.opened', { as: 'job.pull_request_opened' }],
  ['turn.completed', { as: 'job.completed', endsAs: 'completed' }],
  ['turn.failed', { as: 'job.failed', endsAs: 'failed' }],
  ['cancelled', { as: 'job.failed', endsAs: 'failed' }],
  ['archived', { as: 'job.failed', endsAs: 'archived' }],
])

const longestText = 2000

/**
 * Writes the webhook messages for a job's events, in the transaction that writes the events, so that neither exists
 * without the other. The job must be locked, and its turns in their final state of the transaction.
 */
export async function queueWebhooks(
  tx: Tx,
  jobId: string,
  turn: number,
  events: readonly JobEvent[],
): Promise<void> {
  if (!events.some(({ type }) => webhookEventOf.has(type))) return
  const webhooks = await tx
    .selectFrom('webhooks')
    .innerJoin('jobs', 'jobs.project_id', 'webhooks.project_id')
    .select(['webhooks.id', 'webhooks.events'])
    .where('jobs.id', '=', jobId)
    .where('webhooks.disabled_at', 'is', null)
    .execute()
  if (webhooks.length === 0) return
  const job = await tx
    .selectFrom('jobs')
    .select(['id', 'project_id', 'status', 'title', 'pull_request'])
    .select([
      sql<boolean>`exists (select from turns where job_id = jobs.id and status in ('queued', 'running'))`.as(
        'works',
      ),
      sql<Date>`now()`.as('now'),
    ])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  // The job's row may not have been updated yet, so the events determine the status.
  const ends = events.map(({ type }) => webhookEventOf.get(type)?.endsAs).findLast((end) => end !== undefined)
  const status = job.works ? job.status : (ends ?? job.status)
  const opened = events.map(pullRequestOf).find((request) => request !== undefined)
  const pullRequest = opened ?? job.pull_request
  for (const event of events) {
    const { as: type, endsAs } = webhookEventOf.get(event.type) ?? {}
    // Archiving a job that is not active stops nothing.
    if (event.type === 'archived' && turn === 0) continue
    if (type === undefined || (endsAs !== undefined && (job.works || endsAs !== status))) continue
    const payload: WebhookPayload = {
      type,
      timestamp: job.now.toISOString(),
      data: {
        job: {
          id: job.id,
          projectId: job.project_id,
          status,
          title: job.title ?? '',
          prLink: status === 'active' ? null : (pullRequest?.link ?? null),
          pullRequest,
        },
        turn,
        ...detailsOf(event),
      },
    }
    for (const webhook of webhooks)
      if (webhook.events.length === 0 || webhook.events.includes(type))
        await insertMessage(tx, { webhookId: webhook.id, jobId, type, payload })
  }
}

function pullRequestOf({ type, data: { link, number } }: JobEvent): PullRequestColumn | undefined {
  const opened = type === 'pull_request.opened' && typeof link === 'string' && typeof number === 'number'
  return opened ? { link, number, state: 'open' } : undefined
}

function detailsOf({ type, data }: JobEvent): Record<string, unknown> {
  const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, longestText) : '')
  if (type === 'turn.completed')
    return {
      ...(data['outcome'] !== undefined && { outcome: data['outcome'] }),
      summary: text(data['summary']),
    }
  if (type === 'turn.asked') return { question: text(data['message']) }
  if (type === 'turn.failed') return { failure: { code: text(data['code']), message: text(data['message']) } }
  if (type === 'cancelled' || type === 'archived')
    return { failure: { code: type, message: text(data['message']) } }
  return type === 'attention' ? { reason: text(data['reason']), message: text(data['message']) } : {}
}
