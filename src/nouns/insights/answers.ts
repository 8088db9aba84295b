import { z } from '@hono/zod-openapi'
import { callers, feedbackReasons, intervals } from '../../features/assistant/insights/insight-words.ts'
import { answerOutcomes } from '../../features/assistant/outcome.ts'
import { used } from '../usage/answers.ts'

export const answerOutcome = z
  .enum(answerOutcomes, `must be one of ${answerOutcomes.join(', ')}`)
  .openapi('AnswerOutcome', { description: 'Outcome of a question.' })

export const caller = z
  .enum(callers, `must be one of ${callers.join(', ')}`)
  .openapi('Caller', { description: 'From where a question or a search came.' })

export const rating = z
  .enum(['up', 'down'], 'must be up or down')
  .openapi('Rating', { description: 'What a reader thought of an answer.' })

export const feedbackReason = z
  .enum(feedbackReasons, `must be one of ${feedbackReasons.join(', ')}`)
  .openapi('FeedbackReason', { description: 'Why a reader did not like an answer.' })

const givenFeedback = z
  .object({
    rating,
    reason: feedbackReason.nullable(),
    note: z.string().nullable(),
    fp: z.string(),
    caller,
    at: z.iso.datetime(),
  })
  .openapi('GivenFeedback', { description: 'What a reader said about an answer.' })
export const citedSource = z
  .looseObject({ path: z.string(), url: z.string(), title: z.string() })
  .openapi('CitedSource', { description: 'A page that an answer cites.' })

export const exchange = z
  .object({
    threadId: z.string(),
    n: z.int().describe('The number of the question in its thread; its answer has the next one.'),
    askedAt: z.iso.datetime(),
    fp: z.string(),
    caller,
    page: z.string().nullable().describe('The page that the reader was on, as the client said.'),
    questionId: z.string(),
    question: z.string().describe('Empty where the project keeps no texts.'),
    context: z
      .array(
        z.object({
          type: z.enum(['code', 'textSelection']).nullable(),
          value: z.string(),
          path: z.string().nullable(),
        }),
      )
      .describe(
        'The text or code that the reader had selected or was looking at, at most 4,000 characters. Empty where the project keeps no texts.',
      ),
    replaces: z
      .int()
      .nullable()
      .describe('The number of the question that this one took the place of: asked again, or edited.'),
    answerId: z.string().nullable().describe('Null while there is no answer.'),
    answer: z.string().nullable(),
    answeredAt: z.iso.datetime().nullable(),
    outcome: answerOutcome.nullable(),
    cause: z.string().nullable().describe('Of `unanswered`: `nothing_found`, `weak` or `off_topic`.'),
    missing: z
      .array(z.string())
      .describe(
        'What was asked for that the documentation does not mention, as the model says. Of `partial` and `unanswered`.',
      ),
    model: z.string().nullable(),
    milliseconds: z.int().nullable(),
    pinned: z.string().nullable().describe('Id of the pinned answer that was given.'),
    sources: z.array(citedSource).describe('What the answer cites.'),
    feedback: z.array(givenFeedback),
  })
  .openapi('Exchange', { description: 'A question and its answer.' })

const listedThread = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().describe('When the newest question came.'),
    questions: z.int(),
    lastQuestion: z
      .string()
      .describe('The newest question that the filter asks for, at most 500 characters of it.'),
    outcome: z
      .enum(answerOutcomes)
      .nullable()
      .describe('How the newest answer ended; null while there is none.'),
    feedback: z.object({ up: z.int(), down: z.int() }),
  })
  .openapi('Thread', { description: 'A conversation.' })

export const nextCursor = z.string().nullable().describe('Null on the last page.')
export const threadList = z.object({ threads: z.array(listedThread), nextCursor })
export const wholeThread = z.object({ id: z.string(), exchanges: z.array(exchange), nextCursor })
export const deletedThreads = z.object({ deleted: z.int() })

const listedSearch = z
  .object({
    query: z.string().describe('In lower case.'),
    searches: z.int(),
    withoutResult: z.int(),
    weak: z.int().describe('How many of them found only what the documentation hardly speaks of.'),
    lastSearchedAt: z.iso.datetime(),
  })
  .openapi('ListedSearch', { description: 'A query, and how often it was searched.' })

export const searchList = z.object({
  searches: z.array(listedSearch),
  nextCursor,
  counted: z
    .int()
    .nullable()
    .describe('How many of the newest searches were counted, where the range may have more; else null.'),
})

const callerCounts = z
  .object({ questions: z.int(), searches: z.int() })
  .openapi('CallerCounts', { description: 'How much came from one kind of caller.' })
const counts = {
  conversations: z.int(),
  questions: z.int(),
  outcomes: z
    .object(each(answerOutcomes, z.int()))
    .openapi('OutcomeCounts', { description: 'How many questions had each outcome.' }),
  feedback: z
    .object({ up: z.int(), down: z.int() })
    .openapi('RatingCounts', { description: 'How many answers were rated each way.' }),
  searches: z
    .object({ total: z.int(), withoutResult: z.int() })
    .openapi('SearchCounts', { description: 'How many searches there were.' }),
  callers: z
    .object(each(callers, callerCounts))
    .openapi('CountsByCaller', { description: 'How much came from each kind of caller.' }),
}
const usedByModel = z.array(
  z
    .object({
      model: z.string(),
      calls: z.int(),
      ...used,
    })
    .openapi('ModelUsage', { description: 'What one model has used.' }),
)
const latency = {
  p50: z.int().nullable().describe('Milliseconds until half of the answers had ended.'),
  p95: z.int().nullable(),
}
export const insights = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    interval: z.enum(intervals),
    totals: z.object({
      ...counts,
      causes: z.object(each(['nothing_found', 'weak', 'off_topic'], z.int())),
      reasons: z.object(each(feedbackReasons, z.int())),
      latency: z.object(latency),
    }),
    series: z.array(z.object({ start: z.iso.date(), ...counts, usage: usedByModel })),
    pages: z.array(z.object({ path: z.string(), url: z.string(), title: z.string(), citations: z.int() })),
    sections: z.array(
      z.object({
        path: z.string(),
        url: z.string(),
        title: z.string(),
        heading: z.string().nullable(),
        citations: z.int(),
      }),
    ),
    askedOn: z.array(z.object({ page: z.string(), questions: z.int() })),
    queries: z.array(z.object({ query: z.string(), searches: z.int(), withoutResult: z.int() })),
    queriesWithoutResult: z.array(z.object({ query: z.string(), searches: z.int() })),
    models: z.array(z.object({ model: z.string(), answers: z.int(), ...latency })),
    agentFeedback: z
      .array(
        z.object({
          path: z.string().nullable().describe('File of the page; null for a search.'),
          query: z.string().nullable().describe('What was searched; null for a page.'),
          rating: rating,
          note: z.string().nullable(),
          at: z.iso.datetime(),
        }),
      )
      .describe('What agents thought of pages and searches, newest first.'),
    usage: usedByModel,
  })
  .openapi('Insights', { description: 'What readers asked and searched, counted.' })

function each<Name extends string, Schema>(names: readonly Name[], schema: Schema): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>
}
