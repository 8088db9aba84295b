import { html } from 'hono/html'
import { redeemSignInLink } from '../../../features/projects/sign-in.ts'
import type { Endpoint } from '../../endpoint.ts'
import { copyable } from '../html/form.ts'
import { layout } from '../html/layout.ts'
import { respond } from '../html/respond.ts'
import { browserEndpoint } from '../page.ts'
import type { DashboardPorts } from '../ports.ts'
import { readForm } from '../read-form.ts'
import { createAttemptCounter } from './attempts.ts'
import { safeReturnPath } from './return-path.ts'
import { setSession, takeReturnPath } from './session-cookie.ts'

export function signInEndpoint(ports: DashboardPorts): Endpoint {
  const countAttempt = createAttemptCounter(ports.now)
  return browserEndpoint(ports, 'post', '/sign-in', async (context) => {
    countAttempt(ports.clientAddress(context))
    const token = (await readForm(context)).get('token') ?? ''
    const secret = await ports.store.transaction((tx) => redeemSignInLink(tx, token))
    if (secret === undefined) {
      const body = html`<div class="card narrow">
        <h1>This link does not work</h1>
        <p>It was used before, or it is too old. Ask for a new one on the machine that runs Docwright:</p>
        ${copyable('npm run -s docwright -- sign-in', 'the command')}
      </div>`
      return respond(context, layout({ title: 'Sign in' }, body), 403)
    }
    setSession(context, ports.publicUrl(), secret)
    return context.redirect(safeReturnPath(takeReturnPath(context, ports.publicUrl())), 303)
  })
}
