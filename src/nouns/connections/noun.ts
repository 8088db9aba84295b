import { hostEndpoints } from './endpoints.ts'
import { receiveWebhookEndpoint } from './receive-webhook.ts'

/** How a project is connected to its git host. */
export const connections = { endpoints: [hostEndpoints, receiveWebhookEndpoint], pages: [] } as const
