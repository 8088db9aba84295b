import { testWebhook } from '../../../../features/agent/webhooks/send-again.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { jsonContent, responsesOf } from '../../../responses.ts'
import { openWebhook, webhookParameters } from './open-webhook.ts'
import type { WebhookEndpointDependencies } from './open-webhook.ts'
import { messageBody, messageToBody } from './webhook-body.ts'

export function testWebhookEndpoint(dependencies: WebhookEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'post',
      path: '/v2/agent/{projectId}/webhooks/{id}/test',
      tags: ['Webhooks'],
      summary: 'Test webhook',
      description:
        'Sends a message of the type `webhook.test` within about a second. The messages tell how it went.',
      security: [{ adminKey: ['webhooks'] }],
      request: { params: webhookParameters },
      responses: responsesOf(
        { 202: { description: 'The message', content: jsonContent(messageBody) } },
        [400],
      ),
    },
    async handle(context) {
      const webhook = await openWebhook(dependencies, context)
      return context.json(messageToBody(await testWebhook(dependencies.webhooks.store, webhook)), 202)
    },
  }
}
