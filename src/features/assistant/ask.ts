import { streamInSpan } from '../../lib/trace.ts'
import { requireMachine } from '../../integrations/machine/machine.ts'
import { isRecord } from '../../lib/is-record.ts'
import { makeStorable } from '../../lib/text/plain-text.ts'
import { streamAnswer } from './answer.ts'
import { portsOfCheck } from './check.ts'
import type { Frame } from './streams/downgrade-frames.ts'
import { keptContext } from './threads/kept-context.ts'
import { insertQuestion } from './threads/messages.ts'
import type { AssistantPorts, AssistantProject } from './ports.ts'
import type { Question } from './question.ts'
import { newThread } from './threads/threads.ts'

export interface Answer {
  threadId: string
  /** Whether this server made the thread's id. */
  minted: boolean
  /** The question's number in its thread. */
  n: number
  /** Whether only the built-in model answers, so that all of the work is done here. */
  isLocal: boolean
  /** From `start` to `finish` or `error`. What was said is recorded, however reading ends; it must begin. */
  frames: AsyncGenerator<Frame>
}

/** More than a person types. The rest is not worth recording. */
const longestRecorded = 100_000

/**
 * Records a question and begins to answer it. A check leaves no rows but the usage of its models.
 * @throws AppError `unavailable` while the machine is in trouble, `invalid` for a model of a check that is not offered
 */
export async function ask<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  input: Question<Project>,
): Promise<Answer> {
  const { project, question, check } = input
  requireMachine(deps.machine)
  const models = deps.modelsOf(project, check?.model)
  const { thread, n, before, allowance } = await deps.store.transaction(async (tx) => {
    if (check) {
      const allowance = await deps.takeAllowance(tx, project)
      if (check.trace) await input.charge(tx)
      return { thread: newThread(project.id), n: 0, before: [], allowance }
    }
    const text = makeStorable(question.text.slice(0, longestRecorded))
    const recorded = await insertQuestion(tx, project.id, input.threadId, {
      ...question,
      text,
      caller: input.caller,
      page: input.currentPath === undefined ? undefined : makeStorable(input.currentPath),
      context: keptContext(input.context),
      chatId: input.chatId,
    })
    const allowance = await deps.takeAllowance(tx, project)
    // Taken last, because other transactions wait for these rows.
    await input.charge(tx)
    return { ...recorded, allowance }
  })
  // Only a client that got the thread's id from this server gets its recorded history. Others send their own.
  const history = input.history ?? (thread.minted ? before : [])
  const answer = streamAnswer(check ? portsOfCheck(deps, check) : deps, {
    ...input,
    history,
    thread,
    n,
    models,
    allowance,
  })
  let isSilent = true
  const values = {
    'docwright.project': project.id,
    'docwright.outcome': 'stopped',
    'docwright.over_budget': allowance === undefined,
    'docwright.check': check !== undefined,
  }
  const frames = streamInSpan('answer', values, answer, (span, frame) => {
    if (frame.type === 'text-delta' && isSilent) span.event('first text')
    if (frame.type === 'text-delta') isSilent = false
    if (frame.type === 'error') span.set({ 'docwright.outcome': 'failed' })
    const { messageMetadata: about } = frame
    if (frame.type === 'finish' && isRecord(about))
      span.set({ 'docwright.outcome': String(about['outcome']) })
  })
  const isLocal = models.length === 1 || allowance === undefined
  return { threadId: thread.id, minted: thread.minted, n, isLocal, frames }
}
