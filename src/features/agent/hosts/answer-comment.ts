import { createHmac } from 'node:crypto'
import { AppError } from '../../../lib/errors.ts'
import { listTurns, type Turn } from '../turns.ts'
import { writeMarkdown } from '../outgoing/write-markdown.ts'
import { markAcknowledged, settleAnswer, type PendingAnswer } from './comments.ts'
import type { HostFollowPorts, HostedProject } from './ports.ts'

const mostAttempts = 8

/** Acknowledges a comment with a reaction and, once its turn has ended, replies with the outcome. Can be repeated. */
export async function answerComment(
  ports: HostFollowPorts,
  project: HostedProject,
  owed: PendingAnswer,
): Promise<void> {
  const { store } = ports
  const { commentId, number } = owed
  try {
    if (!owed.acknowledged && owed.turn !== undefined) {
      await project.hosted.react(number, commentId)
      await store.transaction((tx) => markAcknowledged(tx, project.id, commentId))
      return
    }
    const text = await answerOf(ports, project, owed)
    if (text !== undefined) await project.hosted.postComment(number, text, markerOf(project, commentId))
    await store.transaction((tx) => settleAnswer(tx, project.id, commentId))
  } catch (error) {
    // The reaction is optional: where the host does not allow it, the reply is still posted.
    if (!owed.acknowledged && owed.turn !== undefined && isFinal(error))
      await store.transaction((tx) => markAcknowledged(tx, project.id, commentId))
    else if (isFinal(error) || owed.attempts >= mostAttempts)
      await store.transaction((tx) => settleAnswer(tx, project.id, commentId))
    throw error
  }
}

// A comment with this marker counts as our reply, so it must not be possible for others to forge it.
function markerOf({ secret }: HostedProject, commentId: string): string {
  const proof = createHmac('sha256', secret).update(`answer ${commentId}`).digest('hex')
  return `answer:${commentId}:${proof.slice(0, 20)}`
}

function isFinal(error: unknown): boolean {
  return error instanceof AppError && error.code !== 'unavailable' && error.code !== 'internal'
}

async function answerOf(
  ports: HostFollowPorts,
  project: HostedProject,
  owed: PendingAnswer,
): Promise<string | undefined> {
  if (owed.refusal !== undefined)
    return writeMarkdown({ comment: `Request rejected: ${owed.refusal}`, maxLength: 2000 })
  const turn = (await listTurns(ports.store.db, project.id, owed.jobId)).find(({ n }) => n === owed.turn)
  if (!turn) return undefined
  return `${await describeEnd(turn)}\n\n[The job](${ports.jobLink(project, owed.jobId)})`
}

async function describeEnd({ status, outcome, summary, failure, notUnderstood }: Turn): Promise<string> {
  // What can be asked is long, and everyone who follows the pull request reads this.
  if (notUnderstood) return 'This was not understood, so nothing was changed. The job says what can be asked.'

  if (outcome === 'needs_input') {
    const question = await writeMarkdown({ comment: summary ?? '', maxLength: 10_000 })
    return `${question}\n\nReply in a comment that mentions me and I’ll continue.`
  }
  if (status === 'completed') return writeMarkdown({ comment: summary ?? 'Done.', maxLength: 10_000 })
  if (status === 'cancelled') return 'Cancelled before it started.'
  return writeMarkdown({
    comment: `This failed: ${failure?.message ?? 'the turn failed'}`,
    maxLength: 2000,
  })
}
