import { z } from '@hono/zod-openapi'
import { giveFeedback } from '../../../../features/assistant/insights/feedback.ts'
import type { AssistantPorts, AssistantProject } from '../../../../features/assistant/ports.ts'
import { textUpTo } from '../../../../lib/text/text-up-to.ts'
import { describe, jsonContent } from '../../../description/operation.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { feedbacks } from '../../../rate.ts'
import { jobBodyLimit, readBody } from '../../../read-body.ts'
import type { AssistantGate } from '../../ask-assistant.ts'
import { callerOf } from '../../caller.ts'
import { feedbackReason, rating } from '../../../../nouns/insights/answers.ts'

interface Ports<Project extends AssistantProject> extends Pick<AssistantGate<Project>, 'access'> {
  assistant: Pick<AssistantPorts<Project>, 'store'>
}

const idRule = 'must be text of 1 to 200 characters'
const id = z.string({ error: idRule }).min(1, idRule).max(200, idRule)

const feedbackBody = z
  .object(
    {
      threadId: id.describe('As the header `X-Thread-Id` of the answer has it.'),
      messageId: id
        .nullish()
        .describe('Id of the answer, from its `start` frame; the newest answer of the thread when absent.'),
      rating: z
        .enum(['up', 'down'], 'must be "up", "down", or null to take it back')
        .nullable()
        .describe('Null takes it back.'),
      reason: feedbackReason.nullish(),
      note: textUpTo(2000, 'must be text of at most 2,000 characters')
        .nullish()
        .describe('In the reader’s own words.'),
      fp: id.nullish().describe('Who rates the answer; the person who asked when absent.'),
    },
    { error: 'send a JSON object with `threadId` and `rating`' },
  )
  .openapi('Feedback', { description: 'What a reader thinks of an answer.' })

const recordedFeedback = z
  .object({
    threadId: z.string(),
    messageId: z.string(),
    rating: rating.nullable(),
  })
  .openapi('RecordedFeedback', { description: 'What was recorded.' })

export function postFeedbackEndpoint<Project extends AssistantProject>({
  access,
  assistant: { store },
}: Ports<Project>): Endpoint {
  return {
    route: describe('sendFeedback', 'post /discovery/v2/assistant/{domain}/feedback', {
      tag: 'Assistant',
      summary: 'Rate an answer',
      description:
        'Records what a reader thinks of an answer, in place of what the same reader thought before. For answers of both versions.',
      body: feedbackBody,
      responses: { 200: { description: 'What is recorded', content: jsonContent(recordedFeedback) } },
      errors: [404, 429],
    }),
    async handle(context) {
      const { project } = await access.project(context, 'sendFeedback')
      feedbacks.take(context)
      const { threadId, rating, ...body } = await readBody(context, feedbackBody, jobBodyLimit)
      const messageId = await store.transaction((tx) =>
        giveFeedback(tx, project.id, {
          threadId,
          rating,
          messageId: body.messageId ?? undefined,
          reason: body.reason ?? undefined,
          note: body.note ?? undefined,
          fp: body.fp ?? undefined,
          caller: callerOf(context),
        }),
      )
      const recorded: z.output<typeof recordedFeedback> = { threadId, messageId, rating }
      return context.json(recorded)
    },
  }
}
