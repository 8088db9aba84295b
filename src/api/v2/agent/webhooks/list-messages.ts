import { z } from '@hono/zod-openapi'
import { listMessages } from '../../../../features/agent/webhooks/messages.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { readQuery } from '../../../read-body.ts'
import { jsonContent, responsesOf } from '../../../responses.ts'
import { openWebhook, webhookParameters } from './open-webhook.ts'
import type { WebhookEndpointDependencies } from './open-webhook.ts'
import { messageListBody, messagesToBody } from './webhook-body.ts'

const limitRule = 'must be a whole number from 1 to 100'
const query = z.object({
  state: z
    .enum(['pending', 'delivered', 'failed'], { error: 'must be one of pending, delivered, failed' })
    .optional(),
  limit: z.coerce
    .number({ error: limitRule })
    .int(limitRule)
    .min(1, limitRule)
    .max(100, limitRule)
    .default(20),
  cursor: z.string().max(200, 'is not a cursor of this list').optional(),
})

export function listMessagesEndpoint(dependencies: WebhookEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'get',
      path: '/v2/agent/{projectId}/webhooks/{id}/messages',
      tags: ['Webhooks'],
      summary: 'List webhook messages',
      description:
        'The delivery log, newest first, with every attempt. Kept for 30 days. Pass `nextCursor` as `cursor` for the next page.',
      security: [{ adminKey: ['webhooks'] }],
      request: { params: webhookParameters, query },
      responses: responsesOf(
        { 200: { description: 'A page of messages', content: jsonContent(messageListBody) } },
        [400],
      ),
    },
    async handle(context) {
      const webhook = await openWebhook(dependencies, context)
      const { state, limit, cursor } = readQuery(context, query)
      if (cursor !== undefined && !/^msg_[\w-]+$/.test(cursor))
        throw new AppError('invalid', '`cursor`: is not a cursor of this list; take it from `nextCursor`')
      const page = await listMessages(dependencies.webhooks.store.db, webhook.id, { state, limit, cursor })
      return context.json(messagesToBody(page))
    },
  }
}
