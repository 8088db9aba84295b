import { createWebhook } from '../../../../features/agent/webhooks/create-webhook.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { jobBodyLimit, readBody } from '../../../read-body.ts'
import { jsonContent, responsesOf } from '../../../responses.ts'
import { projectParameter } from '../parameters.ts'
import { webhookProject } from './open-webhook.ts'
import type { WebhookEndpointDependencies } from './open-webhook.ts'
import { createWebhookBody, newWebhookBody, webhookToBody } from './webhook-body.ts'

export function createWebhookEndpoint(dependencies: WebhookEndpointDependencies): Endpoint {
  return {
    route: {
      method: 'post',
      path: '/v2/agent/{projectId}/webhooks',
      tags: ['Webhooks'],
      summary: 'Create webhook',
      description:
        'From now on the address is told what happens to jobs, signed as Standard Webhooks describes. The secret is shown in this response alone. At most 20 per project.',
      security: [{ adminKey: ['webhooks'] }],
      request: {
        params: projectParameter,
        body: { required: true, content: jsonContent(createWebhookBody) },
      },
      responses: responsesOf(
        { 201: { description: 'The webhook and its secret', content: jsonContent(newWebhookBody) } },
        [400, 413],
      ),
    },
    async handle(context) {
      const project = await webhookProject(dependencies, context)
      const { url, events } = await readBody(context, createWebhookBody, jobBodyLimit)
      const made = await createWebhook(dependencies.webhooks, project.id, { url, events: events ?? [] })
      return context.json({ ...webhookToBody(made.webhook), secret: made.secret }, 201)
    },
  }
}
