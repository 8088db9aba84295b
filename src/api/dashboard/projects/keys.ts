import { html } from 'hono/html'
import {
  createKey,
  listProjectKeys,
  revokeKey,
  type Key,
  type NewKey,
} from '../../../features/projects/keys.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { scopesOfKind } from '../../../features/projects/scopes.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Store } from '../../../store/database.ts'
import type { Endpoint } from '../../endpoint.ts'
import { buttonForm, checkBox, copyable, csrfField, textField } from '../../frame/html/form.ts'
import type { Html } from '../../frame/html/html.ts'
import { ago, badge, table } from '../../frame/html/parts.ts'
import { show } from '../../frame/html/respond.ts'
import { typedInto, type Pages } from '../../frame/pages.ts'
import { fieldOf } from '../../frame/read-form.ts'
import { settingsFrame } from './settings/frame.ts'

interface Ports {
  store: Store
  now(): Date
}

export function keyForms(pages: Pages, ports: Ports): Endpoint[] {
  const { store } = ports
  const path = '/projects/{domain}/keys'
  const page = listKeysEndpoint(pages, ports)
  return [
    // Shows the new key in the response itself: the key is not stored, so no page to redirect to could show it.
    pages.projectForm(
      path,
      'createKey',
      async ({ context, session, project, form }) => {
        const input = readKey(form, project, ports.now())
        const { key, secret } = await store.transaction((tx) => createKey(tx, input))
        const body = html`<h1>Copy your new key now</h1>
          <p>This is the only time that it is shown.</p>
          <div class="secret">${copyable(secret, 'the key')}</div>
          <p class="muted">
            ${key.kind === 'admin' ? 'A secret: keep it on servers, never in a web page.' : 'Public: it may stand in a web page.'}
          </p>
          <p><a class="button" href="/projects/${project.domain}/keys">I have copied it</a></p>`
        return show(
          context,
          { title: 'New key', session, project, tab: 'settings', styles: ['manage.css'] },
          settingsFrame(project, 'keys', body),
        )
      },
      page,
    ),
    pages.projectForm(
      `${path}/revoke`,
      'revokeKey',
      async ({ context, project, form }) => {
        const id = fieldOf(form, 'id')
        if (!(await listProjectKeys(store.db, project)).some((key) => key.id === id))
          throw new AppError('not_found', 'This project has no such key; reload the page')
        await store.transaction((tx) => revokeKey(tx, id))
        return context.redirect(`/projects/${project.domain}/keys?done=revoked`, 303)
      },
      page,
    ),
  ]
}

function readKey(form: URLSearchParams, project: Project, now: Date): NewKey {
  const kind = fieldOf(form, 'kind')
  if (kind !== 'admin' && kind !== 'assistant')
    throw new AppError('invalid', 'Choose the kind of key: admin or assistant')
  const name = fieldOf(form, 'name')
  if (name.length > 100) throw new AppError('invalid', 'The name is longer than 100 characters; shorten it')
  const days = fieldOf(form, 'days')
  if (days !== '' && !(/^\d{1,4}$/.test(days) && Number(days) >= 1 && Number(days) <= 3650))
    throw new AppError('invalid', 'A key expires after 1 to 3650 days, or never when the field is empty')
  return {
    kind,
    organizationId: project.organizationId,
    projectId: kind === 'assistant' ? project.id : undefined,
    name,
    origins: kind === 'assistant' ? linesOf(fieldOf(form, 'origins')) : [],
    scopes: form.getAll('scope'),
    addresses: linesOf(fieldOf(form, 'addresses')),
    expiresAt: days === '' ? undefined : new Date(now.getTime() + Number(days) * 86_400_000),
  }
}

function linesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '')
}

export function listKeysEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}/keys', 'listKeys', async ({ context, session, project }) => {
    const keys = (await listProjectKeys(ports.store.db, project)).toReversed()
    const now = ports.now()
    const typed = typedInto(context, `/projects/${project.domain}/keys`)
    const body = html`<h1>API keys</h1>
      <dl class="facts">
        <div>
          <dt>Project id</dt>
          <dd>${copyable(project.id, 'the project id')}</dd>
        </div>
        <div>
          <dt>Domain</dt>
          <dd>${copyable(project.domain, 'the domain')}</dd>
        </div>
      </dl>
      ${(['admin', 'assistant'] as const).map((kind) => section(project, session, keys, { kind, now, typed: typed.get('kind') === kind ? typed : none }))}`
    return show(
      context,
      { title: 'API keys', session, project, tab: 'settings', styles: ['manage.css'] },
      settingsFrame(project, 'keys', body),
    )
  })
}

