import { z } from '@hono/zod-openapi'
import type { AssistantProject } from '../../../../features/assistant/ports.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { assistantBodyLimit, readBody } from '../../../read-body.ts'
import { describe } from '../../../operation.ts'
import { askAssistant } from '../../ask-assistant.ts'
import type { AskDependencies } from '../../ask-assistant.ts'
import { readConversation, textOfParts } from '../../read-conversation.ts'
import type { ClientMessage } from '../../read-conversation.ts'
import { dataLines } from './data-lines.ts'
import { messageBody } from './message-body.ts'
import type { MessageBody } from './message-body.ts'

export function postOldMessageEndpoint<Project extends AssistantProject>(
  dependencies: AskDependencies<Project>,
): Endpoint {
  const { access, limits } = dependencies
  return {
    route: describe('askAssistantV1', 'post /discovery/v1/assistant/{domain}/message', {
      tag: 'Assistant',
      summary: 'Ask the assistant (AI SDK v4)',
      description:
        'Streams the reply as a data stream for AI SDK v4. The first annotation of the message holds the `threadId`; so does the header `X-Thread-Id`.',
      body: messageBody,
      responses: {
        200: {
          description: 'Lines of a code, a colon and JSON: `f 9 a 0 8 e d`, and `3` for an error',
          content: { 'text/plain': { schema: z.string() } },
        },
      },
      errors: [429],
    }),
    async handle(context) {
      const { project } = await access.project(context, 'askAssistantV1')
      await limits.look(context, project)
      const body = await readBody(context, messageBody, assistantBodyLimit)
      const { question, history } = readConversation({ fp: body.fp, messages: body.messages.flatMap(read) })
      return askAssistant(dependencies, context, {
        project,
        body,
        // These clients do not say when they ask again. Only a thread's first question comes alone from those with a history.
        conversation: { question: { ...question, again: history ? 'no' : 'same-start' }, history },
        write: ({ frames }) => dataLines(frames),
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Vercel-AI-Data-Stream': 'v1' },
      })
    },
  }
}

function read({ id, role, content, parts }: MessageBody['messages'][number]): ClientMessage[] {
  if (role === 'data' || role === 'tool') return []
  const whole = typeof content === 'string' ? content : textOfParts(content ?? [])
  return [{ id, role, text: whole === '' ? textOfParts(parts ?? []) : whole }]
}
