import { sql, type RawBuilder } from 'kysely'
import { json, type Store, type Tx } from '../../../store/database.ts'
import { disableWebhook, lockWebhook } from './webhooks.ts'
import type { PostResult } from './post-webhook.ts'

/** A message that only this process may send now. */
export interface ClaimedMessage {
  id: string
  webhookId: string
  url: string
  /** Encrypted. */
  secret: string
  payload: string
  /** Number of this attempt. */
  n: number
}

/**
 * Seconds after which another process takes over the attempt of one that has ended. A living process renews its
 * claim well before.
 */
const lease = 10

/**
 * Claims due messages, the longest due first.
 * @param options `perWebhook` limits the messages of each webhook, so that a slow receiver does not delay others;
 * webhooks in `busy` get none; `wholeLinks` leaves out messages whose links need this server's address
 */
export async function claimDue(
  store: Store,
  options: { limit: number; perWebhook: number; busy: readonly string[]; wholeLinks: boolean },
): Promise<ClaimedMessage[]> {
  const { limit, perWebhook, busy, wholeLinks } = options
  // A cheap query first, because this runs every second and there is mostly nothing to do.
  const waiting = await sql`select from webhook_messages where ${isDue('webhook_messages')} limit 1`.execute(
    store.db,
  )
  if (waiting.rows.length === 0) return []
  const { rows } = await store.transaction((tx) =>
    sql<ClaimedMessage>`
      with candidates as materialized (
        select id from (
          select m.id, m.next_attempt_at,
            row_number() over (partition by m.webhook_id order by m.next_attempt_at nulls first, m.id) as place
          from webhook_messages m join webhooks w on w.id = m.webhook_id
          where ${isDue('m')} and w.disabled_at is null and not ${json(busy)} ? m.webhook_id
            and not (${wholeLinks}::boolean and position('"link":"/' in m.payload) > 0)
        ) due
        where place <= ${perWebhook}::int order by next_attempt_at nulls first limit ${limit}::int
      ),
      -- Checked again under the lock: another process may have claimed it meanwhile.
      free as materialized (
        select id from webhook_messages
        where id in (select id from candidates) and ${isDue('webhook_messages')}
        for update skip locked
      )
      update webhook_messages m
      set attempts = m.attempts + 1, next_attempt_at = null,
        claimed_until = now() + make_interval(secs => ${lease}::int)
      from free, webhooks w
      where m.id = free.id and w.id = m.webhook_id
      returning m.id, m.webhook_id as "webhookId", w.url, w.secret, m.payload, m.attempts as n
    `.execute(tx),
  )
  return rows
}

/** Renews the claims of running attempts, so that no other process repeats them. */
export async function renewClaims(
  store: Store,
  underWay: readonly Pick<ClaimedMessage, 'id' | 'n'>[],
): Promise<void> {
  const attempts = Object.fromEntries(underWay.map(({ id, n }) => [id, n]))
  await store.transaction((tx) =>
    sql`
      with mine as materialized (
        select m.id from jsonb_each_text(${json(attempts)}) own join webhook_messages m on m.id = own.key
        where m.attempts = own.value::int and m.claimed_until is not null
        -- A locked row is being finished, or is renewed the next time.
        for update of m skip locked
      )
      update webhook_messages m set claimed_until = now() + make_interval(secs => ${lease}::int)
      from mine where m.id = mine.id
    `.execute(tx),
  )
}

/** Records the result of an attempt and schedules the next one. */
export async function recordAttempt(
  tx: Tx,
  message: Pick<ClaimedMessage, 'id' | 'webhookId' | 'n'>,
  result: PostResult & { milliseconds: number },
): Promise<void> {
  const { id, n } = message
  const isGone = result.status === 410
  // Webhooks are always locked before their messages, to avoid deadlocks.
  if (isGone) await lockWebhook(tx, message.webhookId)
  const row = await tx
    .selectFrom('webhook_messages')
    .select(['attempts', 'state', 'next_attempt_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  // The message was deleted with its webhook while it was being sent.
  if (!row) return
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
  if (isGone) return disableWebhook(tx, message.webhookId)
  // An attempt whose claim has expired is still recorded, but the claim belongs to another process.
  const isLast = row.attempts === n
  const claim = isLast ? { claimed_until: null } : {}
  const update = tx.updateTable('webhook_messages').where('id', '=', id)
  // Somebody asked to send it again while it was being sent.
  const isAskedAgain = row.state === 'pending' && row.next_attempt_at !== null
  if (result.error === undefined) {
    const delivered = isAskedAgain ? {} : { state: 'delivered' as const, next_attempt_at: null }
    await update.set({ ...claim, ...delivered, delivered_at: sql<Date>`now()` }).execute()
    return
  }
  if (!isLast || row.state !== 'pending') return
  const wait = retryDelay(n)
  if (isAskedAgain) await update.set(claim).execute()
  else if (wait === undefined) await update.set({ ...claim, state: 'failed' }).execute()
  else
    await update
      .set({ ...claim, next_attempt_at: sql<Date>`now() + make_interval(secs => ${wait}::float8)` })
      .execute()
}

// During an attempt the time of the next one is null, unless somebody asks to send the message again.
function isDue(table: 'm' | 'webhook_messages'): RawBuilder<boolean> {
  const due = (name: string) => sql.ref(`${table}.${name}`)
  return sql`(${due('state')} = 'pending'
    and (${due('next_attempt_at')} <= now() or ${due('next_attempt_at')} is null)
    and (${due('claimed_until')} is null or ${due('claimed_until')} < now()))`
}

const minute = 60
const hour = 60 * minute
/** Seconds after the first, second … failed attempt: a little over a day in all. */
const delays = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

/** Seconds until the next attempt after failed attempt `n`, with some jitter; undefined after the last one. */
function retryDelay(n: number): number | undefined {
  const delay = delays[n - 1]
  return delay === undefined ? undefined : delay * (0.9 + Math.random() * 0.2)
}
