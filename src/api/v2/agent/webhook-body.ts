import { z } from '@hono/zod-openapi'
import type { MessagePage, WebhookMessage } from '../../../features/agent/webhooks/messages.ts'
import { webhookEvents } from '../../../features/agent/webhooks/webhooks.ts'
import type { Webhook } from '../../../features/agent/webhooks/webhooks.ts'

const urlRule = 'must be an address like https://example.com/hooks'

export const createWebhookBody = z
  .object(
    {
      url: z.string({ error: urlRule }).min(1, urlRule).max(2000, urlRule).openapi({
        description: 'Where to post to: https, at a public address.',
        example: 'https://example.com/hooks',
      }),
      events: z
        .array(z.enum(webhookEvents, { error: `must be of ${webhookEvents.join(', ')}` }), {
          error: 'must be a list of types of events',
        })
        .max(webhookEvents.length, 'holds a type twice')
        .nullish()
        .describe('Types of events to be told of; all when absent or empty.'),
    },
    { error: 'send a JSON object with a `url`' },
  )
  .openapi('CreateWebhook')

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)).describe('Empty: all.'),
  createdAt: z.iso.datetime(),
  disabledAt: z.iso.datetime().nullable().describe('When the receiver answered 410, which ends it.'),
})

export const webhookBody = webhook.openapi('Webhook')

export const newWebhookBody = webhook
  .extend({
    secret: z.string().describe('Verifies signatures: `whsec_` and base64. Shown here and never again.'),
  })
  .openapi('NewWebhook')

export const webhookListBody = z.object({ webhooks: z.array(webhookBody) }).openapi('WebhookList')

export const messageBody = z
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
  .openapi('WebhookMessage')

export const messageListBody = z
  .object({ messages: z.array(messageBody), nextCursor: z.string().nullable() })
  .openapi('WebhookMessageList')

export function webhookToBody({
  id,
  url,
  events,
  createdAt,
  disabledAt,
}: Webhook): z.infer<typeof webhookBody> {
  return {
    id,
    url,
    events,
    createdAt: createdAt.toISOString(),
    disabledAt: disabledAt?.toISOString() ?? null,
  }
}

export function messageToBody(message: WebhookMessage): z.infer<typeof messageBody> {
  return {
    id: message.id,
    type: message.type,
    jobId: message.jobId ?? null,
    state: message.state,
    createdAt: message.createdAt.toISOString(),
    deliveredAt: message.deliveredAt?.toISOString() ?? null,
    nextAttemptAt: message.nextAttemptAt?.toISOString() ?? null,
    attempts: message.attempts.map(({ n, at, status, error, milliseconds }) => ({
      n,
      at: at.toISOString(),
      status: status ?? null,
      error: error ?? null,
      milliseconds,
    })),
  }
}

export function messagesToBody({ messages, nextCursor }: MessagePage): z.infer<typeof messageListBody> {
  return { messages: messages.map(messageToBody), nextCursor: nextCursor ?? null }
}
