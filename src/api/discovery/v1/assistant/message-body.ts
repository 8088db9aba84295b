import { z } from '@hono/zod-openapi'
import { assistantBody, messagePart } from '../../message-body.ts'

const parts = z.array(messagePart, { error: 'must be a list of parts, each with `type` and `text`' })
const message = z
  .looseObject(
    {
      id: z.string({ error: 'must be text' }).optional(),
      role: z
        .enum(['user', 'assistant', 'system', 'data', 'tool'], {
          error: 'must be user, assistant, system, data or tool',
        })
        .describe('Messages with the roles data and tool are ignored.'),
      // Described as any value: generators make nothing that compiles of a text or a list.
      content: z
        .unknown()
        .describe('The text, or a list of parts. If it is empty, the text of `parts` is used.')
        .pipe(z.union([z.string(), parts], { error: 'must be text, or a list of parts' }).nullish()),
      parts: parts.nullish(),
    },
    { error: 'must be an object with `id`, `role` and `content`' },
  )
  .refine(({ content, parts: some }) => content != null || some != null, 'has neither `content` nor `parts`')

export const messageBody = assistantBody(message).openapi('AssistantMessageV1', {
  description: 'A question with its conversation, in the form of AI SDK 4.',
})
export type MessageBody = z.output<typeof messageBody>
