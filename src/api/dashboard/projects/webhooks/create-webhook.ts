import { html } from 'hono/html'
import { createWebhook } from '../../../../features/agent/webhooks/create-webhook.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { copyable } from '../../html/form.ts'
import { layout } from '../../html/layout.ts'
import { respond } from '../../html/respond.ts'
import { form, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'

/** Shows the secret in the answer itself: it is never shown again, so there is nothing to redirect to. */
export function createWebhookFormEndpoint(ports: DashboardPorts): Endpoint {
  return form(ports, '/projects/{domain}/webhooks', async ({ context, session, form }) => {
    const project = await projectOf(ports, context)
    const { webhook, secret } = await createWebhook({ ...ports.webhooks, store: ports.store }, project.id, {
      url: fieldOf(form, 'url'),
      events: form.getAll('event'),
    })
    const body = html`<h1>Copy the secret now</h1>
      <p>Your receiver checks signatures with it. This is the only time that it is shown.</p>
      <div class="secret">${copyable(secret, 'the secret')}</div>
      <p>
        <a class="button" href="/projects/${project.domain}/webhooks/${webhook.id}">I have copied it</a>
      </p>`
    return respond(context, layout({ title: 'New webhook', session, project, tab: 'webhooks' }, body))
  })
}
