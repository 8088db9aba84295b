import { z } from '@hono/zod-openapi'
import { assistantBody, messagePart } from '../../message-body.ts'

const message = z.looseObject(
  {
    id: z.string({ error: 'must be text' }).optional(),
    role: z.enum(['user', 'assistant', 'system'], { error: 'must be user, assistant or system' }),
    parts: z.array(messagePart, { error: 'must be a list of parts, each with `type` and `text`' }),
  },
  { error: 'must be an object with `id`, `role` and `parts`' },
)

export const messageBody = assistantBody(message).openapi('AssistantMessage')
export type MessageBody = z.output<typeof messageBody>
