import { findReply, hasReply, holdKey, rememberReply } from '../../features/agent/idempotent-requests.ts'
import type { Job } from '../../features/agent/jobs.ts'
import { checkLimits, countLimits, LimitError, type LimitUse } from '../../features/projects/limits.ts'
import type { Store, Tx } from '../../store/database.ts'
import type { RequestContext } from '../../api/endpoint.ts'
import type { JobBody } from './answers.ts'

/** What is done once. */
export interface OnceOperation {
  store: Store
  projectId: string
  operation: string
  /**
   * The limits that the request counts for. They are checked first, so that little work is wasted under load, and
   * counted last.
   */
  uses: LimitUse[]
}

interface Work extends OnceOperation {
  /** As the client sent it. */
  body: unknown
  show(job: Job): JobBody
  /** Does the work in a transaction, in which it calls `begin` first and `finish`, with the resulting job, last. */
  run(finish: (tx: Tx, job: Job) => Promise<void>, begin: (tx: Tx) => Promise<void>): Promise<Job>
}

/**
 * Checks the limits before the body is read. The repeat of an answered request may pass a reached limit, because it
 * does nothing.
 * @throws LimitError
 */
export async function checkLimitsUnlessAnswered(
  key: string | undefined,
  { store, projectId, operation, uses }: OnceOperation,
): Promise<void> {
  try {
    await checkLimits(store.db, uses)
  } catch (error) {
    if (key === undefined || !(error instanceof LimitError)) throw error
    if (!(await hasReply(store.db, { projectId, operation, key }))) throw error
  }
}

/** A job as JSON. */
export interface Reply {
  text: string
  /** Whether it is the reply to an earlier request with the same key. */
  replayed: boolean
}

export function sendReply(
  context: RequestContext,
  { text, replayed }: Reply,
  status: 200 | 201 | 202,
): Response {
  const headers = { 'Content-Type': 'application/json', ...(replayed && { 'Idempotency-Replayed': 'true' }) }
  return context.body(text, status, headers)
}

/**
 * Answers with the job from `run`, which runs once per key, and always when there is no key.
 * @throws AppError `conflict`, `mismatch`
 */
export async function answerOnce(key: string | undefined, work: Work): Promise<Reply> {
  const { store, show, uses } = work
  const begin = (tx: Tx): Promise<void> => checkLimits(tx, uses)
  const finish = (tx: Tx): Promise<void> => countLimits(tx, uses)
  const replyOf = (job: Job): string => JSON.stringify(show(job))
  if (key === undefined) return { text: replyOf(await work.run(finish, begin)), replayed: false }
  const request = { projectId: work.projectId, operation: work.operation, key, body: work.body }
  const replay = (text: string): Reply => ({ text, replayed: true })
  const known = await findReply(store.db, request)
  if (known !== undefined) return replay(known)
  try {
    const job = await work.run(
      async (tx, job) => {
        await rememberReply(tx, request, replyOf(job))
        await finish(tx)
      },
      async (tx) => {
        await holdKey(tx, request)
        const reply = await findReply(tx, request)
        if (reply !== undefined) throw new AnsweredMeanwhile(reply)
        await begin(tx)
      },
    )
    return { text: replyOf(job), replayed: false }
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return replay(error.reply)
    throw error
  }
}

/** Rolls the transaction back because another request with the same key was faster. */
class AnsweredMeanwhile extends Error {
  readonly reply: string

  constructor(reply: string) {
    super('The request was answered in the meantime')
    this.reply = reply
  }
}
