import { randomBytes } from 'node:crypto'
import type { WebhookPorts } from '../../features/agent/webhooks/send-webhooks.ts'
import { webhookEvents } from '../../features/agent/webhooks/webhook-events.ts'
import { parseWebhookUrl } from '../../features/agent/webhooks/webhook-url.ts'
import { newId } from '../../lib/ids.ts'
import { sealSecret } from '../../lib/secret-box.ts'
import { insertWebhook, type Webhook } from './table.ts'

/**
 * @param input empty `events` mean all
 * @returns the webhook and its secret, `whsec_` and base64, which is returned only here
 * @throws AppError `invalid` for an address that is not allowed, and above the limit of webhooks per project
 */
export async function createWebhook(
  { store, secretKey, toPrivate }: WebhookPorts,
  projectId: string,
  input: { url: string; events: readonly string[] },
): Promise<{ webhook: Webhook; secret: string }> {
  const url = parseWebhookUrl(input.url, toPrivate).href
  const id = newId('whk')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const webhook = await store.transaction((tx) =>
    insertWebhook(tx, {
      id,
      projectId,
      url,
      secret: sealSecret(secretKey, id, secret),
      events: webhookEvents.filter((name) => input.events.includes(name)),
    }),
  )
  return { webhook, secret }
}
