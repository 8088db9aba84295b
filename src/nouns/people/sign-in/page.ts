import { html } from 'hono/html'
import { listProviders, type ProviderName } from './providers.ts'
import { hasPeople, makesOwner } from '../../../features/projects/sign-in.ts'
import { AppError } from '../../../lib/errors.ts'
import { ownCommand } from '../../../lib/own-command.ts'
import { noteAct } from '../../../store/acts.ts'
import { signOut } from './endpoints.ts'
import { becomeOwner, browserOf, keep, signIn, signInWithPassword, type SessionPorts } from './ways-in.ts'
import { keyQuestion } from '../../../api/docs/open-docs.ts'
import type { Endpoint, RequestContext } from '../../../api/endpoint.ts'
import { copyable, formProblem } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { show } from '../../../api/frame/html/respond.ts'
import { typedInto, type Pages } from '../../../api/frame/pages.ts'
import { noteRequest } from '../../../api/note-request.ts'
import {
  rememberInvitation,
  rememberReturnPath,
  safeReturnPath,
  takeInvitation,
  takeReturnPath,
  wantedPath,
} from '../../../api/session-cookie.ts'
import { leavePage } from './leave-page.ts'
import {
  accountFields,
  afterAccount,
  emailField,
  passwordField,
  accountSecrets,
  passwordOf,
  providerForms,
} from './person-fields.ts'

type Ports = SessionPorts

const files = { styles: ['people.css'], scripts: ['people.js'] } as const

export function signInForms(pages: Pages, ports: Ports): Endpoint[] {
  const goOn = (context: RequestContext): string => safeReturnPath(takeReturnPath(context, ports.publicUrl()))
  const page = showSignInEndpoint(pages, ports, goOn)
  return [
    page,
    pages.openForm(
      '/sign-in',
      'signIn',
      async ({ context, form }) => {
        await signIn(ports, context, form.get('token') ?? '')
        return context.redirect(goOn(context), 303)
      },
      goneLink(),
      accountSecrets,
    ),
    pages.openForm(
      '/sign-in/password',
      'signInWithPassword',
      async ({ context, form }) => {
        const input = { email: form.get('email') ?? '', password: form.get('password') ?? '' }
        await signInWithPassword(ports, context, input)
        return context.redirect(goOn(context), 303)
      },
      page,
      accountSecrets,
    ),
    pages.openForm(
      '/sign-in/owner',
      'becomeOwner',
      async ({ context, form }) => {
        await becomeOwner(ports, context, {
          token: form.get('link') ?? '',
          name: form.get('name') ?? '',
          email: form.get('email') ?? '',
          password: passwordOf(form),
        })
        return context.redirect(afterAccount(form, goOn(context)), 303)
      },
      page,
      accountSecrets,
    ),
    pages.openForm(
      '/sign-in/provider',
      'startSignIn',
      async ({ context, form }) => {
        await ports.attempts.count(ports.clientAddress(context))
        const invitation = form.get('link') ?? undefined
        const provider = readProvider(ports, form.get('provider'))
        const { url, ...kept } = await ports.identify.beginAt(browserOf(ports, context), provider, {
          link: false,
          invitation,
        })
        await keep(ports, context, kept)
        if (invitation !== undefined) rememberInvitation(context, ports.publicUrl(), invitation)
        return leavePage(context, url)
      },
      page,
    ),
    comeBackEndpoint(pages, ports, goOn),
    signOutEndpoint(pages, ports),
  ]
}

export function readProvider({ identify }: Pick<Ports, 'identify'>, name: string | null): ProviderName {
  const provider = listProviders(identify.providers).find((one) => one.name === name)
  if (provider) return provider.name
  throw new AppError('invalid', 'This server has no such way to sign in')
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

function signOutEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.form('/sign-out', 'signOut', async ({ context, form }) => {
    await signOut(ports, context)
    const wanted = form.get('return')
    return context.redirect(wanted === null ? '/sign-in' : safeReturnPath(wanted), 303)
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
    <p>This link signs you in on this browser for 30 days, as the operator of the server.</p>
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
      There is no account yet. Open the sign-in link that the first start of the server has printed: you make
      the first account there.
    </p>
    <p>Is it used or too old? Ask for another one on the machine that runs Docwright, in its folder:</p>
    ${newLink} ${keyInstead(page)}
  </div>`
}

function firstOwner({ identify }: Ports, token: string, typed: URLSearchParams): Html {
  return html`<div class="card narrow">
    <h1>Welcome to Docwright</h1>
    <p>Make your account. It owns everything here, and you can invite others to it.</p>
    <form method="post" action="/sign-in/owner" class="stack">
      <input type="hidden" name="link" value="${token}" />
      ${accountFields(identify, typed)}
    </form>
    <hr />
    <form method="post" action="/sign-in">
      <input type="hidden" name="token" value="${token}" />
      <p class="muted">You can also look around first, and make accounts later.</p>
      <button class="quiet-link">Sign in without an account</button>
    </form>
  </div>`
}

/** What came back from another server, as it matters to people. */
const problems: ReadonlyMap<string, string> = new Map([
  [
    'signup_disabled',
    'No account here is linked to that login. Open your invitation, or sign in and link it',
  ],
  ['unable_to_create_user', 'The invitation was used, taken back, or is too old: ask for a new one'],
  [
    'account_not_linked',
    'There is an account with this e-mail address: sign in, then link the login on your account page',
  ],
  ['access_denied', 'The other server did not allow it'],
  ['state_mismatch', 'That took too long, or was begun in another browser; try again'],
  ['email_not_found', 'The other server does not tell your e-mail address'],
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
        ${emailField(typed.get('email'))} ${passwordField('current')}
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
        <p>
          <strong>No account?</strong> Ask an owner of your organization to invite you on the page People.
        </p>
        <p>
          <strong>Forgotten password?</strong> Ask an owner for a link to set a new one; it is made there,
          too.
        </p>
        <p>
          <strong>Operator of this server?</strong> Ask for a one-time link on the machine that runs
          Docwright, in its folder, and open it in this browser:
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
          <p>Ask for a new one on the machine that runs Docwright:</p>
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
