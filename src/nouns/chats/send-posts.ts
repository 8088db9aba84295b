import { pullRequestUrl } from '../../lib/pull-request-url.ts'
import { getJob, type Job } from '../../features/agent/jobs.ts'
import { findProject, type Project } from '../../features/projects/projects.ts'
import { messageOf } from '../../lib/errors.ts'
import { linkText } from '../../lib/text/link-text.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import type { SecretKey } from '../../lib/secret-box.ts'
import type { Store } from '../../store/database.ts'
import { claimPosts, endPost, type ClaimedPost } from './posts.ts'
import { mrkdwnOf } from './slack/mrkdwn.ts'
import { findMarked, postMarked, type SlackPost } from './slack/post-marked.ts'
import { findChannel, findChat, secretsOf } from './table.ts'
import { saveThread } from './threads.ts'

export interface PostPorts {
  store: Store
  secretKey: SecretKey
  /** Where Slack answers. */
  slackApi: string
  readMarkdown: ReadMarkdown
  publicUrl(): string
  reportError(error: unknown): void
}

const mostAtOnce = 8

/** Posts what waits. Any number of processes may do so on one store. */
export async function sendPosts(ports: PostPorts): Promise<void> {
  const { store } = ports
  await Promise.all(
    (await claimPosts(store, mostAtOnce)).map(async (post) => {
      const result = await send(ports, post).catch((error: unknown) => ({ error: messageOf(error) }))
      await store.transaction((tx) => endPost(tx, post, result))
    }),
  )
}

async function send(ports: PostPorts, post: ClaimedPost): Promise<{ message: string } | { error: string }> {
  const { db } = ports.store
  const chat = await findChat(db, post.chatId)
  const channel = chat && (await findChannel(db, chat.id, post.channel))
  const project = channel && (await findProject(db, channel.projectId))
  const job = post.jobId !== undefined && project ? await getJob(db, project.id, post.jobId) : undefined
  // The channel may be about another project by now.
  if (!chat || !project || (post.jobId !== undefined && !job))
    return { error: 'It belongs to another project' }
  const { botToken } = secretsOf(ports.secretKey, chat)
  const blocks = await mrkdwnOf(ports, project.id, textOf(ports, post, project, job))
  const marked: SlackPost = { ...post, blocks, notice: heads[post.kind], mark: post.key }
  // An attempt that was cut off may have posted it.
  const earlier = post.attempt > 1 ? await findMarked(ports.slackApi, botToken, marked) : undefined
  const message = earlier ?? (await postMarked(ports.slackApi, botToken, marked))
  // Who mentions the app below it speaks of this job.
  if (job && post.below === undefined)
    await ports.store.transaction((tx) =>
      saveThread(
        tx,
        { chatId: chat.id, thread: `slack:${post.channel}:${message}` },
        { projectId: project.id, starter: '', shows: job.id },
      ),
    )
  return { message }
}

const heads: Readonly<Record<ClaimedPost['kind'], string>> = {
  opened: 'Pull request opened',
  waiting: 'Waiting for review for three days',
  asked: 'The agent has a question',
  merged: 'Pull request merged',
  failed: 'Job failed',
  gaps: 'What people asked this week and the docs don’t answer',
}

function textOf(
  { publicUrl }: PostPorts,
  { kind, text }: ClaimedPost,
  { domain }: Project,
  job: Job | undefined,
): string {
  if (!job) return `**${heads[kind]}**\n\n${text}`
  const jobUrl = `${publicUrl()}/projects/${domain}/jobs/${job.id}`
  const pull = job.pullRequest
  const links = [
    `[${linkText(job.title, 'Job')}](${jobUrl})`,
    ...(pull ? [`[#${pull.number}](${pullRequestUrl(publicUrl(), pull.link)})`] : []),
  ]
  const rest =
    kind === 'asked' ? [text, 'To answer, mention the app in this thread, or open the job.'] : [text]
  return [`**${heads[kind]}**: ${links.join(' ')}`, ...rest].filter((part) => part !== '').join('\n\n')
}
