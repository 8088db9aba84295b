import { insertMessage } from '../../features/agent/webhooks/messages.ts'
import type { WebhookPorts } from '../../features/agent/webhooks/send-webhooks.ts'
import { AppError } from '../../lib/errors.ts'
import type { Store, Tx } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import { createWebhook as makeWebhook } from './create-webhook.ts'
import * as table from './table.ts'
import * as verbs from './verbs.ts'

interface Stored {
  store: Store
}

const listWebhooks = deed(verbs.listWebhooks, async ({ store }: Stored, { project }) => ({
  webhooks: await table.listWebhooks(store.db, project.id),
}))

export const createWebhook = deed(
  verbs.createWebhook,
  async (ports: WebhookPorts, { project }, { url, events }) => {
    const { webhook, secret } = await makeWebhook(ports, project.id, { url, events: events ?? [] })
    return { ...webhook, secret }
  },
)

export const deleteWebhook = deed(verbs.deleteWebhook, async ({ store }: Stored, { project }, { id }) =>
  store.transaction((tx) => table.deleteWebhook(tx, project.id, id)),
)

export const testWebhook = deed(verbs.testWebhook, async ({ store }: Stored, { project }, { id }) =>
  store.transaction(async (tx) => {
    const webhook = await liveWebhook(tx, project.id, id)
    const message = await insertMessage(tx, {
      webhookId: webhook.id,
      type: 'webhook.test',
      payload: {
        type: 'webhook.test',
        timestamp: new Date().toISOString(),
        data: { webhook: { id: webhook.id, projectId: webhook.projectId } },
      },
    })
    return table.getMessage(tx, webhook.id, message)
  }),
)

const listWebhookMessages = deed(
  verbs.listWebhookMessages,
  async ({ store: { db } }: Stored, { project }, { id, ...query }) => {
    const webhook = await table.getWebhook(db, project.id, id)
    const { messages, nextCursor } = await table.listMessages(db, webhook.id, query)
    return { messages, nextCursor }
  },
)

const getWebhookMessage = deed(
  verbs.getWebhookMessage,
  async ({ store: { db } }: Stored, { project }, { id, messageId }) => {
    const webhook = await table.getWebhook(db, project.id, id)
    return table.getMessage(db, webhook.id, messageId)
  },
)

export const resendWebhookMessage = deed(
  verbs.resendWebhookMessage,
  async ({ store }: Stored, { project }, { id, messageId }) =>
    store.transaction((tx) => resendMessage(tx, project.id, id, messageId)),
)

export const webhookDeeds = [
  listWebhooks,
  createWebhook,
  deleteWebhook,
  testWebhook,
  listWebhookMessages,
  getWebhookMessage,
  resendWebhookMessage,
]

/** Sends a message again under the same id, whatever its state. @throws AppError `not_found`, `invalid` */
export async function resendMessage(
  tx: Tx,
  projectId: string,
  id: string,
  messageId: string,
): Promise<table.WebhookMessage> {
  const webhook = await liveWebhook(tx, projectId, id)
  const message = await table.getMessage(tx, webhook.id, messageId)
  await table.requeueMessage(tx, message.id)
  return table.getMessage(tx, webhook.id, messageId)
}

async function liveWebhook(tx: Tx, projectId: string, id: string): Promise<table.Webhook> {
  const webhook = await table.getWebhook(tx, projectId, id)
  if (webhook.disabledAt)
    throw new AppError(
      'invalid',
      'This webhook is disabled because its endpoint returned 410 Gone. Delete it and add it again',
    )
  return webhook
}
