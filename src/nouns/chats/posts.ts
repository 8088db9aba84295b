import { sql } from 'kysely'
import { linkText } from '../../lib/text/link-text.ts'
import { makeStorable } from '../../lib/text/plain-text.ts'
import type { Store, Tx } from '../../store/database.ts'
import type { ChatPostKindColumn } from '../../store/tables/chat-tables.ts'
import { listGaps } from '../gaps/table.ts'

/** Something that only this process may post now. */
export interface ClaimedPost {
  chatId: string
  channel: string
  /** What happened, the same for all attempts. */
  key: string
  kind: ChatPostKindColumn
  jobId: string | undefined
  text: string
  createdAt: Date
  attempt: number
  /** The message that it stands below. */
  below: string | undefined
}

/** Seconds after which another process takes over from one that has ended: longer than an attempt takes. */
const lease = 60
const mostAttempts = 8

/** Claims the oldest waiting post of each job, the longest waiting first. */
export async function claimPosts(store: Store, limit: number): Promise<ClaimedPost[]> {
  // A cheap query first, because there is mostly nothing to do.
  const waiting = await sql`select from chat_posts where state = 'waiting' limit 1`.execute(store.db)
  if (waiting.rows.length === 0) return []
  const { rows } = await store.transaction((tx) =>
    sql<ClaimedPost & { jobId: string | null; below: string | null }>`
      with free as materialized (
        select p.chat_id, p.channel, p.key from chat_posts p
        where p.state = 'waiting' and (p.claimed_until is null or p.claimed_until < now())
          and not exists (
            select from chat_posts o
            where o.chat_id = p.chat_id and o.channel = p.channel and o.job_id = p.job_id
              and o.state = 'waiting' and o.n < p.n
          )
        order by p.n limit ${limit}::int
        for update skip locked
      )
      update chat_posts p
      set attempts = p.attempts + 1, claimed_until = now() + make_interval(secs => ${lease}::int)
      from free
      where p.chat_id = free.chat_id and p.channel = free.channel and p.key = free.key
        -- Another process may have claimed it before this statement had its lock.
        and p.state = 'waiting' and (p.claimed_until is null or p.claimed_until < now())
      returning p.chat_id as "chatId", p.channel, p.key, p.kind, p.job_id as "jobId", p.text,
        p.created_at as "createdAt", p.attempts as attempt, (
          select split_part(t.thread, ':', 3) from chat_threads t
          where t.chat_id = p.chat_id and t.job_id = p.job_id and split_part(t.thread, ':', 2) = replace(p.channel, ':', '%3A')
          order by t.created_at limit 1
        ) as below
    `.execute(tx),
  )
  return rows.map((row) => ({ ...row, jobId: row.jobId ?? undefined, below: row.below ?? undefined }))
}

/** Ends an attempt, with the message that was posted or why there is none. */
export async function endPost(
  tx: Tx,
  { chatId, channel, key, attempt }: ClaimedPost,
  result: { message: string } | { error: string },
): Promise<void> {
  const change =
    'message' in result
      ? { state: 'done' as const, message: result.message, error: null, claimed_until: null }
      : {
          state: attempt < mostAttempts ? ('waiting' as const) : ('failed' as const),
          error: makeStorable(result.error.slice(0, 1000)),
          claimed_until: sql<Date>`now() + make_interval(secs => ${10 * attempt ** 2}::int)`,
        }
  await tx
    .updateTable('chat_posts')
    .set(change)
    .where('chat_id', '=', chatId)
    .where('channel', '=', channel)
    .where('key', '=', key)
    .where('attempts', '=', attempt)
    .execute()
}

/** Queues what nothing that happens brings: pull requests that wait for review, and gaps once a week. */
export async function queueReminders(store: Store, publicUrl: string): Promise<void> {
  await store.transaction((tx) =>
    sql`
      insert into chat_posts (chat_id, channel, key, kind, job_id, text, state)
      select c.chat_id, c.channel, j.id || ' waiting ' || (j.pull_request->>'number'), 'waiting', j.id, '',
        case when c.posts = 'digest' then 'held' else 'waiting' end
      from chat_channels c join jobs j on j.project_id = c.project_id
      where c.posts <> 'nothing' and j.status in ('completed', 'failed') and not j.draft and not j.draft_for_checks
        and j.pull_request->>'state' = 'open'
        -- Older ones are not news where a channel was just set up.
        and (select max(created_at) from events where job_id = j.id and type = 'pull_request.opened')
          between now() - interval '14 days' and now() - interval '3 days'
      on conflict do nothing
    `.execute(tx),
  )
  const { rows } = await sql<{
    chatId: string
    channel: string
    projectId: string
    domain: string
    key: string
  }>`
    select c.chat_id as "chatId", c.channel, p.id as "projectId", p.domain, week.key
    from chat_channels c join projects p on p.id = c.project_id
      -- Weeks begin on Monday morning.
      cross join (select 'gaps ' || to_char(now() at time zone 'UTC' - interval '8 hours', 'IYYY-IW') as key) week
    where c.posts <> 'nothing' and not exists (
      select from chat_posts o where o.chat_id = c.chat_id and o.channel = c.channel and o.key = week.key)
  `.execute(store.db)
  for (const { chatId, channel, projectId, domain, key } of rows) {
    const gaps = await listGaps(store.db, projectId, { days: 7, state: 'open', offset: 0, limit: mostGaps })
    const lines = gaps
      .filter(({ trend }) => trend.now > 0)
      .map(
        ({ id, name, trend }) =>
          `- [${linkText(name)}](${publicUrl}/projects/${domain}/gaps/${id}): asked ${trend.now === 1 ? 'once' : `${trend.now} times`}`,
      )
    if (lines.length === 0) continue
    const text = makeStorable(lines.join('\n'))
    await store.transaction((tx) =>
      tx
        .insertInto('chat_posts')
        .values({ chat_id: chatId, channel, key, kind: 'gaps', text })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  }
}

const mostGaps = 5

/** Posts that nothing refers to any more. Those of a week are kept longer than the week. */
export async function deleteOldPosts(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('chat_posts')
    .where('created_at', '<', sql<Date>`now() - interval '60 days'`)
    .where('state', '<>', 'waiting')
    .execute()
}
