import { html } from 'hono/html'
import { listProjectKeys, type Key } from './table.ts'
import { createKeyDeed, revokeKeyDeed } from './run.ts'
import { createKey } from './verbs.ts'
import { verbFields, verbForm } from '../../verbs/form.ts'
import { keyPrefixes, type KeyKind } from '../../features/projects/used-key.ts'
import type { Project } from '../../features/projects/projects.ts'
import { scopesOfKind } from '../../features/projects/roles.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { AppError } from '../../lib/errors.ts'
import type { Store } from '../../store/database.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { buttonForm, copyable, copyableBlock, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago, badge, table } from '../../api/frame/html/parts.ts'
import { show } from '../../api/frame/html/respond.ts'
import { typedInto, type Pages } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import { inSettings, settingsFrame } from '../../api/frame/settings-tab.ts'

interface Ports {
  store: Store
  publicUrl(): string
  now(): Date
}

const path = '/projects/{domain}/keys'

/** The page of keys with its forms. */
export function keyPages(pages: Pages, ports: Ports): Endpoint[] {
  const page = showKeys(pages, ports)
  return [
    page,
    verbForm(pages, ports, path, createKeyDeed, {
      typed: { only: ['kind', 'name', 'origins', 'scopes', 'addresses', 'expiresInDays'] },
      shownOn: page,
      // An admin key is the organization's, also on the page of a project.
      given: ({ form, project }) =>
        form.get('kind') === 'admin' ? { organization: project.organizationId } : { project: project.id },
      // Shown in the response itself: the key is not stored, so no page to redirect to could show it.
      done: ({ context, session, project }, { kind, key }) =>
        show(
          context,
          frameOf('New key', session, project),
          settingsFrame(project, 'keys', newKey(project, kind, key)),
        ),
    }),
    verbForm(pages, ports, `${path}/revoke`, revokeKeyDeed, {
      shownOn: page,
      async given({ form, project }) {
        const id = fieldOf(form, 'id')
        if (!(await listProjectKeys(ports.store.db, project)).some((key) => key.id === id))
          throw new AppError('not_found', 'This project has no such key; reload the page')
        return { id }
      },
      done: ({ context, project }) => context.redirect(`/projects/${project.domain}/keys?done=revoked`, 303),
    }),
  ]
}

function newKey(project: Project, kind: KeyKind, secret: string): Html {
  return html`<h1>Copy your key</h1>
    <p>You won’t be able to see it again.</p>
    <div class="secret">${copyable(secret, 'the key')}</div>
    <p class="muted">
      ${kind === 'admin' ? 'Keep this key secret. Use it only on a server.' : 'This key is public and safe to use in web pages.'}
    </p>
    <p><a class="button" href="/projects/${project.domain}/keys">I have copied it</a></p>`
}

function frameOf(title: string, session: Session, project: Project) {
  return { title, session, project, ...inSettings(project, 'keys'), styles: ['manage.css'] as const }
}

function showKeys(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(path, 'listKeys', async ({ context, session, project }) => {
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
      ${(['admin', 'assistant'] as const).map((kind) => section(project, session, keys, { kind, now, typed: typed.get('kind') === kind ? typed : none }))}
      ${snippets(project, ports.publicUrl())}`
    return show(context, frameOf('API keys', session, project), settingsFrame(project, 'keys', body))
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
          ? 'Start and read jobs in all of the organization’s projects. Keep secret; use on servers only.'
          : html`Ask the assistant and search this project. Public: safe in a web page.
              <a href="/projects/${project.domain}/widget">Add the assistant to your site</a>`
      }
    </p>
    ${keys.length === 0 ? html`<p class="empty">No keys yet. Create one below.</p>` : keyTable(project, session, keys, now)}
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
  const name = key.name === '' ? 'Unnamed' : key.name
  return html`<tr>
    <td class="given">
      ${name}
      ${state === undefined ? '' : badge(state)}${[key.scopes, key.origins, key.addresses].map((limits) => (limits.length === 0 ? '' : html`<br /><small class="muted">${limits.join(', ')}</small>`))}
    </td>
    <td><code>${keyPrefixes[key.kind]}…${key.hint}</code></td>
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
              confirm: `Revoke “${name}” (ends in ${key.hint})? Anything that uses this key stops working immediately.`,
              fields: { id: key.id },
            })
          : ''
      }
    </td>
  </tr>`
}

function createForm(project: Project, session: Session, kind: KeyKind, typed: URLSearchParams): Html {
  const isAdmin = kind === 'admin'
  return html`<form method="post" action="/projects/${project.domain}/keys" class="stack">
    ${csrfField(session)}<input type="hidden" name="kind" value="${kind}" />
    ${verbFields(createKey, {
      prefix: `${kind}-`,
      typed,
      only: isAdmin
        ? ['name', 'scopes', 'addresses', 'expiresInDays']
        : ['name', 'origins', 'scopes', 'addresses', 'expiresInDays'],
      choices: { scopes: scopesOfKind[kind] },
      words: {
        name: { placeholder: isAdmin ? 'CI' : 'Website' },
        scopes: { hint: `none: everything${isAdmin ? ' but administration' : ''}` },
      },
    })}
    <button class="primary">Create key</button>
  </form>`
}

function snippets(project: Project, publicUrl: string): Html {
  const prompt = JSON.stringify({ prompt: 'Fix broken links' })
  const question = JSON.stringify({
    fp: 'anonymous',
    messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I get started?' }] }],
  })
  return html`<section>
    <h2>Use the API</h2>
    <h3>Start a job</h3>
    ${copyableBlock(curl(`${publicUrl}/v2/agent/${project.id}/job`, 'DOCWRIGHT_ADMIN_KEY', prompt), 'the command')}
    <h3>Ask the assistant</h3>
    ${copyableBlock(curl(`${publicUrl}/discovery/v2/assistant/${project.domain}/message`, 'DOCWRIGHT_ASSISTANT_KEY', question), 'the command')}
  </section>`
}

function curl(url: string, key: string, body: string): string {
  return `curl -N '${url}' \\
  -H "Authorization: Bearer $${key}" \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`
}
