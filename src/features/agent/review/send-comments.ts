import { AppError } from '../../../lib/errors.ts'
import { writeReview } from '../../../lib/prompts/review-prompt.ts'
import type { AskedByColumn } from '../../../store/columns.ts'
import type { Tx } from '../../../store/database.ts'
import { addMessage } from '../add-message.ts'
import type { Job } from '../jobs.ts'
import type { JobPorts } from '../ports.ts'
import { listLineComments, markSent } from './comments.ts'

const longestPrompt = 100_000
const longestQuote = 1500

/**
 * Sends the draft review of a job, everybody's comments together, as one follow-up. `finish` and `begin` are as for
 * `createJob`.
 * @param remark about the change as a whole
 * @returns undefined when there is no such job in this project
 * @throws AppError `conflict` without an unsent comment, and what `addMessage` throws
 */
export async function sendComments(
  ports: Pick<JobPorts, 'store' | 'queue' | 'machine'>,
  project: { id: string },
  jobId: string,
  { remark, askedBy }: { remark?: string | undefined; askedBy: AskedByColumn | undefined },
  finish: (tx: Tx, job: Job) => Promise<void>,
  begin?: (tx: Tx) => Promise<void>,
): Promise<Job | undefined> {
  return addMessage(
    ports,
    project,
    jobId,
    { prompt: (tx) => reviewOf(tx, jobId, remark), askedBy },
    async (tx, job) => {
      await markSent(tx, jobId, job.turns)
      await finish(tx, job)
    },
    begin,
  )
}

async function reviewOf(tx: Tx, jobId: string, remark: string | undefined): Promise<string> {
  const unsent = (await listLineComments(tx, jobId)).filter(({ turn }) => turn === undefined)
  if (unsent.length === 0)
    throw new AppError('conflict', 'There is no comment to send: comment on a line first, or send a message')
  const prompt = writeReview({
    remarks: unsent.map((comment) => ({ ...comment, quote: shortened(comment.quote) })),
    remark: remark?.trim() === '' ? undefined : remark?.trim(),
  })
  if (prompt.length > longestPrompt)
    throw new AppError(
      'invalid',
      'The comments are longer than 100,000 characters together: shorten or delete some',
    )
  return prompt
}

function shortened(quote: string): string {
  return quote.length > longestQuote ? `${quote.slice(0, longestQuote)} …` : quote
}
