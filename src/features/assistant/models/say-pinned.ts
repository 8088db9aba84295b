import { dayText } from '../../../lib/text/time-words.ts'
import { isEnglish } from './conclude-answer.ts'
import type { Trial } from './trial.ts'
import type { Outcome } from '../outcome.ts'
import type { AssistantPorts, AssistantProject } from '../ports.ts'
import { standsAlone } from '../search/plan-search.ts'
import type { Frame } from '../streams/downgrade-frames.ts'

/**
 * Gives the answer that the docs team pinned for a question, as the team's, in place of what models would say.
 * @returns undefined where there is none
 */
export async function* sayPinned<Project extends AssistantProject>(
  { findPinned, onError }: Pick<AssistantPorts<Project>, 'findPinned' | 'onError'>,
  project: Project,
  { conversation, reply }: Pick<Trial, 'conversation' | 'reply'>,
): AsyncGenerator<Frame, Outcome | undefined> {
  const { question, history, context } = conversation
  // "How do I turn it off?" is another question after each answer.
  if (!findPinned || (history.length + context.length > 0 && !standsAlone(question))) return undefined
  const pinned = await findPinned(project, question).catch((error: unknown) => {
    onError(error)
    return undefined
  })
  if (!pinned) return undefined
  const day = dayText(pinned.changedAt)
  const by = isEnglish(pinned.answer) ? `Answered by the docs team on ${day}.` : `– Docs team, ${day}`
  yield* await reply.say(pinned.answer)
  // Apart, so that an open fence of the answer does not swallow it.
  yield* await reply.say(`*${by}*`)
  return { outcome: 'answered', pinned: pinned.id }
}
