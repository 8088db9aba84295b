import { html } from 'hono/html'
import { hasPeople, makesOwner } from '../../../features/projects/sign-in.ts'
import { ownCommand } from '../../../lib/own-command.ts'
import { noteAct } from '../../../store/acts.ts'
import { keyQuestion } from '../../../api/docs/open-docs.ts'
import type { Endpoint, RequestContext } from '../../../api/endpoint.ts'
import { copyable, formProblem } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { show } from '../../../api/frame/html/respond.ts'
import { typedInto, type Pages } from '../../../api/frame/pages.ts'
import { noteRequest } from '../../../api/note-request.ts'
import {
  rememberReturnPath,
  safeReturnPath,
  takeInvitation,
  takeReturnPath,
  wantedPath,
} from '../../../api/session-cookie.ts'
import { leavePage } from '../../../api/frame/leave-page.ts'
import { openForm, serverForm, verbFields } from '../../../verbs/form.ts'
import { accountFields, afterAccount, newAccount, providerForms, tokenIn } from './person-fields.ts'
import { becomeOwner, signIn, signInWithPassword, signOut, startSignIn } from './run.ts'
import { browserOf, keep, type SessionPorts } from './session.ts'
import { signInWithPassword as signInWithPasswordVerb } from './verbs.ts'

type Ports = SessionPorts

const passwordTyped = { only: ['email', 'password'], required: ['email', 'password'] } as const

const files = { styles: ['people.css'], scripts: ['people.js'] } as const

export function signInForms(pages: Pages, ports: Ports): Endpoint[] {
  const goOn = (context: RequestContext): string => safeReturnPath(takeReturnPath(context, ports.publicUrl()))
  const page = showSignInEndpoint(pages, ports, goOn)
  return [
    page,
    openForm(pages, ports, '/sign-in', signIn, {
      typed: { only: ['token'], required: ['token'] },
      shownOn: goneLink(),
      given: () => ({}),
      done: ({ context }) => context.redirect(goOn(context), 303),
    }),
    openForm(pages, ports, '/sign-in/password', signInWithPassword, {
      typed: passwordTyped,
      shownOn: page,
      given: () => ({}),
      done: ({ context }) => context.redirect(goOn(context), 303),
    }),
    openForm(pages, ports, '/sign-in/owner', becomeOwner, {
      ...newAccount,
      shownOn: page,
      given: tokenIn,
      done: ({ context, form }) => context.redirect(afterAccount(form, goOn(context)), 303),
    }),
    openForm(pages, ports, '/sign-in/provider', startSignIn, {
      typed: { only: ['provider'] },
      shownOn: page,
      given: ({ form }) => ({ invitation: form.get('link') ?? undefined }),
      done: ({ context }, { url }) => leavePage(context, url),
    }),
    comeBackEndpoint(pages, ports, goOn),
    serverForm(pages, ports, '/sign-out', signOut, {
      given: () => ({}),
      done({ context, form }) {
        const wanted = form.get('return')
        return context.redirect(wanted === null ? '/sign-in' : safeReturnPath(wanted), 303)
      },
    }),
  ]
}

/** Where another server sends somebody back to, after signing in there or linking a login. */
function comeBackEndpoint(pages: Pages, ports: Ports, goOn: (context: RequestContext) => string): Endpoint {
  return pages.browserEndpoint('get', '/sign-in/callback/{provider}', async (context) => {
    const address = ports.clientAddress(context)
    noteRequest(context, { caller: { kind: 'stranger' }, verb: 'startSignIn', address })
    noteAct({ target: context.req.param('provider') })
    const { pathname, search } = new URL(context.req.url)
    const { path, ...kept } = await ports.identify.comeBack(browserOf(ports, context), {
      url: `${ports.publicUrl()}${pathname}${search}`,
      invitation: takeInvitation(context, ports.publicUrl()),
    })
    await keep(ports, context, kept)
    // The library's address, unless it is only the way home.
    return context.redirect(path === '/' ? goOn(context) : path, 303)
  })
}

/** Opening a sign-in link only shows a button, so that programs that preview links do not use it up. */
function showSignInEndpoint(pages: Pages, ports: Ports, goOn: (context: RequestContext) => string): Endpoint {
  return pages.openPage('/sign-in', async ({ context, session }) => {
    const wanted = context.req.query('return')
    if (session) return context.redirect(wanted === undefined ? goOn(context) : safeReturnPath(wanted), 303)
    if (wanted !== undefined) rememberReturnPath(context, ports.publicUrl(), safeReturnPath(wanted))
    const page = safeReturnPath(wanted ?? wantedPath(context, ports.publicUrl()))
    const typed = typedInto(context, '/sign-in/owner')
    const token = context.req.query('token') ?? typed.get('link') ?? undefined
    const { db } = ports.store
    const body =
      token === undefined
        ? (await hasPeople(db))
          ? waysIn(ports, context, page)
          : noAccountYet(page)
        : (await makesOwner(db, token))
          ? firstOwner(ports, token, typed)
          : operatorLink(token)
    return show(context, { title: 'Sign in', ...files }, body)
  })
}

