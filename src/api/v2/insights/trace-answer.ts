import { z } from '@hono/zod-openapi'
import { traceAnswer, type TracedAnswer, type TracedPiece } from '../../../features/assistant/trace-answer.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { endingSignal } from '../../../lib/ending-signal.ts'
import type { Access } from '../../access.ts'
import { textUpTo } from '../../../lib/text/text-up-to.ts'
import { operations } from '../../description/operation.ts'
import { openAnswers, type AskPorts } from '../../discovery/ask-assistant.ts'
import { searchFilter } from '../../discovery/search-filter.ts'
import type { Endpoint, RequestContext } from '../../endpoint.ts'
import { exchangeSignal } from '../../exchange.ts'
import { sharerOf } from '../../sharer.ts'
import { tracedAnswer } from '../../../nouns/assistant/answers.ts'

/** What a traced question may be, over HTTP and in the form of the dashboard. */
export const tracedQuestion = z.object({
  question: textUpTo(20_000, 'must be text of at most 20,000 characters').refine(
    (text) => text.trim() !== '',
    'is empty; write what a reader would ask',
  ),
  history: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        text: textUpTo(100_000, 'must be text of at most 100,000 characters'),
      }),
    )
    .max(40, 'must be at most 40 messages')
    .optional()
    .describe('What was said before, oldest first.'),
  currentPath: textUpTo(200, 'must be text of at most 200 characters')
    .optional()
    .describe('The page that the reader is on: its slug, address or path.'),
  model: textUpTo(200, 'must be the name of a model')
    .optional()
    .describe('The model that answers, in place of the project’s own.'),
  filter: searchFilter,
})

export type TracePorts = Pick<AskPorts<Project>, 'assistant' | 'limits'>

/** Asks as a reader would, and tells how the answer comes about. */
export function traceAnswerEndpoint(ports: TracePorts & { access: Access }): Endpoint {
  const { onProject } = operations(ports.access, 'Insights')
  return onProject('traceAnswer', 'post /v2/insights/{projectId}/trace', 'Try a question', {
    description:
      'Answers a question as a reader would get it, and shows how: the queries and who wrote them, the sections that were found with their scores and outcomes, the calls of models with their times, tokens and cost. The question is not recorded. It counts against the limits of the assistant, and what its models use is counted.',
    body: tracedQuestion,
    errors: [429],
    answer: [200, 'The answer', tracedAnswer],
    async handle({ context, project, body }) {
      await ports.limits.look(context, project)
      const pieces = readTraced(ports, context, project, body)
      for (;;) {
        const { done, value } = await pieces.next()
        if (done === true)
          return { ...value, missing: [...value.missing], index: indexOf(project) } satisfies z.output<
            typeof tracedAnswer
          >
      }
    },
  })
}

function indexOf({ pageCount, sync }: Project): z.output<typeof tracedAnswer>['index'] {
  return {
    pages: pageCount,
    commit: sync.commit ?? null,
    syncedAt: sync.at?.toISOString() ?? null,
  }
}

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
