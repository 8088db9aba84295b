import type { z } from '@hono/zod-openapi'
import { traceAnswer, type TracedAnswer, type TracedPiece } from '../../features/assistant/trace-answer.ts'
import type { Project } from '../../features/projects/projects.ts'
import { endingSignal } from '../../lib/ending-signal.ts'
import { openAnswers, type AskPorts } from '../../api/discovery/ask-assistant.ts'
import type { RequestContext } from '../../api/endpoint.ts'
import { exchangeSignal } from '../../api/exchange.ts'
import { sharerOf } from '../../api/sharer.ts'
import type { tracedQuestion } from './inputs.ts'

export type TracePorts = Pick<AskPorts<Project>, 'assistant' | 'limits'>

/**
 * The pieces of an answer, which holds a place among the open ones and ends when its client leaves.
 * @throws AppError for a limit that is reached, or a model that is not offered
 */
export async function* readTraced(
  { assistant, limits }: TracePorts,
  context: RequestContext,
  project: Project,
  { question, history = [], currentPath, model, filter }: z.output<typeof tracedQuestion>,
): AsyncGenerator<TracedPiece, TracedAnswer, undefined> {
  const place = openAnswers.hold(sharerOf(context))
  place.take(1)
  using reading = endingSignal({ signals: [exchangeSignal(context)] })
  try {
    return yield* await traceAnswer(assistant, {
      project,
      question,
      history,
      currentPath: currentPath === '' ? undefined : currentPath,
      filter,
      model: model === '' ? undefined : model,
      signal: reading.signal,
      charge: (tx) => limits.take(tx, context, project),
    })
  } finally {
    place.release()
  }
}
