import type { Endpoint } from '../../../endpoint.ts'
import { createWebhookEndpoint } from './create-webhook.ts'
import { deleteWebhookEndpoint } from './delete-webhook.ts'
import { getMessageEndpoint } from './get-message.ts'
import { listMessagesEndpoint } from './list-messages.ts'
import { listWebhooksEndpoint } from './list-webhooks.ts'
import type { WebhookEndpointDependencies } from './open-webhook.ts'
import { resendMessageEndpoint } from './resend-message.ts'
import { testWebhookEndpoint } from './test-webhook.ts'

export function webhookEndpoints(dependencies: WebhookEndpointDependencies): Endpoint[] {
  return [
    listWebhooksEndpoint(dependencies),
    createWebhookEndpoint(dependencies),
    deleteWebhookEndpoint(dependencies),
    testWebhookEndpoint(dependencies),
    listMessagesEndpoint(dependencies),
    getMessageEndpoint(dependencies),
    resendMessageEndpoint(dependencies),
  ]
}
