import { changeAccount, deleteAccount, endSessions, readName } from '../accounts.ts'
import { AppError } from '../../../lib/errors.ts'
import { noteAct } from '../../../store/acts.ts'
import { changePassword, personIdOf, personOf, remove } from './endpoints.ts'
import { browserOf, keep, type SessionPorts } from '../sign-in/ways-in.ts'
import type { Endpoint } from '../../../api/endpoint.ts'
import type { Pages } from '../../../api/frame/pages.ts'
import { fieldOf } from '../../../api/frame/read-form.ts'
import { clearSession } from '../../../api/session-cookie.ts'
import { leavePage } from '../../../api/frame/leave-page.ts'
import { readProvider } from '../sign-in/page.ts'
import { accountSecrets } from '../sign-in/person-fields.ts'
import { accountPage } from './page.ts'

interface Ports extends SessionPorts {
  now(): Date
}

/** What a person does with the own account. */
export function accountForms(pages: Pages, ports: Ports): Endpoint[] {
  const { store } = ports
  const page = accountPage(pages, ports)
  const removeForm = (
    path: string,
    field: string,
    verb: 'removePasskey' | 'unlinkLogin',
    kind: 'passkeys' | 'person_logins',
  ): Endpoint =>
    pages.form(
      `/account/${path}/remove`,
      verb,
      async ({ context, caller, form }) => {
        await remove(ports, caller, kind, fieldOf(form, field))
        return context.redirect('/account?done=way-removed', 303)
      },
      page,
    )
  return [
    page,
    pages.form(
      '/account',
      'changeAccount',
      async ({ context, caller, form }) => {
        const { id } = personOf(caller)
        const change = { name: readName(fieldOf(form, 'name')), coAuthor: form.has('coAuthor') }
        await store.transaction((tx) => changeAccount(tx, id, change))
        return context.redirect('/account?done=account', 303)
      },
      page,
    ),
    pages.form(
      '/account/password',
      'changePassword',
      async ({ context, caller, form }) => {
        await changePassword(ports, context, {
          person: personOf(caller),
          current: form.get('current') ?? undefined,
          password: form.get('password') ?? '',
        })
        return context.redirect('/account?done=password-changed', 303)
      },
      page,
      accountSecrets,
    ),
    pages.form(
      '/account/delete',
      'deleteAccount',
      async ({ context, caller }) => {
        const { id } = personOf(caller)
        await store.transaction((tx) => deleteAccount(tx, id))
        clearSession(context, ports.publicUrl())
        return context.redirect('/sign-in?done=account-deleted', 303)
      },
      page,
    ),
    removeForm('passkeys', 'passkey', 'removePasskey', 'passkeys'),
    removeForm('logins', 'login', 'unlinkLogin', 'person_logins'),
    pages.form(
      '/account/logins',
      'linkLogin',
      async ({ context, caller, form }) => {
        personOf(caller)
        const provider = readProvider(ports, form.get('provider'))
        const { url, ...kept } = await ports.identify.beginAt(browserOf(ports, context), provider, {
          link: true,
        })
        await keep(ports, context, kept)
        return leavePage(context, url)
      },
      page,
    ),
    pages.form(
      '/account/sessions/end',
      'endSession',
      async ({ context, caller, form }) => {
        const only = fieldOf(form, 'session')
        noteAct({ target: only })
        if ((await store.transaction((tx) => endSessions(tx, personIdOf(caller), { only }))) === 0)
          throw new AppError('not_found', 'The session has ended in the meantime')
        return context.redirect('/account?done=session', 303)
      },
      page,
    ),
    pages.form(
      '/account/sessions/end-others',
      'endOtherSessions',
      async ({ context, session, caller }) => {
        await store.transaction((tx) => endSessions(tx, personIdOf(caller), { except: session.id }))
        return context.redirect('/account?done=sessions', 303)
      },
      page,
    ),
  ]
}
