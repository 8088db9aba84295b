import { html } from 'hono/html'
import { inSettings, settingsFrame } from '../../api/frame/settings-tab.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { buttonForm, copyable, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago, badge, table } from '../../api/frame/html/parts.ts'
import { show } from '../../api/frame/html/respond.ts'
import { typedInto, type Pages, type Visit } from '../../api/frame/pages.ts'
import type { WebhookPorts } from '../../features/agent/webhooks/send-webhooks.ts'
import { webhookEvents } from '../../features/agent/webhooks/webhook-events.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { idCursor } from '../../lib/list-query.ts'
import { verbFields, verbForm } from '../../verbs/form.ts'
import * as deeds from './run.ts'
import { getWebhook, listMessages, listWebhooks, type Webhook, type WebhookMessage } from './table.ts'
import { createWebhook } from './verbs.ts'

interface Ports extends WebhookPorts {
  now(): Date
}

const path = '/projects/{domain}/webhooks'
const one = `${path}/{id}`
const inForm = { only: ['url', 'events'], required: ['url'] } as const

/** The pages of webhooks with their forms. */
export function webhookPages(pages: Pages, ports: Ports): Endpoint[] {
  const list = listPage(pages, ports)
  const idIn = ({ context }: Visit): { id: string } => ({ id: context.req.param('id') ?? '' })
  const shownAgain = ({ context, project }: Visit & { project: Project }): Response =>
    context.redirect(`/projects/${project.domain}/webhooks/${context.req.param('id') ?? ''}?done=sent`, 303)
  return [
    list,
    showWebhook(pages, ports),
    verbForm(pages, ports, path, deeds.createWebhook, {
      typed: inForm,
      shownOn: list,
      given: () => ({}),
      // Shows the secret in the response itself: it is never shown again, so no page to redirect to could show it.
      done: ({ context, session, project }, { id, secret }) =>
        show(
          context,
          {
            title: 'New webhook',
            session,
            project,
            ...inSettings(project, 'webhooks'),
            styles: ['manage.css'],
          },
          settingsFrame(
            project,
            'webhooks',
            html`<h1>Copy the secret now</h1>
              <p>Your receiver checks signatures with it. You won’t be able to see it again.</p>
              <div class="secret">${copyable(secret, 'the secret')}</div>
              <p>
                <a class="button" href="/projects/${project.domain}/webhooks/${id}">I have copied it</a>
              </p>`,
          ),
        ),
    }),
    verbForm(pages, ports, `${one}/remove`, deeds.deleteWebhook, {
      given: idIn,
      done: ({ context, project }) =>
        context.redirect(`/projects/${project.domain}/webhooks?done=removed`, 303),
    }),
    verbForm(pages, ports, `${one}/test`, deeds.testWebhook, {
      given: idIn,
      done: shownAgain,
    }),
    verbForm(pages, ports, `${one}/messages/{messageId}/resend`, deeds.resendWebhookMessage, {
      given: (visit) => ({ ...idIn(visit), messageId: visit.context.req.param('messageId') ?? '' }),
      done: shownAgain,
    }),
  ]
}

function listPage(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(path, 'listWebhooks', async ({ context, session, project }) => {
    const webhooks = await listWebhooks(ports.store.db, project.id)
    const typed = typedInto(context, `/projects/${project.domain}/webhooks`)
    const body = html`<h1>Webhooks</h1>
      <p class="muted">Send job events to your own servers.</p>
      ${
        webhooks.length === 0
          ? html`<p class="empty">None yet. Add an address below; its secret is shown once.</p>`
          : webhookTable(project, webhooks, ports.now())
      }
      <details class="create" ${webhooks.length === 0 || typed.size > 0 ? html` open` : ''}>
        <summary>Add a webhook</summary>
        ${addForm(project, session, typed)}
      </details>`
    return show(
      context,
      { title: 'Webhooks', session, project, ...inSettings(project, 'webhooks'), styles: ['manage.css'] },
      settingsFrame(project, 'webhooks', body),
    )
  })
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

function addForm(project: Project, session: Session, typed: URLSearchParams): Html {
  return html`<form method="post" action="/projects/${project.domain}/webhooks" class="stack">
    ${csrfField(session)}
    ${verbFields(createWebhook, { ...inForm, typed, choices: { events: webhookEvents } })}
    <button class="primary">Add webhook</button>
  </form>`
}

const pageSize = 25

function showWebhook(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(one, 'listWebhookMessages', async ({ context, session, project }) => {
    const webhook = await getWebhook(ports.store.db, project.id, context.req.param('id') ?? '')
    const cursor = idCursor('msg').safeParse(context.req.query('after')).data
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
            label: 'Delete',
            kind: 'danger',
            confirm: 'Delete this webhook and its delivery log? Pending messages are discarded.',
          })}
        </div>
      </div>
      ${live ? '' : html`<p class="failure">Disabled because the endpoint returned 410 Gone.</p>`}
      <p class="muted">
        Events: ${webhook.events.length === 0 ? 'all events' : webhook.events.join(', ')} · added
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
      { title: 'Webhook', session, project, ...inSettings(project, 'webhooks'), live: live && waiting },
      body,
    )
  })
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
          <td>${message.type}<br /><small class="muted id">${message.id}</small></td>
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
