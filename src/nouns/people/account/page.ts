import { html } from 'hono/html'
import { listSessions, type Account, type OpenSession } from '../accounts.ts'
import type { Identify } from '../sign-in/identify.ts'
import { listProviders } from '../sign-in/providers.ts'
import { listGrants, type AppGrant } from '../../../features/projects/app-grants.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Store } from '../../../store/database.ts'
import { accountOf } from './run.ts'
import { changeAccount, changePassword } from './verbs.ts'
import { verbFields } from '../../../verbs/form.ts'
import type { Endpoint, RequestContext } from '../../../api/endpoint.ts'
import { buttonForm, checkBox, csrfField, formProblem } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { ago, badge, table } from '../../../api/frame/html/parts.ts'
import { show } from '../../../api/frame/html/respond.ts'
import { typedInto, type Pages } from '../../../api/frame/pages.ts'
import { safeReturnPath } from '../../../api/session-cookie.ts'
import { tellProblem } from '../sign-in/page.ts'
import { describeDevice } from './describe-device.ts'

interface Ports {
  store: Store
  identify: Identify
  now(): Date
}

export const nameTyped = { only: ['name'], required: ['name'] } as const
export const passwordTyped = { only: ['current', 'password'], required: ['password'] } as const
const ofPassword = ['current', 'password'] as const
const ofNoPassword = ['password'] as const

const files = { styles: ['people.css'], scripts: ['people.js'] } as const

export function accountPage(pages: Pages, ports: Ports): Endpoint {
  return pages.page('/account', 'listSessions', async ({ context, session, caller }) => {
    const now = ports.now()
    const { isOperator, id } = session.person
    const sessions = await listSessions(ports.store.db, isOperator ? undefined : id)
    const open = sessionPart(session, sessions, now)
    if (isOperator) {
      const body = html`<h1>Operator</h1>
        <p class="muted">
          You’re signed in as the server operator with a one-time link, without an account.
          <a href="/people">Invite people</a>, yourself too, to work under a name.
        </p>
        ${open}`
      return show(context, { title: 'Operator', session, ...files }, body)
    }
    const account = await accountOf(ports, caller)
    if (context.req.query('passkey') === 'new' && account.passkeys.length === 0)
      return show(context, { title: 'Add your passkey', session, ...files }, firstPasskey(session, context))
    const name = typedInto(context, '/account').get('name') ?? account.name
    const body = html`<h1>Your account</h1>
      ${formProblem(context.req.query('error') === undefined ? undefined : tellProblem(context.req.query('error')))}
      <form method="post" action="/account" class="stack card form">
        ${csrfField(session)}
        ${verbFields(changeAccount, { ...nameTyped, typed: new URLSearchParams({ name }) })}
        <dl class="facts one">
          <div>
            <dt>Email</dt>
            <dd>${account.email}</dd>
          </div>
        </dl>
        ${checkBox('coAuthor', 'yes', account.coAuthor, html`Name me in commits <span class="muted">as <code>Co-authored-by: ${account.name} &lt;${account.email}&gt;</code>, for jobs that I start. Anyone who sees the repository sees it.</span>`)}
        <button class="primary">Save</button>
      </form>
      ${passwordPart(account, session, typedInto(context, '/account/password').size > 0)}
      ${ports.identify.takesPasskeys() ? passkeyPart(account, session, now) : ''}
      ${loginPart(ports, account, session, now)} ${open}
      ${appPart(session, await listGrants(ports.store.db, account.id), now)}
      <section>
        <h2>Delete the account</h2>
        <p class="muted">This signs you out everywhere. Your past activity stays in the audit log.</p>
        ${buttonForm(session, { action: '/account/delete', label: 'Delete my account', kind: 'danger', confirm: 'Delete your account? This cannot be undone.' })}
      </section>`
    return show(context, { title: 'Your account', session, ...files }, body)
  })
}

/** The second step of an account without a password: nothing else is on the page until there is a way to sign in again. */
function firstPasskey(session: Session, context: RequestContext): Html {
  const returnPath = safeReturnPath(context.req.query('return'))
  const wanted = returnPath === '/' ? '/projects' : returnPath
  const next = `${wanted}${wanted.includes('?') ? '&' : '?'}done=passkey`
  return html`<div class="card narrow">
    <h1>Add your passkey</h1>
    <p>It is how you sign in from now on: with a fingerprint, a face, or a security key.</p>
    ${csrfField(session)}
    <div class="providers" hidden data-passkey="add" data-next="${next}">
      <button type="button" class="primary">Add a passkey</button>
    </div>
    <noscript><p class="muted">Adding a passkey needs scripts.</p></noscript>
    <p class="muted">Prefer a password? <a href="/account">Set one on the page of your account</a>.</p>
  </div>`
}

