import { listWebhooks } from '../../../../features/agent/webhooks/webhooks.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { jsonContent, responsesOf } from '../../../responses.ts'
import { projectParameter } from '../parameters.ts'
import { webhookProject } from './open-webhook.ts'
import type { WebhookEndpointDependencies } from './open-webhook.ts'
import { webhookListBody, webhookToBody } from './webhook-body.ts'

export function listWebhooksEndpoint(dependencies: WebhookEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'get',
      path: '/v2/agent/{projectId}/webhooks',
      tags: ['Webhooks'],
      summary: 'List webhooks',
      description: 'Oldest first, without their secrets.',
      security: [{ adminKey: ['webhooks'] }],
      request: { params: projectParameter },
      responses: responsesOf({ 200: { description: 'The webhooks', content: jsonContent(webhookListBody) } }),
    },
    async handle(context) {
      const project = await webhookProject(dependencies, context)
      const webhooks = await listWebhooks(dependencies.webhooks.store.db, project.id)
      return context.json({ webhooks: webhooks.map(webhookToBody) })
    },
  }
}
