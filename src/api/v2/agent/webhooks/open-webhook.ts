import { z } from '@hono/zod-openapi'
import { findWebhook } from '../../../../features/agent/webhooks/webhooks.ts'
import type { WebhookPorts } from '../../../../features/agent/webhooks/create-webhook.ts'
import type { Webhook } from '../../../../features/agent/webhooks/webhooks.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { AppError } from '../../../../lib/errors.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import type { Access } from '../../../access.ts'
import type { RequestContext } from '../../../endpoint.ts'
import { projectParameter } from '../parameters.ts'

/** What the webhook endpoints need. */
export interface WebhookEndpointDependencies {
  access: Access
  webhooks: WebhookPorts
}

export const webhookParameters = projectParameter.extend({
  id: z.string().openapi({ description: 'Webhook identifier.' }),
})

export const messageParameters = webhookParameters.extend({
  messageId: z.string().openapi({ description: 'Message identifier.' }),
})

/** The project of the path, for a key that may manage webhooks. */
export function webhookProject(
  { access }: WebhookEndpointDependencies,
  context: RequestContext,
): Promise<Project> {
  return access.adminProject(context, context.req.param('projectId') ?? '', 'webhooks')
}

/** The webhook of the path. @throws AppError `not_found` and what the key gives rise to */
export async function openWebhook(
  dependencies: WebhookEndpointDependencies,
  context: RequestContext,
): Promise<Webhook> {
  const { id: projectId } = await webhookProject(dependencies, context)
  const id = context.req.param('id') ?? ''
  const { db } = dependencies.webhooks.store
  const webhook = hasUnstorable(id) ? undefined : await findWebhook(db, projectId, id)
  if (!webhook) throw notFound('webhook', id)
  return webhook
}

export function notFound(what: string, id: string): AppError {
  const name = JSON.stringify(id.slice(0, 100))
  return new AppError('not_found', `There is no ${what} ${name} in this project; check the address`)
}
