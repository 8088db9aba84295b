import { sql } from 'kysely'
import { getJob } from '../../features/agent/jobs.ts'
import { findProject } from '../../features/projects/projects.ts'
import type { Store, Tx } from '../../store/database.ts'
import type { ChatPostKindColumn } from '../../store/tables/chat-tables.ts'
import { postLine } from './post-text.ts'

/** Lines of a digest; the rest is counted. */
const mostLines = 25
/** Days begin in the morning. */
const day = sql`date_trunc('day', now() at time zone 'UTC' - interval '8 hours')`
const due = sql<boolean>`state = 'held' and created_at < (${day} + interval '8 hours') at time zone 'UTC'`

interface Held {
  kind: ChatPostKindColumn
  jobId: string | null
}

/** Gathers what was held for each channel until this morning into one post. */
export async function queueDigests(store: Store, publicUrl: string): Promise<void> {
  const channels = await store.db
    .selectFrom('chat_posts')
    .select(['chat_id', 'channel'])
    .distinct()
    .where(due)
    .execute()
  for (const { chat_id: chatId, channel } of channels)
    await store.transaction((tx) => queueDigest(tx, { chatId, channel, publicUrl }))
}

async function queueDigest(
  tx: Tx,
  { chatId, channel, publicUrl }: { chatId: string; channel: string; publicUrl: string },
): Promise<void> {
  const { rows } = await sql<Held>`
    update chat_posts set state = 'done' where chat_id = ${chatId} and channel = ${channel} and ${due}
    returning n, kind, job_id as "jobId"
  `.execute(tx)
  const { project_id: projectId, posts } = await tx
    .selectFrom('chat_channels')
    .select(['project_id', 'posts'])
    .where('chat_id', '=', chatId)
    .where('channel', '=', channel)
    .executeTakeFirstOrThrow()
  const project = await findProject(tx, projectId)
  // The team may have changed its mind meanwhile.
  if (!project || posts === 'nothing') return
  const lines = await Promise.all(
    rows.map(async ({ kind, jobId }) => {
      const job = jobId === null ? undefined : await getJob(tx, projectId, jobId)
      return job ? [`- ${postLine(publicUrl, kind, project, job)}`] : []
    }),
  ).then((all) => all.flat())
  if (lines.length === 0) return
  const rest = lines.length - mostLines
  const text = [...lines.slice(0, mostLines), ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')
  await sql`
    insert into chat_posts (chat_id, channel, key, kind, text)
    values (${chatId}, ${channel}, 'digest ' || to_char(${day}, 'YYYY-MM-DD'), 'digest', ${text})
    on conflict do nothing
  `.execute(tx)
}
