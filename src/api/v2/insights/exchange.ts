import { z } from '@hono/zod-openapi'
import type { Exchange } from '../../../features/assistant/insights/conversations.ts'
import { answerOutcome, caller, feedbackReason, rating } from '../../named-words.ts'

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
const source = z
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
    sources: z.array(source).describe('What the answer cites.'),
    feedback: z.array(givenFeedback),
  })
  .openapi('Exchange', { description: 'A question and its answer.' })

export function exchangeBody(one: Exchange): z.output<typeof exchange> {
  return {
    ...one,
    sources: one.sources.map((cited) => ({ ...cited })),
    askedAt: one.askedAt.toISOString(),
    answeredAt: one.answeredAt?.toISOString() ?? null,
  }
}
