import { z } from '@hono/zod-openapi'
import { findReply, hasReply, holdKey, rememberReply } from '../../../features/agent/idempotent-requests.ts'
import type { Job } from '../../../features/agent/jobs.ts'
import { checkLimits, countLimits, LimitError, type LimitUse } from '../../../features/projects/limits.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Store, Tx } from '../../../store/database.ts'
import type { JobBody } from '../../contract.ts'
import type { RequestContext } from '../../endpoint.ts'

export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .max(255)
    .optional()
    .describe(
      'Repeating a request with the same key within 24 hours returns the first response again, marked with `Idempotency-Replayed: true`, and does nothing else. 1 to 255 visible ASCII characters.',
    ),
})

interface Work {
  store: Store
  projectId: string
  operation: string
  /** As the client sent it. */
  body: unknown
  status: 200 | 201
  show(job: Job): JobBody
  /** Does the work in a transaction, in which it calls `begin` first and `finish`, with the resulting job, last. */
  run(finish: (tx: Tx, job: Job) => Promise<void>, begin: (tx: Tx) => Promise<void>): Promise<Job>
  /**
   * The limits that the request counts for. They are checked first, so that little work is wasted under load, and
   * counted last.
   */
  uses: LimitUse[]
}

/**
 * Checks the limits before the body is read. The repeat of an answered request may pass a reached limit, because it
 * does nothing.
 * @throws LimitError
 */
export async function checkLimitsUnlessAnswered(
  context: RequestContext,
  { store, projectId, operation, uses }: Pick<Work, 'store' | 'projectId' | 'operation' | 'uses'>,
): Promise<void> {
  try {
    await checkLimits(store.db, uses)
  } catch (error) {
    const key = error instanceof LimitError ? readKey(context) : undefined
    if (key === undefined || !(await hasReply(store.db, { projectId, operation, key }))) throw error
  }
}

/**
 * Answers with the job from `run`, which runs once per `Idempotency-Key`, and always when there is no key.
 * @throws AppError `invalid` for an invalid key, `conflict`, `mismatch`
 */
export async function answerOnce(context: RequestContext, work: Work): Promise<Response> {
  const { store, show, status, uses } = work
  const key = readKey(context)
  const begin = (tx: Tx): Promise<void> => checkLimits(tx, uses)
  const finish = (tx: Tx): Promise<void> => countLimits(tx, uses)
  if (key === undefined) return context.json(show(await work.run(finish, begin)), status)
  const request = { projectId: work.projectId, operation: work.operation, key, body: work.body }
  const replay = (text: string): Response =>
    context.body(text, status, { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' })
  const known = await findReply(store.db, request)
  if (known !== undefined) return replay(known)
  try {
    const job = await work.run(
      async (tx, job) => {
        await rememberReply(tx, request, JSON.stringify(show(job)))
        await finish(tx)
      },
      async (tx) => {
        await holdKey(tx, request)
        const reply = await findReply(tx, request)
        if (reply !== undefined) throw new AnsweredMeanwhile(reply)
        await begin(tx)
      },
    )
    return context.json(show(job), status)
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return replay(error.reply)
    throw error
  }
}

/** Rolls the transaction back because another request with the same key was faster. */
class AnsweredMeanwhile extends Error {
  readonly reply: string

  constructor(reply: string) {
    super('The request was answered meanwhile')
    this.reply = reply
  }
}

function readKey(context: RequestContext): string | undefined {
  const key = context.req.header('idempotency-key')
  if (key === undefined || /^[\x21-\x7E]{1,255}$/.test(key)) return key
  throw new AppError('invalid', 'The header Idempotency-Key must be 1 to 255 visible ASCII characters')
}
