import { getJob, type Job } from '../../features/agent/jobs.ts'
import { findProject, type Project } from '../../features/projects/projects.ts'
import { messageOf } from '../../lib/errors.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import type { Store } from '../../store/database.ts'
import { postHeads, postLine } from './post-text.ts'
import { claimPosts, endPost, type ClaimedPost } from './posts.ts'
import { contentOf } from './markup.ts'
import { threadName } from './platform.ts'
import type { BotOf } from './bots.ts'
import { findChannel, findChat } from './table.ts'
import { saveThread } from './threads.ts'

export interface PostPorts {
  store: Store
  readMarkdown: ReadMarkdown
  publicUrl(): string
}

const mostAtOnce = 8

/** Posts what waits. Any number of processes may do so on one store. */
export async function sendPosts(ports: PostPorts, botOf: BotOf): Promise<void> {
  const { store } = ports
  await Promise.all(
    (await claimPosts(store, mostAtOnce)).map(async (post) => {
      const result = await send(ports, botOf, post).catch((error: unknown) => ({ error: messageOf(error) }))
      await store.transaction((tx) => endPost(tx, post, result))
    }),
  )
}

async function send(
  ports: PostPorts,
  botOf: BotOf,
  post: ClaimedPost,
): Promise<{ message: string } | { error: string }> {
  const { db } = ports.store
  const chat = await findChat(db, post.chatId)
  const channel = chat && (await findChannel(db, chat.id, post.channel))
  const project = channel && (await findProject(db, channel.projectId))
  const job = post.jobId !== undefined && project ? await getJob(db, project.id, post.jobId) : undefined
  // The channel may be about another project by now.
  if (!chat || !project || (post.jobId !== undefined && !job))
    return { error: 'It belongs to another project' }
  const { platform, connection } = botOf(chat)
  const markdown = textOf(ports, post, project, job)
  const content = await contentOf(ports.readMarkdown, platform, {
    projectId: project.id,
    markdown,
    notice: postHeads[post.kind],
  })
  const { channel: at, below, key, createdAt } = post
  const thread = below === undefined ? undefined : threadName(chat.platform, at, below)
  const [spot, mark] = [
    { channel: at, thread },
    { mark: key, since: createdAt },
  ]
  // An attempt that was cut off may have posted it.
  const earlier = post.attempt > 1 ? await connection.findPosted(spot, mark) : undefined
  const message = earlier ?? (await connection.post(spot, content, mark))
  // Who mentions the app below it speaks of this job.
  if (job && post.below === undefined)
    await ports.store.transaction((tx) =>
      saveThread(
        tx,
        { chatId: chat.id, thread: threadName(chat.platform, at, message) },
        { projectId: project.id, starter: '', shows: job.id },
      ),
    )
  return { message }
}

function textOf(
  { publicUrl }: PostPorts,
  { kind, text }: ClaimedPost,
  project: Project,
  job: Job | undefined,
): string {
  if (!job) return `**${postHeads[kind]}**\n\n${text}`
  const rest =
    kind === 'asked' ? [text, 'To answer, mention the app in this thread, or open the job.'] : [text]
  return [postLine(publicUrl(), kind, project, job), ...rest].filter((part) => part !== '').join('\n\n')
}
