import { html } from 'hono/html'
import { signIn, signOut } from '../../admin/sessions.ts'
import type { Endpoint } from '../../endpoint.ts'
import { takeReturnPath } from '../../session-cookie.ts'
import { copyable } from '../html/form.ts'
import { show } from '../html/respond.ts'
import { browserEndpoint, form } from '../page.ts'
import type { DashboardPorts } from '../ports.ts'
import { readForm } from '../read-form.ts'
import { safeReturnPath } from './return-path.ts'

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
