import { sql } from 'kysely'
import { json } from '../../../store/database.ts'
import type { Store, Tx } from '../../../store/database.ts'
import { retryDelay } from './retry-delay.ts'
import { disableWebhook } from './webhooks.ts'
import type { PostResult } from './post-webhook.ts'

/** A message that this process, and no other, is to send now. */
export interface ClaimedMessage {
  id: string
  webhookId: string
  url: string
  /** Sealed. */
  secret: string
  payload: string
  /** Number of this attempt. */
  n: number
}

/** Seconds after which an attempt that nobody finished is made by another: well above the longest one. */
const lease = 60

/**
 * Takes due messages, the longest due first.
 * @param options `perWebhook` at once, so that one slow receiver cannot hold up the others; none of `busy`
 */
export async function claimDue(
  store: Store,
  options: { limit: number; perWebhook: number; busy: readonly string[] },
): Promise<ClaimedMessage[]> {
  const { limit, perWebhook, busy } = options
  const { rows } = await store.transaction((tx) =>
    sql<ClaimedMessage>`
      with candidates as materialized (
        select id from (
          select m.id, m.next_attempt_at,
            row_number() over (partition by m.webhook_id order by m.next_attempt_at, m.id) as place
          from webhook_messages m join webhooks w on w.id = m.webhook_id
          where m.state = 'pending' and m.next_attempt_at <= now()
            and (m.claimed_until is null or m.claimed_until < now())
            and w.disabled_at is null and not ${json(busy)} ? m.webhook_id
        ) due
        where place <= ${perWebhook}::int order by next_attempt_at limit ${limit}::int
      ),
      -- Asked again under the lock: another process may have taken it meanwhile.
      free as materialized (
        select id from webhook_messages
        where id in (select id from candidates)
          and state = 'pending' and next_attempt_at <= now() and (claimed_until is null or claimed_until < now())
        for update skip locked
      )
      update webhook_messages m
      set attempts = m.attempts + 1, claimed_until = now() + make_interval(secs => ${lease}::int)
      from free, webhooks w
      where m.id = free.id and w.id = m.webhook_id
      returning m.id, m.webhook_id as "webhookId", w.url, w.secret, m.payload, m.attempts as n
    `.execute(tx),
  )
  return rows
}

/** Writes down how an attempt went, and what follows from it. */
export async function recordAttempt(
  tx: Tx,
  message: Pick<ClaimedMessage, 'id' | 'webhookId' | 'n'>,
  result: PostResult & { milliseconds: number },
): Promise<void> {
  const { id, n } = message
  const exists = await tx
    .selectFrom('webhook_messages')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .execute()
  // Removed with its webhook while it was on its way.
  if (exists.length === 0) return
  await tx
    .insertInto('webhook_attempts')
    .values({
      message_id: id,
      n,
      status: result.status ?? null,
      error: result.error ?? null,
      milliseconds: result.milliseconds,
    })
    .execute()
  const update = tx.updateTable('webhook_messages').where('id', '=', id)
  if (result.error === undefined) {
    const delivered = { state: 'delivered', next_attempt_at: null, claimed_until: null } as const
    await update.set({ ...delivered, delivered_at: sql<Date>`now()` }).execute()
    return
  }
  if (result.status === 410) return disableWebhook(tx, message.webhookId)
  const wait = retryDelay(n)
  // An attempt that took longer than its lease decides nothing: the next one is under way.
  await update
    .where('attempts', '=', n)
    .where('state', '=', 'pending')
    .set({
      claimed_until: null,
      ...(wait === undefined
        ? { state: 'failed' as const, next_attempt_at: null }
        : { next_attempt_at: sql<Date>`now() + make_interval(secs => ${wait}::float8)` }),
    })
    .execute()
}
