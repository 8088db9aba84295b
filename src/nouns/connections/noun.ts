import { doorOf } from '../../verbs/http.ts'
import { receiveWebhookEndpoint } from './receive-webhook.ts'
import { connectionDeeds } from './run.ts'

/** How a project is connected to its git host. */
export const connections = {
  endpoints: [doorOf(connectionDeeds), receiveWebhookEndpoint],
  pages: [],
} as const