function passwordPart(account: Account, session: Session, wasRefused: boolean): Html {
  const fields = account.hasPassword ? ofPassword : ofNoPassword
  return html`<section>
    <h2>Password</h2>
    <details class="create" data-key="password" ${wasRefused ? html` open` : ''}>
      <summary>${account.hasPassword ? 'Change the password' : 'Set a password'}</summary>
      <form method="post" action="/account/password" class="stack">
        ${csrfField(session)}
        <input type="hidden" name="email" value="${account.email}" autocomplete="username" />
        ${verbFields(changePassword, { only: fields, required: fields, typed: new URLSearchParams() })}
        <p class="muted">Signs you out of all other sessions.</p>
        <button class="primary">Save password</button>
      </form>
    </details>
  </section>`
}

function passkeyPart(account: Account, session: Session, now: Date): Html {
  return html`<section>
    <h2>Passkeys</h2>
    <p class="muted">Sign in with a fingerprint, a face, or a security key instead of a password.</p>
    ${
      account.passkeys.length === 0
        ? ''
        : table(
            'Passkeys',
            ['Name', 'Added', ''],
            account.passkeys.map(
              (one) =>
                html`<tr>
                  <td>${one.name}</td>
                  <td>${one.createdAt ? ago(one.createdAt, now) : ''}</td>
                  <td>
                    ${buttonForm(session, { action: '/account/passkeys/remove', label: 'Remove', kind: 'danger', confirm: `Remove the passkey "${one.name}"?`, fields: { passkey: one.id } })}
                  </td>
                </tr>`,
            ),
          )
    }
    <div class="inline" hidden data-passkey="add">
      <label for="passkey-name">Name</label>
      <input id="passkey-name" maxlength="100" placeholder="Laptop" autocomplete="off" />
      <button type="button">Add a passkey</button>
    </div>
    <noscript><p class="muted">Adding a passkey needs scripts.</p></noscript>
  </section>`
}

function loginPart({ identify }: Ports, account: Account, session: Session, now: Date): Html {
  const providers = listProviders(identify.providers)
  if (providers.length + account.logins.length === 0) return html``
  const labelOf = (name: string): string => providers.find((one) => one.name === name)?.label ?? name
  const missing = providers.filter(({ name }) => !account.logins.some(({ provider }) => provider === name))
  return html`<section>
    <h2>Linked accounts</h2>
    ${
      account.logins.length === 0
        ? html`<p class="muted">No linked accounts.</p>`
        : table(
            'Linked accounts',
            ['Login', 'Linked', ''],
            account.logins.map(
              (one) =>
                html`<tr>
                  <td>${labelOf(one.provider)}</td>
                  <td>${ago(one.createdAt, now)}</td>
                  <td>
                    ${buttonForm(session, { action: '/account/logins/remove', label: 'Remove', kind: 'danger', fields: { login: one.id } })}
                  </td>
                </tr>`,
            ),
          )
    }
    <div class="buttons">
      ${missing.map(({ name, label }) => buttonForm(session, { action: '/account/logins', label: `Link ${label}`, fields: { provider: name } }))}
    </div>
  </section>`
}

function appPart(session: Session, apps: readonly AppGrant[], now: Date): Html {
  return html`<section>
    <h2>Connected apps</h2>
    <p class="muted">Chat programs and editors that use an MCP server with your rights.</p>
    ${
      apps.length === 0
        ? ''
        : table(
            'Connected apps',
            ['App', 'MCP server', 'Connected', 'Last renewed', ''],
            apps.map(
              (one) =>
                html`<tr>
                  <td>${one.name}</td>
                  <td><code>${one.resource}</code></td>
                  <td>${ago(one.createdAt, now)}</td>
                  <td>${one.lastUsedAt ? ago(one.lastUsedAt, now) : ''}</td>
                  <td>
                    ${buttonForm(session, { action: `/account/apps/${one.id}/disconnect`, label: 'Disconnect', kind: 'danger', confirm: `Disconnect ${one.name}? Its access ends at once.` })}
                  </td>
                </tr>`,
            ),
          )
    }
  </section>`
}

function sessionPart(session: Session, sessions: OpenSession[], now: Date): Html {
  return html`<section>
    <h2>Sessions</h2>
    ${table(
      'Sessions',
      ['Device', 'Address', 'Signed in', 'Last used', ''],
      sessions.map(
        (one) =>
          html`<tr>
            <td>
              ${describeDevice(one.device)}${one.id === session.id ? html` ${badge('open', 'this one')}` : ''}
            </td>
            <td>${one.address ?? ''}</td>
            <td>${ago(one.createdAt, now)}</td>
            <td>${ago(one.lastUsedAt, now)}</td>
            <td>
              ${one.id === session.id ? '' : buttonForm(session, { action: '/account/sessions/end', label: 'End', kind: 'danger', fields: { session: one.id } })}
            </td>
          </tr>`,
      ),
    )}
    ${sessions.length > 1 ? buttonForm(session, { action: '/account/sessions/end-others', label: 'Sign out all other sessions' }) : ''}
  </section>`
}
