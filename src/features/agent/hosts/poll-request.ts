import { mostComments, type Comment } from '../../../integrations/forges/forge.ts'
import type { Tx } from '../../../store/database.ts'
import { appendEvents } from '../events.ts'
import { lockJob, readJob } from '../jobs.ts'
import { writeReview, type ReviewRemark } from '../../../lib/prompts/review-prompt.ts'
import { recordPullRequestState } from '../publish/record-publication.ts'
import { isRecorded, recordComment, countRecentComments } from './comments.ts'
import type { HostFollowPorts, HostedProject } from './ports.ts'
import { readMention } from './read-mention.ts'
import { recordPoll, type HostRequest } from './requests.ts'
import { lastTurn } from '../turns.ts'
import { AppError } from '../../../lib/errors.ts'
import { makeStorable } from '../../../lib/text/plain-text.ts'
import { addMessage } from '../add-message.ts'

/** Milliseconds that a comment waits for the host to say whether its author has write access. */
const longestWait = 7 * 86_400_000

/** Reads the state and the new comments of a pull request from the host, and acts on them. Can be repeated. */
export async function pollRequest(
  ports: HostFollowPorts,
  project: HostedProject,
  watched: HostRequest,
): Promise<void> {
  const { forge } = project.hosted
  const request = await forge.read(watched.number)
  const comments = request ? await forge.commentsSince(watched.number, watched.commentsSince) : []
  const waiting: Comment[] = []
  for (const comment of comments) {
    const prompt = comment.bot === true ? undefined : readMention(comment.body, project.names)
    if (prompt === undefined || (await isRecorded(ports.store.db, project.id, comment.id))) continue
    const trusted = isNamed(project, comment) || comment.trusted
    if (trusted === true) await addFollowUp(ports, project, watched, { comment, asked: prompt })
    else if (trusted === undefined && ports.now().getTime() - comment.createdAt.getTime() < longestWait)
      waiting.push(comment)
  }
  // Only the first comment gets an explanation: everybody sees it, and strangers must not be able to make the agent
  // post more.
  if (waiting[0]) await explainWaiting(ports, project, watched, waiting[0])
  // Waiting comments are read again, and so are the ones after them, which are recognized as handled.
  const seen = waiting[0] ? [waiting[0]] : comments
  const newest = seen.map(({ createdAt }) => createdAt.getTime())
  await ports.store.transaction(async (tx) => {
    if (request) await recordPullRequestState(tx, watched.jobId, request)
    // Waiting comments do not count as seen, so that the same comments are read again.
    if (comments.length >= mostComments && !waiting[0]) await reportSkipped(tx, watched, comments[0])
    if (request?.state === 'merged') await ports.onMerge(tx, project.id)
    await recordPoll(tx, watched, {
      isOpen: request?.state === 'open',
      commentsSince: newest.length === 0 ? undefined : new Date(Math.max(...newest)),
    })
  })
}

async function reportSkipped(
  tx: Tx,
  { jobId, number }: HostRequest,
  oldest: Comment | undefined,
): Promise<void> {
  const job = await lockJob(tx, jobId)
  const since = oldest?.createdAt.toISOString()
  const message = `More than ${mostComments} comments came at once: those before ${since} were skipped, so repeat the requests in them`
  if (job)
    await appendEvents(tx, jobId, await lastTurn(tx, jobId), [
      { type: 'comments.skipped', data: { number, since, message } },
    ])
}

// Comments of people without write access are material for the agent, never a task.
function isNamed({ trusted }: HostedProject, { author, account }: Comment): boolean {
  const name = (account ?? author).toLowerCase()
  return name !== '' && trusted.some((one) => one.toLowerCase() === name)
}

async function explainWaiting(
  { store }: HostFollowPorts,
  project: HostedProject,
  { jobId, number }: HostRequest,
  { author, account }: Comment,
): Promise<void> {
  const commentId = `untold-${number}`
  if (await isRecorded(store.db, project.id, commentId)) return
  const refusal = [
    'I can’t check who has write access to this repository, so I can’t accept requests from comments.',
    'The person who manages the project in Docwright finds in its settings of the git host what the credential lacks,',
    `or can name people they know in the setting “trusted”, such as ${account ?? author}.`,
    'Requests of the last seven days are then handled automatically.',
  ].join(' ')
  await store.transaction((tx) =>
    recordComment(tx, { projectId: project.id, commentId, jobId, number, refusal }),
  )
}

/**
 * The most comments handled per pull request and hour: more than people write, and it stops loops between bots that
 * the host does not mark as such.
 */
const mostPerHour = 20

class AlreadyRecorded extends Error {}

/** Turns a comment into a follow-up message, or records why that was refused. Can be repeated. */
async function addFollowUp(
  ports: HostFollowPorts,
  project: HostedProject,
  { jobId, number }: HostRequest,
  { comment, asked }: { comment: Comment; asked: string },
): Promise<void> {
  const taken = { projectId: project.id, commentId: comment.id, jobId, number }
  const prompt = await promptOf(ports, project, jobId, { comment, asked })
  try {
    await addMessage(
      ports,
      project,
      jobId,
      { prompt, author: comment.author.slice(0, 200) },
      async (tx, job) => {
        await requireHourlyLimit(tx, project.id, number)
        if (!(await recordComment(tx, { ...taken, turn: job.turns }))) throw new AlreadyRecorded()
        await ports.takeLimit(tx, project.id)
      },
    )
  } catch (error) {
    if (error instanceof AlreadyRecorded) return
    if (!(error instanceof AppError) || !['rate_limited', 'invalid'].includes(error.code)) throw error
    await ports.store.transaction(async (tx) => {
      // Only the first comment over the limit gets a reply: replying to each would also continue the loop.
      const isSilent = (await countRecentComments(tx, project.id, number)) > mostPerHour
      await recordComment(tx, { ...taken, refusal: error.message, isSilent })
    })
  }
}

async function requireHourlyLimit(tx: Tx, projectId: string, number: number): Promise<void> {
  if ((await countRecentComments(tx, projectId, number)) >= mostPerHour)
    throw new AppError(
      'rate_limited',
      `This pull request reached the limit of ${mostPerHour} comment requests per hour. Try again later`,
    )
}

const mostLines = 100
const longestQuote = 5000

/** A comment on the diff is a review of one place, as comments on the dashboard are. */
async function promptOf(
  ports: HostFollowPorts,
  project: HostedProject,
  jobId: string,
  { comment, asked }: { comment: Comment; asked: string },
): Promise<string> {
  const { path, line: endLine = 0, side = 'new' } = comment
  if (path === undefined) return makeStorable(asked)
  const line = Math.max(Math.min(comment.startLine ?? endLine, endLine), endLine - mostLines + 1, 0)
  const job = await readJob(ports.store.db, jobId)
  const present = side === 'old' ? job?.base_commit : job?.head_commit
  // Other lines than those that the person saw would be worse than none.
  const revision = comment.commit ?? (comment.outdated === true ? undefined : present)
  const lines = endLine > 0 && revision ? await ports.readLines(project.id, revision, path) : []
  const quote = lines
    .slice(line - 1, endLine)
    .join('\n')
    .slice(0, longestQuote)
  const remark: ReviewRemark = { path, side, line, endLine, quote, body: asked }
  return makeStorable(writeReview({ remarks: [remark], remark: undefined }))
}
