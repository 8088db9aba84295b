import { sql } from 'kysely'
import { makeStorable } from '../../lib/text/plain-text.ts'
import { json, type Reader, type Store, type Tx } from '../../store/database.ts'

/** What a platform sent, as it arrived. */
export interface ChatEvent {
  chatId: string
  /** The same however often and in whatever form the platform sends it. */
  key: string
  /** Events of one thread are worked on one after the other. */
  thread: string
  contentType: string
  body: string
}

/** An event that only this process may work on now. */
export interface ClaimedEvent extends ChatEvent {
  /** Number of this attempt. */
  attempt: number
  /** The message that an earlier attempt has posted. */
  reply: string | undefined
  receivedAt: Date
}

/** Seconds after which another process takes over from one that has ended. */
const lease = 15
export const mostAttempts = 5

/** @returns false when it is known already */
export async function keepEvent(tx: Tx, event: ChatEvent): Promise<boolean> {
  const row = await tx
    .insertInto('chat_events')
    .values({
      chat_id: event.chatId,
      key: event.key,
      thread: event.thread,
      content_type: event.contentType,
      body: makeStorable(event.body),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

/** Claims the oldest waiting event of each thread, the longest waiting first. */
export async function claimEvents(store: Store, limit: number): Promise<ClaimedEvent[]> {
  // A cheap query first, because there is mostly nothing to do.
  const waiting = await sql`select from chat_events where state = 'waiting' limit 1`.execute(store.db)
  if (waiting.rows.length === 0) return []
  const { rows } = await store.transaction((tx) =>
    sql<ClaimedEvent>`
      with free as materialized (
        select e.chat_id, e.key from chat_events e
        where e.state = 'waiting' and (e.claimed_until is null or e.claimed_until < now())
          and not exists (
            select from chat_events o
            where o.chat_id = e.chat_id and o.thread = e.thread and o.state = 'waiting'
              and (o.received_at, o.key) < (e.received_at, e.key)
          )
        order by e.received_at limit ${limit}::int
        for update skip locked
      )
      update chat_events e
      set attempts = e.attempts + 1, claimed_until = now() + make_interval(secs => ${lease}::int)
      from free
      where e.chat_id = free.chat_id and e.key = free.key
        -- Another process may have claimed it before this statement had its lock.
        and e.state = 'waiting' and (e.claimed_until is null or e.claimed_until < now())
      returning e.chat_id as "chatId", e.key, e.thread, e.content_type as "contentType", e.body,
        e.attempts as attempt, e.reply, e.received_at as "receivedAt"
    `.execute(tx),
  )
  return rows.map((row) => ({ ...row, reply: row.reply ?? undefined }))
}

/** So that no other process takes over what still runs. */
export async function renewClaims(store: Store, underWay: readonly ClaimedEvent[]): Promise<void> {
  const mine = underWay.map(({ chatId, key, attempt }) => ({ chatId, key, attempt }))
  await store.transaction((tx) =>
    sql`
      update chat_events e set claimed_until = now() + make_interval(secs => ${lease}::int)
      from jsonb_to_recordset(${json(mine)}) as mine("chatId" text, key text, attempt int)
      where e.chat_id = mine."chatId" and e.key = mine.key and e.attempts = mine.attempt and e.state = 'waiting'
    `.execute(tx),
  )
}

/** Notes the message that was posted for an event, which a later attempt edits instead of posting another one. */
export async function noteReply(tx: Tx, { chatId, key }: ChatEvent, reply: string): Promise<void> {
  await tx
    .updateTable('chat_events')
    .set({ reply })
    .where('chat_id', '=', chatId)
    .where('key', '=', key)
    .execute()
}

/** @returns whether it is tried again */
export async function endEvent(tx: Tx, event: ClaimedEvent, error?: string): Promise<boolean> {
  const again = error !== undefined && event.attempt < mostAttempts
  await tx
    .updateTable('chat_events')
    .set({
      state: again ? 'waiting' : error === undefined ? 'done' : 'failed',
      claimed_until: again ? sql<Date>`now() + make_interval(secs => ${2 * event.attempt ** 2}::int)` : null,
      error: error?.slice(0, 1000) ?? null,
      // What was said is kept where it belongs: in the conversation, or in the job.
      ...(!again && { body: '' }),
    })
    .where('chat_id', '=', event.chatId)
    .where('key', '=', event.key)
    .where('attempts', '=', event.attempt)
    .execute()
  return again
}

export interface EventSummary {
  key: string
  receivedAt: Date
  state: 'waiting' | 'done' | 'failed'
  attempts: number
  error: string | undefined
}

/** Newest first. */
export async function lastEvents(reader: Reader, chatId: string, limit: number): Promise<EventSummary[]> {
  const rows = await reader
    .selectFrom('chat_events')
    .select(['key', 'received_at as receivedAt', 'state', 'attempts', 'error'])
    .where('chat_id', '=', chatId)
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, error: row.error ?? undefined }))
}

/** Events that no platform sends again. */
export async function deleteOldEvents(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('chat_events')
    .where('received_at', '<', sql<Date>`now() - interval '7 days'`)
    .where('state', '<>', 'waiting')
    .execute()
}
