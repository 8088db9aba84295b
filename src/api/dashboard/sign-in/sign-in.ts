import { html } from 'hono/html'
import { signIn, signOut } from '../../admin/sessions.ts'
import { copyable } from '../html/form.ts'
import type { Html } from '../html/html.ts'
import { show } from '../html/respond.ts'
import { browserEndpoint, form, openPage } from '../page.ts'
import type { DashboardPorts } from '../ports.ts'
import { readForm } from '../read-form.ts'
import { keyQuestion } from '../../docs/open-docs.ts'
import type { Endpoint } from '../../endpoint.ts'
import { rememberReturnPath, safeReturnPath, takeReturnPath, wantedPath } from '../../session-cookie.ts'

export function signInEndpoint(ports: DashboardPorts): Endpoint {
  const endpoint = browserEndpoint(ports, 'post', '/sign-in', async (context) => {
    const token = (await readForm(context)).get('token') ?? ''
    if (await signIn(ports, context, token))
      return context.redirect(safeReturnPath(takeReturnPath(context, ports.publicUrl())), 303)
    const body = html`<div class="card narrow">
      <h1>This link does not work</h1>
      <p>It was used before, or it is too old. Ask for a new one on the machine that runs Docwright:</p>
      ${copyable('npm run -s docwright -- sign-in', 'the command')}
    </div>`
    return show(context, { title: 'Sign in' }, body, 403)
  })
  return { ...endpoint, formOf: 'signIn' }
}

export function signOutEndpoint(ports: DashboardPorts): Endpoint {
  return form(ports, '/sign-out', 'signOut', async ({ context }) => {
    await signOut(ports, context)
    return context.redirect('/sign-in', 303)
  })
}

/** Opening a sign-in link only shows a button, so that programs that preview links do not use it up. */
export function showSignInEndpoint(ports: DashboardPorts): Endpoint {
  return openPage(ports, '/sign-in', async ({ context, session }) => {
    const wanted = context.req.query('return')
    if (session) return context.redirect(safeReturnPath(wanted), 303)
    if (wanted !== undefined) rememberReturnPath(context, ports.publicUrl(), safeReturnPath(wanted))
    const page = safeReturnPath(wanted ?? wantedPath(context, ports.publicUrl()))
    const token = context.req.query('token')
    const body =
      token === undefined
        ? html`<div class="card narrow">
            <h1>Sign in</h1>
            <p>
              You sign in with a one-time link. Ask for one on the machine that runs Docwright, in its folder:
            </p>
            ${copyable('npm run -s docwright -- sign-in', 'the command')}
            <p class="muted">
              Open the link in this browser; you will come back to the page you wanted. It works once.
            </p>
            ${/^\/docs\/./.test(page) ? keyInstead(page) : ''}
          </div>`
        : html`<div class="card narrow">
            <h1>Sign in</h1>
            <p>This link signs you in on this browser for 30 days.</p>
            <form method="post" action="/sign-in">
              <input type="hidden" name="token" value="${token}" />
              <button class="primary" autofocus>Sign in to Docwright</button>
            </form>
          </div>`
    return show(context, { title: 'Sign in' }, body)
  })
}

// Shown for every address below `/docs/`, whether or not the page exists and whether or not a key opens it.
function keyInstead(page: string): Html {
  const address = `${page}${page.includes('?') ? '&' : '?'}${keyQuestion}`
  return html`<p>
    If the pages that you wanted are also for API keys,
    <a href="${address}">read them with a key</a>: the browser asks for a name, which may be anything, and a
    password, which is the key.
  </p>`
}
