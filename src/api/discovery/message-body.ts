import { z } from '@hono/zod-openapi'
import { textUpTo } from '../../lib/text/text-up-to.ts'
import { checkField } from './check-field.ts'
import { searchFilter } from '../../nouns/assistant/inputs.ts'

function upTo(longest: number): z.ZodString {
  return textUpTo(longest, `must be text of at most ${longest} characters`)
}

export const messagePart = z
  .looseObject(
    { type: z.string({ error: 'must be text' }), text: z.unknown().optional() },
    { error: 'must be an object' },
  )
  .openapi('MessagePart', {
    description: 'A part of a message, in the form of the AI SDK; `text` is of parts of the type `text`.',
  })
  .refine(({ type, text }) => type !== 'text' || typeof text === 'string', 'is a text part without `text`')

const contextItem = z
  .object(
    {
      type: z.enum(['code', 'textSelection'], { error: 'must be code or textSelection' }).optional(),
      value: z.string({ error: 'must be text' }),
      path: z.string({ error: 'must be text' }).nullish(),
      elementId: z.string({ error: 'must be text' }).nullish(),
    },
    { error: 'must be an object with `value`' },
  )
  .openapi('ContextItem', { description: 'Text or code that the reader has selected or is looking at.' })

const sizeRule = 'must be a number of 1 or more'

/** A question with its conversation, as `useChat` or any other client sends it. Unknown fields are ignored. */
export function assistantBody<Message extends z.ZodType>(message: Message) {
  return z.object(
    {
      fp: upTo(500)
        .min(1, 'must not be empty. Send `anonymous` or a user ID')
        .openapi({ description: 'Who asks: `anonymous` or a unique user identifier.', example: 'anonymous' }),
      messages: z
        .array(message, { error: 'must be a list of messages' })
        .min(1, 'must contain at least one message')
        .openapi({
          description: 'The whole conversation, or the new message alone.',
          example: [{ role: 'user', parts: [{ type: 'text', text: 'How do I get started?' }] }],
        }),
      threadId: upTo(200)
        .min(1, 'must be null or the id of a thread')
        .nullish()
        .describe('Keeps messages in one thread; returned with the reply.'),
      threadKey: z
        .unknown()
        .optional()
        .describe('The header `X-Thread-Key`, as some clients send it back, also as a header. Not needed.'),
      retrievalPageSize: z
        .number({ error: sizeRule })
        .min(1, sizeRule)
        .default(5)
        .transform((size) => Math.min(50, Math.floor(size)))
        .openapi({
          type: 'number',
          minimum: 1,
          default: 5,
          description: 'Search results to use, at most 50.',
        }),
      filter: searchFilter,
      context: z
        .array(contextItem, { error: 'must be a list of objects with `value`' })
        .nullish()
        .describe('Text or code that the reader has selected or is looking at.'),
      currentPath: upTo(200).nullish().describe('The page that the reader is on: its slug, address or path.'),
      check: checkField,
      id: z
        .unknown()
        .optional()
        .describe('The chat, as AI SDK transports name it. Its answer can be resumed by it.'),
      trigger: z.unknown().optional().describe('Sent by AI SDK transports.'),
      messageId: z.unknown().optional(),
    },
    { error: 'send a JSON object with `fp` and `messages`' },
  )
}

/** All of a body but its messages, whose form differs between the versions. */
export type BodyFields = Omit<z.output<ReturnType<typeof assistantBody>>, 'messages'>
export type MessagePart = z.output<typeof messagePart>