function operatorLink(token: string): Html {
  return html`<div class="card narrow">
    <h1>Sign in</h1>
    <p>Sign in as the server operator for 30 days on this browser.</p>
    <form method="post" action="/sign-in">
      <input type="hidden" name="token" value="${token}" />
      <button class="primary" autofocus>Sign in to Docwright</button>
    </form>
  </div>`
}

const newLink = copyable(`${ownCommand} sign-in`, 'the command')

// Nobody could sign in with a password.
function noAccountYet(page: string): Html {
  return html`<div class="card narrow">
    <h1>Welcome to Docwright</h1>
    <p>
      No accounts yet. To create the first one, open the sign-in link that the server printed when it first
      started.
    </p>
    <p>Link used or expired? Run this on the server to get a new one:</p>
    ${newLink} ${keyInstead(page)}
  </div>`
}

function firstOwner({ identify }: Ports, token: string, typed: URLSearchParams): Html {
  return html`<div class="card narrow">
    <h1>Welcome to Docwright</h1>
    <p>Create the owner account. You can invite others later.</p>
    <form method="post" action="/sign-in/owner" class="stack">
      <input type="hidden" name="link" value="${token}" />
      ${accountFields(identify, typed)}
    </form>
    <hr />
    <form method="post" action="/sign-in">
      <input type="hidden" name="token" value="${token}" />
      <p class="muted">You can also explore first and create accounts later.</p>
      <button class="quiet-link">Sign in without an account</button>
    </form>
  </div>`
}

/** What came back from another server, as it matters to people. */
const problems: ReadonlyMap<string, string> = new Map([
  [
    'signup_disabled',
    'No Docwright account is linked to this sign-in. Open your invitation, or sign in and link it in your account settings',
  ],
  ['unable_to_create_user', 'This invitation was already used, was revoked, or expired. Ask for a new one'],
  [
    'account_not_linked',
    'There is an account with this email address: sign in, then link the provider on your account page',
  ],
  ['access_denied', 'The identity provider denied the sign-in'],
  ['state_mismatch', 'This sign-in expired or was started in another browser. Try again'],
  ['email_not_found', 'The identity provider didn’t share your email address'],
])

/** @param error as the library names it */
export function tellProblem(error: string | undefined): string | undefined {
  if (error === undefined) return undefined
  return problems.get(error) ?? 'Signing in did not work; try again'
}

function waysIn({ identify }: Ports, context: RequestContext, page: string): Html {
  const typed = typedInto(context, '/sign-in/password')
  return html`<div class="card narrow">
      <h1>Sign in</h1>
      ${formProblem(tellProblem(context.req.query('error')))}
      <form method="post" action="/sign-in/password" class="stack">
        ${verbFields(signInWithPasswordVerb, { ...passwordTyped, typed })}
        <button class="primary">Sign in</button>
      </form>
      ${
        identify.takesPasskeys()
          ? html`<div class="providers" hidden data-passkey="sign-in">
              <button type="button">Sign in with a passkey</button>
            </div>`
          : ''
      }
      ${providerForms(identify)} ${keyInstead(page)}
    </div>
    <div class="narrow aside">
      <details data-key="other-ways">
        <summary>No account, or a forgotten password?</summary>
        <p><strong>No account?</strong> Ask an organization owner to invite you.</p>
        <p><strong>Forgotten password?</strong> Ask an organization owner for a password reset link.</p>
        <p>
          <strong>Operator of this server?</strong> Create a one-time link on the server, in the folder of
          Docwright, and open it in this browser:
        </p>
        ${newLink}
      </details>
    </div>`
}

// Answers a link that was used before.
function goneLink(): Endpoint {
  return {
    route: { method: 'get', path: '/sign-in', hide: true, responses: {} },
    handle: (context) =>
      show(
        context,
        { title: 'Sign in' },
        html`<div class="card narrow">
          <h1>This link does not work</h1>
          <p>Create a new one on the server:</p>
          ${newLink}
        </div>`,
      ),
  }
}

// Shown for every address below `/docs/`, whether or not the page exists and whether or not a key opens it.
function keyInstead(page: string): Html {
  if (!/^\/docs\/./.test(page)) return html``
  const address = `${page}${page.includes('?') ? '&' : '?'}${keyQuestion}`
  return html`<p>
    If the pages that you wanted are also for API keys,
    <a href="${address}">read them with a key</a>: the browser asks for a name, which may be anything, and a
    password, which is the key.
  </p>`
}
