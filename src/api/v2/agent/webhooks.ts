import { z } from '@hono/zod-openapi'
import { createWebhook, type WebhookPorts } from '../../../features/agent/webhooks/create-webhook.ts'
import {
  findMessage,
  listMessages,
  type MessagePage,
  type WebhookMessage,
} from '../../../features/agent/webhooks/messages.ts'
import { resendMessage, testWebhook } from '../../../features/agent/webhooks/send-again.ts'
import {
  deleteWebhook,
  findWebhook,
  listWebhooks,
  webhookEvents,
  type Webhook,
} from '../../../features/agent/webhooks/webhooks.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import type { Store } from '../../../store/database.ts'
import type { Access } from '../../access.ts'
import { idCursor } from '../../cursors.ts'
import { limitUpTo, operations } from '../../description/operation.ts'
import type { Endpoint, RequestContext } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'

interface Ports {
  access: Access
  webhooks: WebhookPorts
}

const messageQuery = z.object({
  state: z
    .enum(['pending', 'delivered', 'failed'], { error: 'must be one of pending, delivered, failed' })
    .optional(),
  limit: limitUpTo(100, 20),
  cursor: idCursor('msg').optional(),
})

export function webhookEndpoints({ access, webhooks }: Ports): Endpoint[] {
  const { store } = webhooks
  const { onProject } = operations(access, 'Webhooks')
  const path = '/v2/agent/{projectId}/webhooks'
  const one = `${path}/{id}`
  const answer = ['The message', messageBody] as const
  return [
    onProject('listWebhooks', `get ${path}`, 'List webhooks', {
      description: 'Oldest first, without their secrets.',
      answer: [200, 'The webhooks', webhookListBody],
      handle: async ({ project }) => ({
        webhooks: (await listWebhooks(store.db, project.id)).map(webhookToBody),
      }),
    }),
    onProject('createWebhook', `post ${path}`, 'Create webhook', {
      description:
        'From now on events of jobs are sent to the address, signed as Standard Webhooks describes. The secret is shown only in this response. At most 20 per project.',
      body: createWebhookBody,
      answer: [201, 'The webhook and its secret', newWebhookBody],
      async handle({ project, body: { url, events } }) {
        const made = await createWebhook(webhooks, project.id, { url, events: events ?? [] })
        return { ...webhookToBody(made.webhook), secret: made.secret }
      },
    }),
    onProject('deleteWebhook', `delete ${one}`, 'Delete webhook', {
      description: 'Deletes the webhook with its messages, including those that wait.',
      answer: [200, 'What was deleted', webhookBody],
      async handle({ context, project }) {
        const webhook = await webhookOf(store, context, project)
        await store.transaction((tx) => deleteWebhook(tx, project.id, webhook.id))
        return webhookToBody(webhook)
      },
    }),
    onProject('testWebhook', `post ${one}/test`, 'Test webhook', {
      description:
        'Sends a message of the type `webhook.test` within about a second. List the messages to see the result.',
      errors: [400],
      answer: [202, ...answer],
      handle: async ({ context, project }) =>
        messageToBody(await testWebhook(store, await webhookOf(store, context, project))),
    }),
    onProject('listWebhookMessages', `get ${one}/messages`, 'List webhook messages', {
      description:
        'The delivery log, newest first, with every attempt. Kept for 30 days. Pass `nextCursor` as `cursor` for the next page.',
      query: messageQuery,
      answer: [200, 'A page of messages', messageListBody],
      async handle({ context, project, query }) {
        const webhook = await webhookOf(store, context, project)
        return messagesToBody(await listMessages(store.db, webhook.id, query))
      },
    }),
    onProject('getWebhookMessage', `get ${one}/messages/{messageId}`, 'Get webhook message', {
      description: 'One message with every attempt.',
      answer: [200, ...answer],
      async handle({ context, project }) {
        const webhook = await webhookOf(store, context, project)
        const id = context.req.param('messageId') ?? ''
        const message = hasUnstorable(id) ? undefined : await findMessage(store.db, webhook.id, id)
        if (!message) throw notFound('message', id)
        return messageToBody(message)
      },
    }),
    onProject('resendWebhookMessage', `post ${one}/messages/{messageId}/resend`, 'Resend webhook message', {
      description:
        'Sends the message again within about a second, with the same id, even if it was delivered.',
      errors: [400],
      answer: [202, ...answer],
      handle: async ({ context, project }) => messageToBody(await resendNamed(store, context, project)),
    }),
  ]
}

/** Sends the message that the path names once more. @throws AppError `not_found`, `invalid` for a disabled webhook */
export async function resendNamed(
  store: Store,
  context: RequestContext,
  project: Project,
): Promise<WebhookMessage> {
  const webhook = await webhookOf(store, context, project)
  const id = context.req.param('messageId') ?? ''
  const message = hasUnstorable(id) ? undefined : await resendMessage(store, webhook, id)
  if (!message) throw notFound('message', id)
  return message
}

/** The webhook that the path names. @throws AppError `not_found` */
export async function webhookOf(
  { db }: Store,
  context: RequestContext,
  { id: projectId }: Project,
): Promise<Webhook> {
  const id = context.req.param('id') ?? ''
  const webhook = hasUnstorable(id) ? undefined : await findWebhook(db, projectId, id)
  if (!webhook) throw notFound('webhook', id)
  return webhook
}

const urlRule = 'must be an address like https://example.com/hooks'

const webhookEvent = z
  .enum(webhookEvents, { error: `must be of ${webhookEvents.join(', ')}` })
  .openapi('WebhookEvent', { description: 'A type of events that a webhook sends.' })

const createWebhookBody = z
  .object(
    {
      url: z.string({ error: urlRule }).min(1, urlRule).max(2000, urlRule).openapi({
        description: 'Where to post to: https, at a public address.',
        example: 'https://example.com/hooks',
      }),
      events: z
        .array(webhookEvent, {
          error: 'must be a list of types of events',
        })
        .max(webhookEvents.length, 'holds a type twice')
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
  .openapi('WebhookMessageList', { description: 'A page of messages, the newest first.' })

function webhookToBody({ id, url, events, createdAt, disabledAt }: Webhook): z.infer<typeof webhookBody> {
  return {
    id,
    url,
    events,
    createdAt: createdAt.toISOString(),
    disabledAt: disabledAt?.toISOString() ?? null,
  }
}

function messageToBody(message: WebhookMessage): z.infer<typeof messageBody> {
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

function messagesToBody({ messages, nextCursor }: MessagePage): z.infer<typeof messageListBody> {
  return { messages: messages.map(messageToBody), nextCursor: nextCursor ?? null }
}
