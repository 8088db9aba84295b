import { createHmac } from 'node:crypto'
import { AppError } from '../../../lib/errors.ts'
import { listTurns, type Turn } from '../turns.ts'
import { writeMarkdown } from '../outgoing/write-markdown.ts'
import { markAcknowledged, settleAnswer, type OwedAnswer } from './comments.ts'
import type { HostFollowPorts, HostedProject } from './ports.ts'

const mostAttempts = 8

/** Shows that a comment was read, and once its turn has ended says what came of it. Repeatable. */
export async function answerComment(
  ports: HostFollowPorts,
  project: HostedProject,
  owed: OwedAnswer,
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
    // A reaction is a courtesy: where none may be given, the answer still comes.
    if (!owed.acknowledged && owed.turn !== undefined && isFinal(error))
      await store.transaction((tx) => markAcknowledged(tx, project.id, commentId))
    else if (isFinal(error) || owed.attempts >= mostAttempts)
      await store.transaction((tx) => settleAnswer(tx, project.id, commentId))
    throw error
  }
}

// By its marker an answer counts as given: strangers must not be able to write it before us.
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
  owed: OwedAnswer,
): Promise<string | undefined> {
  if (owed.refusal !== undefined)
    return writeMarkdown({ comment: `This was not taken up: ${owed.refusal}`, maxLength: 2000 })
  const turn = (await listTurns(ports.store.db, project.id, owed.jobId)).find(({ n }) => n === owed.turn)
  if (!turn) return undefined
  return `${await outcome(turn)}\n\n[The job](${ports.jobLink(project, owed.jobId)})`
}

async function outcome({ status, summary, failure }: Turn): Promise<string> {
  if (status === 'completed') return writeMarkdown({ comment: summary ?? 'Done.', maxLength: 10_000 })
  if (status === 'cancelled') return 'This was cancelled before it began.'
  return writeMarkdown({
    comment: `This did not work out: ${failure?.message ?? 'the turn failed'}`,
    maxLength: 2000,
  })
}
