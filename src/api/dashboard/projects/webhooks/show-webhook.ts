import { html } from 'hono/html'
import { listMessages } from '../../../../features/agent/webhooks/messages.ts'
import type { WebhookMessage } from '../../../../features/agent/webhooks/messages.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { webhookOf } from '../../../v2/agent/webhooks.ts'
import { ago, badge, table } from '../../html/parts.ts'
import { buttonForm } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { show } from '../../html/respond.ts'
import { projectPage } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'

const pageSize = 25

export function showWebhookEndpoint(ports: DashboardPorts): Endpoint {
  return projectPage(
    ports,
    '/projects/{domain}/webhooks/{id}',
    'listWebhookMessages',
    async ({ context, session, project }) => {
      const webhook = await webhookOf(ports.store, context, project)
      const after = context.req.query('after') ?? ''
      const cursor = /^msg_[\w-]{1,100}$/.test(after) ? after : undefined
      const { messages, nextCursor } = await listMessages(ports.store.db, webhook.id, {
        limit: pageSize,
        cursor,
      })
      const base = `/projects/${project.domain}/webhooks/${webhook.id}`
      const now = ports.now()
      const live = webhook.disabledAt === undefined
      const body = html`<p class="trail"><a href="/projects/${project.domain}/webhooks">Webhooks</a></p>
        <div class="heading">
          <h1>${webhook.url}</h1>
          <div class="buttons">
            ${live ? buttonForm(session, { action: `${base}/test`, label: 'Send a test' }) : ''}
            ${buttonForm(session, {
              action: `${base}/remove`,
              label: 'Remove',
              kind: 'danger',
              confirm: 'Remove this webhook and its log? What waits to be sent is dropped.',
            })}
          </div>
        </div>
        ${live ? '' : html`<p class="failure">The receiver answered 410, so nothing is sent to it any more.</p>`}
        <p class="muted">
          Told of ${webhook.events.length === 0 ? 'all events' : webhook.events.join(', ')} · made
          ${ago(webhook.createdAt, now)}
        </p>
        <section>
          <h2>Delivery log</h2>
          ${messages.length === 0 ? html`<p class="empty">Nothing yet. Send a test, or start a job.</p>` : messageTable(base, session, messages, { now, live })}
          ${nextCursor === undefined ? '' : html`<p><a class="button" href="${base}?after=${nextCursor}">Older messages</a></p>`}
        </section>`
      const waiting = messages.some(({ state, attempts }) => state === 'pending' && attempts.length === 0)
      return show(
        context,
        { title: 'Webhook', session, project, tab: 'webhooks', live: live && waiting },
        body,
      )
    },
  )
}

function messageTable(
  base: string,
  session: Session,
  messages: WebhookMessage[],
  { now, live }: { now: Date; live: boolean },
): Html {
  return table(
    'Messages',
    ['Event', 'State', 'Created', 'Attempts', ''],
    messages.map(
      (message) =>
        html`<tr>
          <td>${message.type}<br /><small class="muted">${message.id}</small></td>
          <td>${badge(message.state)}</td>
          <td>${ago(message.createdAt, now)}</td>
          <td class="wide">${attempts(message, now)}</td>
          <td>
            ${live ? buttonForm(session, { action: `${base}/messages/${message.id}/resend`, label: 'Resend' }) : ''}
          </td>
        </tr>`,
    ),
  )
}

function attempts({ attempts, nextAttemptAt }: WebhookMessage, now: Date): Html {
  return html`${attempts.map(
    ({ n, at, status, error, milliseconds }) =>
      html`<div>
        ${n}. ${error ?? `answered ${status ?? ''}`}
        <small class="muted">${milliseconds} ms, ${ago(at, now)}</small>
      </div>`,
  )}
  ${nextAttemptAt && nextAttemptAt > now ? html`<div class="muted">next ${ago(nextAttemptAt, now)}</div>` : ''}`
}
