import { z } from '@hono/zod-openapi'
import { traceAnswer, type TracedAnswer, type TracedPiece } from '../../../features/assistant/trace-answer.ts'
import { sectionFates } from '../../../features/assistant/trace.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { endingSignal } from '../../../lib/ending-signal.ts'
import type { Access } from '../../access.ts'
import { textUpTo, used } from '../../contract.ts'
import { operations } from '../../description/operation.ts'
import { openAnswers, type AskPorts } from '../../discovery/ask-assistant.ts'
import { searchFilter } from '../../discovery/search-filter.ts'
import type { Endpoint, RequestContext } from '../../endpoint.ts'
import { exchangeSignal } from '../../exchange.ts'
import { answerOutcome } from '../../named-words.ts'
import { sharerOf } from '../../sharer.ts'

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
    .describe('What was said before, the oldest first.'),
  currentPath: textUpTo(200, 'must be text of at most 200 characters')
    .optional()
    .describe('The page that the reader is on: its slug, address or path.'),
  model: textUpTo(200, 'must be the name of a model')
    .optional()
    .describe('The model that answers, in place of the project’s own.'),
  filter: searchFilter,
})

const milliseconds = z.int().describe('Milliseconds since the question came.')
const trace = z
  .object({
    searches: z.array(
      z.object({
        query: z.string().describe('What models and clients are told was searched for.'),
        at: milliseconds,
        milliseconds: z.int(),
        confidence: z.number().describe('How well the documentation covers it, 0 to 1.'),
        floor: z.number().describe('Below this confidence nothing is shown to the model.'),
        unknown: z.array(z.string()).describe('Words that no page holds.'),
        queries: z.array(
          z.object({
            query: z.string(),
            by: z
              .enum(['question', 'conversation', 'selection', 'model'])
              .describe('Where its words come from.'),
            weight: z.number().describe('How much its ranks count.'),
            confidence: z.number(),
            found: z.int(),
            used: z.boolean().describe('`false`: hardly mentioned, so its results were left out.'),
          }),
        ),
        sections: z.array(
          z.object({
            path: z.string().describe('The page’s slug.'),
            file: z.string().describe('The page’s file in the repository.'),
            title: z.string(),
            heading: z.string().nullable(),
            url: z.string(),
            fate: z
              .enum(sectionFates)
              .describe(
                '`shown` to the model; `later`: others were better; `same_page`: its page has enough sections already; `unused`: only a query found it whose results were left out; `weak`: the documentation hardly covers the search.',
              ),
            content: z.string().describe('The beginning of its text.'),
            found: z
              .array(z.object({ query: z.int(), rank: z.int(), score: z.number() }))
              .describe('Its place and score for each query, by the number of the query from 0.'),
          }),
        ),
      }),
    ),
    pages: z
      .array(
        z.object({
          name: z.string(),
          path: z.string().nullable(),
          file: z.string().nullable(),
          title: z.string().nullable(),
          at: milliseconds,
        }),
      )
      .describe('Pages that the model read as a whole; `path` is null where there is none.'),
    calls: z.array(
      z.object({
        model: z.string(),
        task: z.enum(['queries', 'answer', 'sources']),
        at: milliseconds,
        first: z.int().nullable().describe('Milliseconds until the first piece.'),
        milliseconds: z.int().nullable().describe('Null: it was given up.'),
        ...used,
        refused: z.boolean(),
        tools: z.array(z.object({ name: z.string(), input: z.string() })),
      }),
    ),
    problems: z.array(z.string()).describe('Why models were passed over.'),
    outOfTokens: z.boolean().describe('The project’s tokens of the day are used up.'),
    firstText: milliseconds.nullable(),
    milliseconds,
  })
  .openapi('Trace', { description: 'How an answer came about.' })

const tracedAnswer = z.object({
  text: z.string().describe('Markdown.'),
  outcome: answerOutcome,
  cause: z.string().nullable(),
  missing: z.array(z.string()),
  model: z.string().nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z.number().nullable().describe('US dollars; null when a price is unknown.'),
  sources: z.array(
    z.object({
      url: z.string(),
      title: z.string(),
      path: z.string().nullable().describe('The page’s slug.'),
      file: z.string().nullable(),
      words: z.array(z.string()).describe('What of the answer the link stands for.'),
    }),
  ),
  suggestions: z.array(z.string()),
  problem: z.string().nullable().describe('Why there is no whole answer.'),
  index: z.object({
    pages: z.int(),
    commit: z.string().nullable(),
    syncedAt: z.iso.datetime().nullable(),
  }),
  trace,
})

export type TracePorts = Pick<AskPorts<Project>, 'assistant' | 'limits'>

/** Asks as a reader would, and tells how the answer comes about. */
export function traceAnswerEndpoint(ports: TracePorts & { access: Access }): Endpoint {
  const { onProject } = operations(ports.access, 'Insights')
  return onProject('traceAnswer', 'post /v2/insights/{projectId}/trace', 'Try a question', {
    description:
      'Answers a question as a reader would get it, and tells how: the queries and who wrote them, the sections that were found with their scores and what became of them, the calls of models with their times, tokens and cost. The question is not recorded. It counts against the limits of the assistant, and what its models use is counted.',
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
