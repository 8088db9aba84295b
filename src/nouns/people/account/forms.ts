import type { Endpoint } from '../../../api/endpoint.ts'
import type { Pages, Visit } from '../../../api/frame/pages.ts'
import { fieldOf } from '../../../api/frame/read-form.ts'
import { serverForm } from '../../../verbs/form.ts'
import { leavePage } from '../../../api/frame/leave-page.ts'
import type { SessionPorts } from '../sign-in/session.ts'
import { accountPage, nameTyped, passwordTyped } from './page.ts'
import * as deeds from './run.ts'

interface Ports extends SessionPorts {
  now(): Date
}

/** What a person does with the own account. */
export function accountForms(pages: Pages, ports: Ports): Endpoint[] {
  const page = accountPage(pages, ports)
  const done =
    (said: string) =>
    ({ context }: Visit): Response =>
      context.redirect(`/account?done=${said}`, 303)
  return [
    page,
    serverForm(pages, ports, '/account', deeds.changeAccount, {
      typed: { ...nameTyped, only: [...nameTyped.only, 'coAuthor'] },
      shownOn: page,
      given: () => ({}),
      done: done('account'),
    }),
    serverForm(pages, ports, '/account/password', deeds.changePassword, {
      typed: passwordTyped,
      shownOn: page,
      given: () => ({}),
      done: done('password-changed'),
    }),
    serverForm(pages, ports, '/account/delete', deeds.deleteAccount, {
      shownOn: page,
      given: () => ({}),
      done: ({ context }) => context.redirect('/sign-in?done=account-deleted', 303),
    }),
    serverForm(pages, ports, '/account/passkeys/remove', deeds.removePasskey, {
      shownOn: page,
      given: ({ form }) => ({ passkey: fieldOf(form, 'passkey') }),
      done: done('way-removed'),
    }),
    serverForm(pages, ports, '/account/logins/remove', deeds.unlinkLogin, {
      shownOn: page,
      given: ({ form }) => ({ login: fieldOf(form, 'login') }),
      done: done('way-removed'),
    }),
    serverForm(pages, ports, '/account/logins', deeds.linkLogin, {
      typed: { only: ['provider'] },
      shownOn: page,
      given: () => ({}),
      done: ({ context }, { url }) => leavePage(context, url),
    }),
    serverForm(pages, ports, '/account/sessions/end', deeds.endSession, {
      shownOn: page,
      given: ({ form }) => ({ session: fieldOf(form, 'session') }),
      done: done('session'),
    }),
    serverForm(pages, ports, '/account/sessions/end-others', deeds.endOtherSessions, {
      shownOn: page,
      given: () => ({}),
      done: done('sessions'),
    }),
  ]
}
