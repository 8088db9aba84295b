import { AppError } from '../../../lib/errors.ts'
import type { Store } from '../../../store/database.ts'
import { findMessage, insertMessage, requeueMessage, type WebhookMessage } from './messages.ts'
import type { Webhook } from './webhooks.ts'

/** Sends a message again under the same id. Undefined when the webhook has no such message. */
export async function resendMessage(
  store: Store,
  webhook: Webhook,
  messageId: string,
): Promise<WebhookMessage | undefined> {
  requireEnabled(webhook)
  return store.transaction(async (tx) => {
    const message = await findMessage(tx, webhook.id, messageId)
    if (message) await requeueMessage(tx, messageId)
    return message && findMessage(tx, webhook.id, messageId)
  })
}

/** Sends a test message, regardless of the webhook's events. */
export async function testWebhook(store: Store, webhook: Webhook): Promise<WebhookMessage> {
  requireEnabled(webhook)
  return store.transaction(async (tx) => {
    const id = await insertMessage(tx, {
      webhookId: webhook.id,
      type: 'webhook.test',
      payload: {
        type: 'webhook.test',
        timestamp: new Date().toISOString(),
        data: { webhook: { id: webhook.id, projectId: webhook.projectId } },
      },
    })
    const message = await findMessage(tx, webhook.id, id)
    if (!message) throw new AppError('internal', 'The message was not written')
    return message
  })
}

function requireEnabled({ disabledAt }: Webhook): void {
  if (disabledAt)
    throw new AppError(
      'invalid',
      'The webhook is disabled because its receiver answered 410; remove it and add it again',
    )
}
