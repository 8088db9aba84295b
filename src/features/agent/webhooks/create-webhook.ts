import { randomBytes } from 'node:crypto'
import { AppError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { sealSecret, type SecretKey } from '../../../lib/secret-box.ts'
import type { Store } from '../../../store/database.ts'
import { parseWebhookUrl } from './webhook-url.ts'
import { insertWebhook, mostWebhooks, webhookEvents, type Webhook } from './webhooks.ts'

/** The dependencies of creating webhooks. */
export interface WebhookPorts {
  store: Store
  /** Encrypts the secrets at rest. */
  secretKey: SecretKey
  /** Whether webhooks may be sent to private networks. */
  toPrivate: boolean
}

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
  const unknown = input.events.find((name) => !webhookEvents.some((known) => known === name))
  if (unknown !== undefined)
    throw new AppError(
      'invalid',
      `\`events\` holds ${JSON.stringify(unknown.slice(0, 100))}; choose of ${webhookEvents.join(', ')}`,
    )
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
  if (!webhook)
    throw new AppError('invalid', `A project has ${mostWebhooks} webhooks at most; remove one first`)
  return { webhook, secret }
}
