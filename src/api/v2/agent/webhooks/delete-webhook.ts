import { deleteWebhook } from '../../../../features/agent/webhooks/webhooks.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { jsonContent, responsesOf } from '../../../responses.ts'
import { openWebhook, webhookParameters } from './open-webhook.ts'
import type { WebhookEndpointDependencies } from './open-webhook.ts'
import { webhookBody, webhookToBody } from './webhook-body.ts'

export function deleteWebhookEndpoint(dependencies: WebhookEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'delete',
      path: '/v2/agent/{projectId}/webhooks/{id}',
      tags: ['Webhooks'],
      summary: 'Delete webhook',
      description: 'With its messages, those that wait included.',
      security: [{ adminKey: ['webhooks'] }],
      request: { params: webhookParameters },
      responses: responsesOf({ 200: { description: 'What was deleted', content: jsonContent(webhookBody) } }),
    },
    async handle(context) {
      const webhook = await openWebhook(dependencies, context)
      await dependencies.webhooks.store.transaction((tx) => deleteWebhook(tx, webhook.projectId, webhook.id))
      return context.json(webhookToBody(webhook))
    },
  }
}
