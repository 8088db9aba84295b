import { makeStorable } from '../../lib/plain-text.ts'
import { streamAnswer } from './answer.ts'
import type { Frame } from './downgrade-frames.ts'
import { insertQuestion } from './messages.ts'
import type { AssistantDeps, AssistantProject } from './ports.ts'
import type { Question } from './question.ts'
import { takeThread } from './threads.ts'

export interface Answer {
  threadId: string
  /** From `start` to `finish` or `error`. What was said is recorded, however reading ends. */
  frames: AsyncGenerator<Frame>
}

/** More than a person types; what is beyond it is of no use in a record. */
const longestRecorded = 100_000

/** Records a question and begins to answer it. */
export async function ask<Project extends AssistantProject>(
  deps: AssistantDeps<Project>,
  input: Question<Project>,
): Promise<Answer> {
  const { project, question } = input
  const { thread, recorded } = await deps.store.transaction(async (tx) => {
    await input.charge(tx)
    const thread = await takeThread(tx, project.id, input.threadId)
    const text = makeStorable(question.text.slice(0, longestRecorded))
    return { thread, recorded: await insertQuestion(tx, thread, { ...question, text }) }
  })
  // Only who got the id from us may be told what was said under it; others speak for themselves.
  const history = input.history ?? (thread.minted ? recorded.before : [])
  return { threadId: thread.id, frames: streamAnswer(deps, { ...input, history, thread, n: recorded.n }) }
}
