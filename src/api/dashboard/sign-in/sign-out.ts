import { deleteSession } from '../../../features/projects/sign-in.ts'
import type { Endpoint } from '../../endpoint.ts'
import { form } from '../page.ts'
import type { DashboardPorts } from '../ports.ts'
import { clearSession, sessionSecret } from './session-cookie.ts'

export function signOutEndpoint(ports: DashboardPorts): Endpoint {
  return form(ports, '/sign-out', async ({ context }) => {
    const secret = sessionSecret(ports.publicUrl(), context)
    if (secret !== undefined) await ports.store.transaction((tx) => deleteSession(tx, secret))
    clearSession(context, ports.publicUrl())
    return context.redirect('/sign-in', 303)
  })
}
