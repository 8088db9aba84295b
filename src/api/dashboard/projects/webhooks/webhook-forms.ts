import { html } from 'hono/html'
import { createWebhook } from '../../../../features/agent/webhooks/create-webhook.ts'
import { testWebhook } from '../../../../features/agent/webhooks/send-again.ts'
import { deleteWebhook } from '../../../../features/agent/webhooks/webhooks.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { resendNamed, webhookOf } from '../../../v2/agent/webhooks.ts'
import { copyable } from '../../html/form.ts'
import { show } from '../../html/respond.ts'
import { projectForm } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'

export function webhookForms(ports: DashboardPorts): Endpoint[] {
  const { store } = ports
  const path = '/projects/{domain}/webhooks'
  const one = `${path}/{id}`
  return [
    // Shows the secret in the answer itself: it is never shown again, so there is nothing to redirect to.
    projectForm(ports, path, 'createWebhook', async ({ context, session, project, form }) => {
      const { webhook, secret } = await createWebhook({ ...ports.webhooks, store }, project.id, {
        url: fieldOf(form, 'url'),
        events: form.getAll('event'),
      })
      const body = html`<h1>Copy the secret now</h1>
        <p>Your receiver checks signatures with it. This is the only time that it is shown.</p>
        <div class="secret">${copyable(secret, 'the secret')}</div>
        <p>
          <a class="button" href="/projects/${project.domain}/webhooks/${webhook.id}">I have copied it</a>
        </p>`
      return show(context, { title: 'New webhook', session, project, tab: 'webhooks' }, body)
    }),
    projectForm(ports, `${one}/remove`, 'deleteWebhook', async ({ context, project }) => {
      const webhook = await webhookOf(store, context, project)
      await store.transaction((tx) => deleteWebhook(tx, project.id, webhook.id))
      return context.redirect(`/projects/${project.domain}/webhooks?done=removed`, 303)
    }),
    projectForm(ports, `${one}/test`, 'testWebhook', async ({ context, project }) => {
      const webhook = await webhookOf(store, context, project)
      await testWebhook(store, webhook)
      return context.redirect(`/projects/${project.domain}/webhooks/${webhook.id}?done=sent`, 303)
    }),
    projectForm(
      ports,
      `${one}/messages/{messageId}/resend`,
      'resendWebhookMessage',
      async ({ context, project }) => {
        await resendNamed(store, context, project)
        const id = context.req.param('id') ?? ''
        return context.redirect(`/projects/${project.domain}/webhooks/${id}?done=sent`, 303)
      },
    ),
  ]
}
