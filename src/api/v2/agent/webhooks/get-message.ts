import { findMessage } from '../../../../features/agent/webhooks/messages.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { jsonContent, responsesOf } from '../../../responses.ts'
import { messageParameters, notFound, openWebhook } from './open-webhook.ts'
import type { WebhookEndpointDependencies } from './open-webhook.ts'
import { messageBody, messageToBody } from './webhook-body.ts'

export function getMessageEndpoint(dependencies: WebhookEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'get',
      path: '/v2/agent/{projectId}/webhooks/{id}/messages/{messageId}',
      tags: ['Webhooks'],
      summary: 'Get webhook message',
      description: 'One message with every attempt.',
      security: [{ adminKey: ['webhooks'] }],
      request: { params: messageParameters },
      responses: responsesOf({ 200: { description: 'The message', content: jsonContent(messageBody) } }),
    },
    async handle(context) {
      const webhook = await openWebhook(dependencies, context)
      const id = context.req.param('messageId') ?? ''
      const message = hasUnstorable(id)
        ? undefined
        : await findMessage(dependencies.webhooks.store.db, webhook.id, id)
      if (!message) throw notFound('message', id)
      return context.json(messageToBody(message))
    },
  }
}
