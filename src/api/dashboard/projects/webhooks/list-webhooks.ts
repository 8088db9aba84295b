import { html } from 'hono/html'
import { listWebhooks, webhookEvents } from '../../../../features/agent/webhooks/webhooks.ts'
import type { Webhook } from '../../../../features/agent/webhooks/webhooks.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { ago, badge, table } from '../../html/parts.ts'
import { csrfField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { show } from '../../html/respond.ts'
import { projectPage } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'

export function listWebhooksPageEndpoint(ports: DashboardPorts): Endpoint {
  return projectPage(
    ports,
    '/projects/{domain}/webhooks',
    'listWebhooks',
    async ({ context, session, project }) => {
      const webhooks = await listWebhooks(ports.store.db, project.id)
      const body = html`<h1>Webhooks</h1>
        <p class="muted">
          Your own servers are told when a job starts, needs attention, opens its pull request, is completed
          or fails.
        </p>
        ${
          webhooks.length === 0
            ? html`<p class="empty">None yet. Add an address below; its secret is shown once.</p>`
            : webhookTable(project, webhooks, ports.now())
        }
        <details class="create" ${webhooks.length === 0 ? html` open` : ''}>
          <summary>Add a webhook</summary>
          ${addForm(project, session)}
        </details>`
      return show(context, { title: 'Webhooks', session, project, tab: 'webhooks' }, body)
    },
  )
}

function webhookTable(project: Project, webhooks: Webhook[], now: Date): Html {
  return table(
    'Webhooks',
    ['Address', 'Events', 'Created'],
    webhooks.map(
      ({ id, url, events, createdAt, disabledAt }) =>
        html`<tr>
          <td class="wide">
            <a href="/projects/${project.domain}/webhooks/${id}">${url}</a>
            ${disabledAt ? badge('disabled') : ''}
          </td>
          <td>${events.length === 0 ? 'all' : events.map((name) => html`${name}<br />`)}</td>
          <td>${ago(createdAt, now)}</td>
        </tr>`,
    ),
  )
}

function addForm(project: Project, session: Session): Html {
  return html`<form method="post" action="/projects/${project.domain}/webhooks" class="stack">
    ${csrfField(session)}
    <label for="url">Address</label>
    <input
      id="url"
      name="url"
      type="url"
      required
      maxlength="2000"
      placeholder="https://example.com/hooks"
      autocomplete="off"
      spellcheck="false"
    />
    <fieldset>
      <legend>Only these events <span class="muted">(none: all)</span></legend>
      ${webhookEvents.map((name) => html`<label class="check"><input type="checkbox" name="event" value="${name}" /> ${name}</label>`)}
    </fieldset>
    <button class="primary">Add webhook</button>
  </form>`
}
