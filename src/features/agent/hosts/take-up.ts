import type { Comment } from '../../../integrations/forges/forge.ts'
import { AppError } from '../../../lib/errors.ts'
import { makeStorable } from '../../../lib/plain-text.ts'
import type { Tx } from '../../../store/database.ts'
import { addMessage } from '../add-message.ts'
import { countTaken, takeComment } from './comments.ts'
import type { HostFollowPorts, HostedProject } from './ports.ts'
import type { HostRequest } from './requests.ts'

/**
 * Per pull request and hour. More than people write, and an end where programs answer each other that no host marks as
 * such.
 */
const mostPerHour = 20

class TakenAlready extends Error {}

/** Makes a follow-up of a comment, or notes why it becomes none. Repeatable. */
export async function takeUp(
  ports: HostFollowPorts,
  project: HostedProject,
  { jobId, number }: HostRequest,
  { comment, asked }: { comment: Comment; asked: string },
): Promise<void> {
  const taken = { projectId: project.id, commentId: comment.id, jobId, number }
  try {
    await addMessage(
      ports,
      project,
      jobId,
      { prompt: promptOf(asked, comment), author: comment.author.slice(0, 200) },
      async (tx, job) => {
        await takeHourly(tx, project.id, number)
        if (!(await takeComment(tx, { ...taken, turn: job.turns }))) throw new TakenAlready()
        await ports.takeLimit(tx, project.id)
      },
    )
  } catch (error) {
    if (error instanceof TakenAlready) return
    if (!(error instanceof AppError) || !['rate_limited', 'invalid'].includes(error.code)) throw error
    await ports.store.transaction(async (tx) => {
      // The first over the limit is answered; an answer to each would go on for ever too.
      const isSilent = (await countTaken(tx, project.id, number)) > mostPerHour
      await takeComment(tx, { ...taken, refusal: error.message, isSilent })
    })
  }
}

async function takeHourly(tx: Tx, projectId: string, number: number): Promise<void> {
  if ((await countTaken(tx, projectId, number)) >= mostPerHour)
    throw new AppError(
      'rate_limited',
      `There were ${mostPerHour} requests by comments on this pull request within an hour: write again later`,
    )
}

function promptOf(asked: string, { path, line }: Comment): string {
  const place = path === undefined ? '' : `\n\n(Said about ${path}${line === undefined ? '' : `:${line}`})`
  return makeStorable(`${asked}${place}`)
}
