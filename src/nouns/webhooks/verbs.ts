import { idCursor, limitUpTo } from '../../lib/list-query.ts'
import { z } from '@hono/zod-openapi'
import { webhookEvents } from '../../features/agent/webhooks/webhook-events.ts'
import { longestAddress, webAddress, webAddressRule } from '../../features/agent/webhooks/webhook-url.ts'
import { defineVerb } from '../../verbs/verb.ts'

const urlRule = 'must be an address like https://example.com/hooks'

const webhookEvent = z
  .enum(webhookEvents, { error: `must be of ${webhookEvents.join(', ')}` })
  .openapi('WebhookEvent', { description: 'A type of events that a webhook sends.' })

const createWebhookBody = z
  .object(
    {
      url: z
        .string({ error: urlRule })
        .min(1, urlRule)
        .max(longestAddress, urlRule)
        .refine((text) => webAddress(text) !== undefined, webAddressRule)
        .openapi({
          description: 'Where to post to: https, at a public address.',
          example: 'https://example.com/hooks',
        }),
      events: z
        .array(webhookEvent, {
          error: 'must be a list of types of events',
        })
        .max(webhookEvents.length, 'contains a type twice')
        .nullish()
        .describe('Types of events to send; all when absent or empty.'),
    },
    { error: 'send a JSON object with a `url`' },
  )
  .openapi('CreateWebhook', { description: 'An address for events.' })

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(webhookEvent).describe('Types of events to send; all when empty.'),
  createdAt: z.iso.datetime(),
  disabledAt: z.iso
    .datetime()
    .nullable()
    .describe('When the receiver answered 410, which disables the webhook.'),
})

const webhookBody = webhook.openapi('Webhook', { description: 'An address that events are sent to.' })

const newWebhookBody = webhook
  .extend({
    secret: z.string().describe('Verifies signatures: `whsec_` and base64. Shown here and never again.'),
  })
  .openapi('NewWebhook', { description: 'A webhook with its secret, which is shown once.' })

const webhookListBody = z
  .object({ webhooks: z.array(webhookBody) })
  .openapi('WebhookList', { description: 'The webhooks of a project.' })

const messageBody = z
  .object({
    id: z.string().describe('The header `webhook-id` of every attempt.'),
    type: z.string(),
    jobId: z.string().nullable(),
    state: z.enum(['pending', 'delivered', 'failed']),
    createdAt: z.iso.datetime(),
    deliveredAt: z.iso.datetime().nullable(),
    nextAttemptAt: z.iso.datetime().nullable(),
    attempts: z.array(
      z.object({
        n: z.int(),
        at: z.iso.datetime(),
        status: z.int().nullable().describe('HTTP status of the receiver, if it answered.'),
        error: z.string().nullable(),
        milliseconds: z.int(),
      }),
    ),
  })
  .openapi('WebhookMessage', { description: 'One message of a webhook and the attempts to deliver it.' })

const messageListBody = z
  .object({ messages: z.array(messageBody), nextCursor: z.string().nullable() })
  .openapi('WebhookMessageList', { description: 'A page of messages, newest first.' })

const messageQuery = z.object({
  state: z
    .enum(['pending', 'delivered', 'failed'], { error: 'must be one of pending, delivered, failed' })
    .optional(),
  limit: limitUpTo(100, 20),
  cursor: idCursor('msg').optional(),
})

const path = '/v2/agent/{projectId}/webhooks'
const one = `${path}/{id}` as const

export const listWebhooks = defineVerb({
  name: 'listWebhooks',
  address: `get ${path}`,
  tag: 'Webhooks',
  summary: 'List webhooks',
  description: 'Oldest first, without their secrets.',
  input: z.object({}),
  output: webhookListBody,
  answer: [200, 'The webhooks'],
  fields: {},
})

export const createWebhook = defineVerb({
  name: 'createWebhook',
  address: `post ${path}`,
  tag: 'Webhooks',
  summary: 'Create webhook',
  description:
    'From now on events of jobs are sent to the address, signed as Standard Webhooks describes. The secret is shown only in this response. At most 20 per project.',
  input: createWebhookBody,
  output: newWebhookBody,
  answer: [201, 'The webhook and its secret'],
  fields: {
    url: { label: 'Address', placeholder: 'https://example.com/hooks' },
    events: {
      label: 'Only these events',
      hint: 'none: all',
      option: '--event <type...>',
      help: 'types of events to send (default: all)',
    },
  },
})

export const deleteWebhook = defineVerb({
  name: 'deleteWebhook',
  address: `delete ${one}`,
  tag: 'Webhooks',
  summary: 'Delete webhook',
  description: 'Deletes the webhook with its messages, including those that wait.',
  input: z.object({}),
  output: webhookBody,
  answer: [200, 'What was deleted'],
  fields: {},
})

export const testWebhook = defineVerb({
  name: 'testWebhook',
  address: `post ${one}/test`,
  tag: 'Webhooks',
  summary: 'Test webhook',
  description:
    'Sends a message of the type `webhook.test` within about a second. List the messages to see the result.',
  input: z.object({}),
  output: messageBody,
  answer: [202, 'The message'],
  errors: [400],
  fields: {},
})

export const listWebhookMessages = defineVerb({
  name: 'listWebhookMessages',
  address: `get ${one}/messages`,
  tag: 'Webhooks',
  summary: 'List webhook messages',
  description:
    'The delivery log, newest first, with every attempt. Kept for 30 days. Pass `nextCursor` as `cursor` for the next page.',
  input: messageQuery,
  output: messageListBody,
  answer: [200, 'A page of messages'],
  fields: { state: { label: 'State' }, limit: { label: 'At most' }, cursor: { label: 'Page' } },
})

export const getWebhookMessage = defineVerb({
  name: 'getWebhookMessage',
  address: `get ${one}/messages/{messageId}`,
  tag: 'Webhooks',
  summary: 'Get webhook message',
  description: 'One message with every attempt.',
  input: z.object({}),
  output: messageBody,
  answer: [200, 'The message'],
  fields: {},
})

export const resendWebhookMessage = defineVerb({
  name: 'resendWebhookMessage',
  address: `post ${one}/messages/{messageId}/resend`,
  tag: 'Webhooks',
  summary: 'Resend webhook message',
  description: 'Sends the message again within about a second, with the same id, even if it was delivered.',
  input: z.object({}),
  output: messageBody,
  answer: [202, 'The message'],
  errors: [400],
  fields: {},
})
