import { resendMessage } from '../../../../features/agent/webhooks/send-again.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { jsonContent, responsesOf } from '../../../responses.ts'
import { messageParameters, notFound, openWebhook } from './open-webhook.ts'
import type { WebhookEndpointDependencies } from './open-webhook.ts'
import { messageBody, messageToBody } from './webhook-body.ts'

export function resendMessageEndpoint(dependencies: WebhookEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'post',
      path: '/v2/agent/{projectId}/webhooks/{id}/messages/{messageId}/resend',
      tags: ['Webhooks'],
      summary: 'Resend webhook message',
      description: 'Sends it once more within about a second, under the same id, delivered or not.',
      security: [{ adminKey: ['webhooks'] }],
      request: { params: messageParameters },
      responses: responsesOf(
        { 202: { description: 'The message', content: jsonContent(messageBody) } },
        [400],
      ),
    },
    async handle(context) {
      const webhook = await openWebhook(dependencies, context)
      const id = context.req.param('messageId') ?? ''
      const message = hasUnstorable(id)
        ? undefined
        : await resendMessage(dependencies.webhooks.store, webhook, id)
      if (!message) throw notFound('message', id)
      return context.json(messageToBody(message), 202)
    },
  }
}
