import type { Comment } from '../../../integrations/forges/forge.ts'
import { AppError } from '../../../lib/errors.ts'
import { makeStorable } from '../../../lib/plain-text.ts'
import { addMessage } from '../add-message.ts'
import { recordPullRequestState } from '../record-pull-request-state.ts'
import { isTaken, takeComment } from './comments.ts'
import type { HostFollowPorts, HostedProject } from './ports.ts'
import { readMention } from './read-mention.ts'
import { recordLook } from './requests.ts'
import type { HostRequest } from './requests.ts'

/** Reads from the host what became of a pull request and what was said on it, and does what follows. Repeatable. */
export async function lookAtRequest(
  ports: HostFollowPorts,
  project: HostedProject,
  watched: HostRequest,
): Promise<void> {
  const { forge } = project.hosted
  const request = await forge.read(watched.number)
  const comments = request ? await forge.commentsSince(watched.number, watched.commentsSince) : []
  for (const comment of comments) await takeUp(ports, project, watched, comment)
  const newest = comments.map(({ createdAt }) => createdAt.getTime())
  await ports.store.transaction(async (tx) => {
    if (request) await recordPullRequestState(tx, project.id, request.number, request.state)
    if (request?.state === 'merged') await ports.onMerge(tx, project.id)
    await recordLook(tx, watched, {
      isOpen: request?.state === 'open',
      commentsSince: newest.length === 0 ? undefined : new Date(Math.max(...newest)),
    })
  })
}

class TakenAlready extends Error {}

// Words of people who may not write are material for the agent, and never a task.
async function takeUp(
  ports: HostFollowPorts,
  project: HostedProject,
  { jobId, number }: HostRequest,
  comment: Comment,
): Promise<void> {
  const { store } = ports
  const asked = comment.trusted ? readMention(comment.body, project.names) : undefined
  if (asked === undefined || (await isTaken(store.db, project.id, comment.id))) return
  const taken = { projectId: project.id, commentId: comment.id, jobId, number }
  try {
    await addMessage(
      ports,
      project,
      jobId,
      { prompt: promptOf(asked, comment) },
      (tx) => ports.takeLimit(tx, project.id),
      async (tx, job) => {
        if (!(await takeComment(tx, { ...taken, turn: job.turns }))) throw new TakenAlready()
      },
    )
  } catch (error) {
    if (error instanceof TakenAlready) return
    if (!(error instanceof AppError) || !['rate_limited', 'invalid'].includes(error.code)) throw error
    await store.transaction((tx) => takeComment(tx, { ...taken, refusal: error.message }))
  }
}

function promptOf(asked: string, { path, line }: Comment): string {
  const place = path === undefined ? '' : `\n\n(Said about ${path}${line === undefined ? '' : `:${line}`})`
  return makeStorable(`${asked}${place}`)
}
