import { doorOf } from '../../verbs/http.ts'
import { webhookPages } from './page.ts'
import { webhookDeeds } from './run.ts'

/** Where a project says what happened. */
export const webhooks = { endpoints: [doorOf(webhookDeeds)], pages: [webhookPages] } as const
