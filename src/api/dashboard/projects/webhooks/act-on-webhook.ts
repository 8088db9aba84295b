import { resendMessage, testWebhook } from '../../../../features/agent/webhooks/send-again.ts'
import { deleteWebhook } from '../../../../features/agent/webhooks/webhooks.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { noSuchPage } from '../../html/error-page.ts'
import { form } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { webhookOf } from './find-webhook.ts'

export function actOnWebhookEndpoints(ports: DashboardPorts): Endpoint[] {
  const base = '/projects/{domain}/webhooks/{id}'
  return [
    form(ports, `${base}/remove`, async ({ context }) => {
      const { project, webhook } = await webhookOf(ports, context)
      await ports.store.transaction((tx) => deleteWebhook(tx, project.id, webhook.id))
      return context.redirect(`/projects/${project.domain}/webhooks?done=removed`, 303)
    }),
    form(ports, `${base}/test`, async ({ context }) => {
      const { project, webhook } = await webhookOf(ports, context)
      await testWebhook(ports.store, webhook)
      return context.redirect(`/projects/${project.domain}/webhooks/${webhook.id}?done=sent`, 303)
    }),
    form(ports, `${base}/messages/{messageId}/resend`, async ({ context }) => {
      const { project, webhook } = await webhookOf(ports, context)
      const id = context.req.param('messageId') ?? ''
      if (hasUnstorable(id) || !(await resendMessage(ports.store, webhook, id))) throw noSuchPage()
      return context.redirect(`/projects/${project.domain}/webhooks/${webhook.id}?done=sent`, 303)
    }),
  ]
}