const none = new URLSearchParams()

function section(
  project: Project,
  session: Session,
  all: Key[],
  { kind, now, typed }: { kind: Key['kind']; now: Date; typed: URLSearchParams },
): Html {
  const keys = all.filter((key) => key.kind === kind)
  const admin = kind === 'admin'
  return html`<section>
    <h2>${admin ? 'Admin keys' : 'Assistant keys'}</h2>
    <p class="muted">
      ${
        admin
          ? 'Start and read jobs of every project of the organization. Secret: for servers only.'
          : html`Ask the assistant and search this project. Public: safe in a web page.
              <a href="/projects/${project.domain}/widget">Put the assistant on your site</a>`
      }
    </p>
    ${keys.length === 0 ? html`<p class="empty">None yet. Create one below; it is shown once.</p>` : keyTable(project, session, keys, now)}
    <details class="create" ${keys.length === 0 || typed.size > 0 ? html` open` : ''}>
      <summary>Create ${admin ? 'an admin' : 'an assistant'} key</summary>
      ${createForm(project, session, kind, typed)}
    </details>
  </section>`
}

function keyTable(project: Project, session: Session, keys: Key[], now: Date): Html {
  return table(
    keys[0]?.kind === 'admin' ? 'Admin keys' : 'Assistant keys',
    ['Name', 'Key', 'Created', 'Last used', 'Expires', ''],
    keys.map((key) => row(project, session, key, now)),
  )
}

function row(project: Project, session: Session, key: Key, now: Date): Html {
  const expired = key.expiresAt !== undefined && key.expiresAt <= now
  const state = key.revokedAt ? 'revoked' : expired ? 'expired' : undefined
  const name = key.name === '' ? '(no name)' : key.name
  return html`<tr>
    <td class="given">
      ${name}
      ${state === undefined ? '' : badge(state)}${[key.scopes, key.origins, key.addresses].map((limits) => (limits.length === 0 ? '' : html`<br /><small class="muted">${limits.join(', ')}</small>`))}
    </td>
    <td><code>${key.kind === 'admin' ? 'svc_' : 'svc_dsc_'}…${key.hint}</code></td>
    <td>${ago(key.createdAt, now)}</td>
    <td>${key.lastUsedAt ? ago(key.lastUsedAt, now) : 'never'}</td>
    <td>${key.expiresAt ? ago(key.expiresAt, now) : 'never'}</td>
    <td>
      ${
        state === undefined
          ? buttonForm(session, {
              action: `/projects/${project.domain}/keys/revoke`,
              label: 'Revoke',
              kind: 'danger',
              confirm: `Revoke the key "${name}" that ends in ${key.hint}? Whatever uses it stops working at once.`,
              fields: { id: key.id },
            })
          : ''
      }
    </td>
  </tr>`
}

function createForm(project: Project, session: Session, kind: Key['kind'], typed: URLSearchParams): Html {
  const id = (field: string): string => `${kind}-${field}`
  return html`<form method="post" action="/projects/${project.domain}/keys" class="stack">
    ${csrfField(session)}<input type="hidden" name="kind" value="${kind}" />
    ${textField({ name: 'name', label: 'Name', value: typed.get('name'), maximum: 100, placeholder: kind === 'admin' ? 'CI' : 'Website' }, `${kind}-`)}
    ${
      kind === 'assistant'
        ? html`<label for="${id('origins')}"
              >Web origins that may use it, one per line <span class="muted">(empty: all)</span></label
            >
            <textarea id="${id('origins')}" name="origins" rows="2" placeholder="https://docs.example.com">
${typed.get('origins') ?? ''}</textarea>`
        : ''
    }
    <fieldset>
      <legend>
        May do only
        <span class="muted">(none: everything${kind === 'admin' ? ' but administration' : ''})</span>
      </legend>
      ${scopesOfKind[kind].map((scope) => checkBox('scope', scope, typed.has('scope', scope), scope))}
    </fieldset>
    <label for="${id('addresses')}"
      >IP addresses or CIDR ranges that may use it, one per line
      <span class="muted">(empty: all)</span></label
    >
    <textarea id="${id('addresses')}" name="addresses" rows="2" placeholder="203.0.113.0/24">
${typed.get('addresses') ?? ''}</textarea>
    <label for="${id('days')}">Expires after days <span class="muted">(empty: never)</span></label>
    <input
      id="${id('days')}"
      name="days"
      type="number"
      min="1"
      max="3650"
      inputmode="numeric"
      value="${typed.get('days') ?? ''}"
    />
    <button class="primary">Create a key</button>
  </form>`
}
