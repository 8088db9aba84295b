import { sql } from 'kysely'
import { makeStorable } from '../../lib/text/plain-text.ts'
import { json, type Tx } from '../../store/database.ts'
import type { ChatPostKindColumn } from '../../store/tables/chat-tables.ts'

interface JobEvent {
  n: number
  type: string
  data: Record<string, unknown>
}

const kindOf: ReadonlyMap<string, ChatPostKindColumn> = new Map([
  ['pull_request.opened', 'opened'],
  ['pull_request.merged', 'merged'],
  ['turn.asked', 'asked'],
  ['turn.failed', 'failed'],
])

const longestText = 2000

/**
 * Writes what channels are to be told of a job's events, in the transaction that writes the events. The job must be
 * locked, and its turns in their final state of the transaction.
 */
export async function queueChatPosts(tx: Tx, jobId: string, events: readonly JobEvent[]): Promise<void> {
  const posts = events.flatMap(({ n, type, data: { message } }) => {
    const kind = kindOf.get(type)
    const text = typeof message === 'string' ? makeStorable(message.slice(0, longestText)) : ''
    return kind === undefined ? [] : [{ n, kind, text }]
  })
  if (posts.length === 0) return
  await sql`
    insert into chat_posts (chat_id, channel, key, kind, job_id, text, state)
    select c.chat_id, c.channel, j.id || ' ' || post.n, post.kind, j.id, post.text,
      case when c.posts = 'digest' and post.kind <> 'asked' then 'held' else 'waiting' end
    from jobs j join chat_channels c on c.project_id = j.project_id
      cross join jsonb_to_recordset(${json(posts)}) as post (n int, kind text, text text)
    where j.id = ${jobId}
      and (c.posts in ('everything', 'digest') or (c.posts = 'attention' and post.kind in ('asked', 'failed')))
      -- A job fails when nothing more is tried.
      and (post.kind <> 'failed'
        or not exists (select from turns where job_id = j.id and status in ('queued', 'running')))
      -- Where somebody has asked for the job in the channel, a message there shows how it is.
      and not exists (
        select from chat_threads t where t.chat_id = c.chat_id and t.job_id = j.id and t.starter <> ''
          and split_part(t.thread, ':', 2) = replace(c.channel, ':', '%3A'))
    order by post.n
    on conflict do nothing
  `.execute(tx)
}
