import { z } from '@hono/zod-openapi'
import { assistantBody, messagePart, type MessagePart } from '../../message-body.ts'

const message = z
  .looseObject(
    {
      id: z.string({ error: 'must be text' }).optional(),
      role: z.enum(['user', 'assistant', 'system'], { error: 'must be user, assistant or system' }),
      parts: z
        .array(messagePart, { error: 'must be a list of parts, each with `type` and `text`' })
        .nullish(),
      content: z.unknown().optional().describe('The text, where a client sends no parts.'),
    },
    { error: 'must be an object with `id`, `role` and `parts`' },
  )
  .refine(({ parts, content }) => parts != null || typeof content === 'string', 'has no `parts`')
  .transform(({ parts, content, ...rest }) => ({
    ...rest,
    parts: parts ?? [{ type: 'text', text: content } satisfies MessagePart],
  }))

export const messageBody = assistantBody(message).openapi('AssistantMessage', {
  description: 'A question with its conversation, in the form of AI SDK 5 and later.',
})
export type MessageBody = z.output<typeof messageBody>
