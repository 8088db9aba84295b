import { html } from 'hono/html'
import { findPasswordLink } from '../accounts.ts'
import { findInvitation, invitationRefusal, type Invitation } from '../invitations.ts'
import { showOrganization, type Session } from '../../../features/projects/sign-in.ts'
import type { Endpoint, RequestContext } from '../../../api/endpoint.ts'
import { buttonForm, csrfField } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { show } from '../../../api/frame/html/respond.ts'
import { typedInto, type Pages } from '../../../api/frame/pages.ts'
import { rememberReturnPath, takeReturnPath } from '../../../api/session-cookie.ts'
import { openForm, serverForm, verbFields } from '../../../verbs/form.ts'
import { accountFields, afterAccount, newAccount, providerForms, tokenIn } from './person-fields.ts'
import { acceptInvitation, joinOrganization, resetPassword } from './run.ts'
import type { SessionPorts } from './session.ts'
import { resetPassword as resetPasswordVerb } from './verbs.ts'

const passwordTyped = { only: ['password'], required: ['password'] } as const

const files = { styles: ['people.css'], scripts: ['people.js'] } as const

/** The pages behind links that owners hand out: invitations, and links for a new password. */
export function linkEndpoints(pages: Pages, ports: SessionPorts): Endpoint[] {
  const invitation = invitationPage(pages, ports)
  const newPassword = newPasswordPage(pages, ports)
  return [
    invitation,
    openForm(pages, ports, '/join', acceptInvitation, {
      ...newAccount,
      shownOn: invitation,
      given: tokenIn,
      done({ context, form }) {
        // The invitation itself, which the page remembers for those who sign in instead.
        takeReturnPath(context, ports.publicUrl())
        return context.redirect(afterAccount(form, '/projects'), 303)
      },
    }),
    serverForm(pages, ports, '/join/member', joinOrganization, {
      shownOn: invitation,
      given: tokenIn,
      async done({ context, session }, { organization }) {
        await ports.store.transaction((tx) => showOrganization(tx, session.id, organization))
        return context.redirect('/projects', 303)
      },
    }),
    newPassword,
    openForm(pages, ports, '/new-password', resetPassword, {
      typed: passwordTyped,
      shownOn: newPassword,
      given: tokenIn,
      done: ({ context }) => context.redirect('/sign-in?done=password', 303),
    }),
  ]
}

function invitationPage(pages: Pages, ports: SessionPorts): Endpoint {
  return pages.openPage('/join', async ({ context, session }) => {
    const token = linkOf(context, '/join') ?? linkOf(context, '/join/member') ?? ''
    const invitation = token === '' ? undefined : await findInvitation(ports.store.db, token)
    if (invitation?.state !== 'open')
      return gone(context, session, `${invitationRefusal(invitation).message}.`)
    const intro = html`<h1>Join ${invitation.organization}</h1>
      <p>
        ${invitation.invitedBy} invites you as
        ${invitation.role === 'viewer' ? 'a viewer' : html`an ${invitation.role}`}, who
        ${roleTexts[invitation.role]}
      </p>`
    const typed = new URLSearchParams(typedInto(context, '/join'))
    if (invitation.email !== undefined && !typed.has('email')) typed.set('email', invitation.email)
    const body = session
      ? html`<div class="card narrow">${intro} ${joinAs(session, invitation, token)}</div>`
      : html`<div class="card narrow">
          ${intro}
          ${invitation.email === undefined ? '' : html`<p class="muted">It is for an account with the address ${invitation.email}.</p>`}
          <form method="post" action="/join" class="stack">
            <input type="hidden" name="link" value="${token}" />
            ${accountFields(ports.identify, typed)}
          </form>
          ${providerForms(ports.identify, token)}
          <p class="muted">Have an account? <a href="/sign-in">Sign in</a>, and you will come back here.</p>
        </div>`
    if (!session) rememberReturnPath(context, ports.publicUrl(), `/join?token=${token}`)
    return show(context, { title: `Join ${invitation.organization}`, session, ...files }, body)
  })
}

/** For somebody who is signed in, who may also open the link for another person. */
function joinAs(session: Session, { organizationId, email }: Invitation, token: string): Html {
  const { person } = session
  const isMember = person.roles.has(organizationId)
  const isOthers = email !== undefined && email !== person.email
  const who = isMember
    ? html`You belong to it already, as ${person.name}.`
    : person.isOperator
      ? 'You are signed in as the operator.'
      : html`You are signed in as ${person.email}, and it is for ${email}.`
  return html`${
    isMember || person.isOperator || isOthers
      ? html`<p class="notice warning">${who} This link is for someone else and is still valid.</p>`
      : html`<form method="post" action="/join/member">
          ${csrfField(session)}<input type="hidden" name="link" value="${token}" />
          <button class="primary">Join as ${person.name}</button>
        </form>`
  }
  ${buttonForm(session, { action: '/sign-out', label: 'Sign out and use another account', fields: { return: `/join?token=${token}` } })}`
}

/** What each role may do, in a few words. */
export const roleTexts = {
  owner: 'can manage everything, including settings, keys, and members.',
  editor: 'can start jobs, comment, merge and work on gaps.',
  viewer: 'can read everything and ask the assistant.',
} as const

function newPasswordPage(pages: Pages, ports: SessionPorts): Endpoint {
  return pages.openPage('/new-password', async ({ context, session }) => {
    const token = linkOf(context, '/new-password') ?? ''
    const person = token === '' ? undefined : await findPasswordLink(ports.store.db, token)
    if (!person)
      return gone(
        context,
        session,
        'This link was already used or has expired. Ask the sender for a new one.',
      )
    const body = html`<div class="card narrow">
      <h1>New password</h1>
      <p>For the account ${person.email}. It is signed out everywhere.</p>
      <form method="post" action="/new-password" class="stack">
        <input type="hidden" name="link" value="${token}" />
        <input type="hidden" name="email" value="${person.email}" autocomplete="username" />
        ${verbFields(resetPasswordVerb, { ...passwordTyped, typed: new URLSearchParams() })}
        <button class="primary">Set password</button>
      </form>
    </div>`
    return show(context, { title: 'New password', ...files }, body)
  })
}

function linkOf(context: RequestContext, path: string): string | undefined {
  return context.req.query('token') ?? typedInto(context, path).get('link') ?? undefined
}

function gone(context: RequestContext, session: Session | undefined, text: string): Promise<Response> {
  const body: Html = html`<div class="card narrow">
    <h1>This link does not work</h1>
    <p>${text}</p>
  </div>`
  return show(context, { title: 'Link', session, ...files }, body, 404)
}
