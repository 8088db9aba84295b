import { html } from 'hono/html'
import { z } from '@hono/zod-openapi'
import { renameOrganization } from '../../../features/projects/organizations.ts'
import { revokeInvitation } from '../../../features/projects/people/invitations.ts'
import { changeRole, removeMember } from '../../../features/projects/people/members.ts'
import { roles } from '../../../features/projects/person.ts'
import type { Verb } from '../../../features/projects/rights.ts'
import { showOrganization } from '../../../features/projects/sign-in.ts'
import { AppError } from '../../../lib/errors.ts'
import { personOf } from '../../admin/account.ts'
import { makeOrganization } from '../../admin/organizations.ts'
import { invite, mostDays, passwordLink } from '../../admin/people.ts'
import type { SessionPorts } from '../../admin/ways-in.ts'
import type { Endpoint } from '../../endpoint.ts'
import { copyable } from '../../frame/html/form.ts'
import { show } from '../../frame/html/respond.ts'
import { type Visit, type Pages } from '../../frame/pages.ts'
import { fieldOf } from '../../frame/read-form.ts'
import { organizationFor, requireOrganization } from '../../organization-for.ts'
import { safeReturnPath } from '../../session-cookie.ts'
import { peoplePage } from './people-page.ts'

interface Ports extends SessionPorts {
  now(): Date
}

const files = { styles: ['people.css'] } as const
const roleOf = z.enum(roles)

/** What owners do with the people of the organization that is shown, and members with their membership. */
export function peopleForms(pages: Pages, ports: Ports): Endpoint[] {
  const { store } = ports
  const page = peoplePage(pages, ports)
  // The organization that is shown, when the visitor may do this there.
  const shownForm = (
    path: string,
    verb: Verb,
    handle: (visit: Visit & { form: URLSearchParams; organization: string }) => Promise<Response>,
  ): Endpoint =>
    pages.form(
      path,
      verb,
      async (visit) => {
        const { id } = await organizationFor(ports, visit.context, { caller: visit.caller, verb })
        return handle({ ...visit, organization: id })
      },
      page,
    )
  return [
    page,
    shownForm('/people/role', 'changeRole', async ({ context, form, organization }) => {
      const [person, role] = [fieldOf(form, 'person'), readRole(fieldOf(form, 'role'))]
      await store.transaction((tx) => changeRole(tx, organization, person, role))
      return context.redirect('/people?done=role', 303)
    }),
    shownForm('/people/remove', 'removePerson', async ({ context, form, organization }) => {
      const person = fieldOf(form, 'person')
      await store.transaction((tx) => removeMember(tx, organization, person))
      return context.redirect('/people?done=person-removed', 303)
    }),
    shownForm('/people/leave', 'leaveOrganization', async ({ context, caller, organization }) => {
      const { id } = personOf(caller)
      await store.transaction((tx) => removeMember(tx, organization, id))
      return context.redirect('/projects', 303)
    }),
    shownForm(
      '/people/invitations',
      'createInvitation',
      async ({ context, session, caller, form, organization }) => {
        const days = Number(fieldOf(form, 'days'))
        if (!Number.isInteger(days) || days < 1 || days > mostDays)
          throw new AppError('invalid', `An invitation works for 1 to ${mostDays} days`)
        const email = fieldOf(form, 'email').trim() || undefined
        const input = { role: readRole(fieldOf(form, 'role')), note: fieldOf(form, 'note'), email, days }
        const { url } = await invite(ports, caller, organization, input)
        // Shown in the response itself: only its hash is kept, so that no page to redirect to could show it.
        const body = html`<h1>Send this link</h1>
          <p>
            It makes ${email === undefined ? 'one person' : html`the account of ${email}`}
            ${input.role === 'viewer' ? 'a viewer' : html`an ${input.role}`} and works once, for
            ${days === 1 ? 'a day' : `${days} days`}. This is the only time that it is shown.
          </p>
          <div class="secret">${copyable(url, 'the link')}</div>
          <p><a class="button" href="/people">I have copied it</a></p>`
        return show(context, { title: 'Invitation', session, ...files }, body)
      },
    ),
    shownForm('/people/invitations/revoke', 'revokeInvitation', async ({ context, form, organization }) => {
      const id = fieldOf(form, 'invitation')
      if (!(await store.transaction((tx) => revokeInvitation(tx, organization, id))))
        throw new AppError('not_found', 'The invitation was used or taken back meanwhile')
      return context.redirect('/people?done=invitation-revoked', 303)
    }),
    shownForm(
      '/people/password-link',
      'createPasswordLink',
      async ({ context, session, caller, form, organization }) => {
        const person = fieldOf(form, 'person')
        const url = await passwordLink(ports, caller, organization, person)
        const body = html`<h1>Send this link</h1>
          <p>
            Whoever opens it sets a new password for the account. It works once, for a day. Send it only to
            the person.
          </p>
          <div class="secret">${copyable(url, 'the link')}</div>
          <p><a class="button" href="/people">I have copied it</a></p>`
        return show(context, { title: 'New password', session, ...files }, body)
      },
    ),
    shownForm('/people/organization', 'changeOrganization', async ({ context, form, organization }) => {
      await store.transaction((tx) => renameOrganization(tx, organization, readName(form)))
      return context.redirect('/people?done=renamed', 303)
    }),
    pages.form(
      '/people/organizations',
      'addOrganization',
      async ({ context, session, caller, form }) => {
        const { id } = await makeOrganization(store, caller, readName(form))
        await store.transaction((tx) => showOrganization(tx, session.id, id))
        return context.redirect('/people?done=organization', 303)
      },
      page,
    ),
    pages.form('/people/show', 'chooseOrganization', async ({ context, session, caller, form }) => {
      const { id } = await requireOrganization(store, {
        caller,
        verb: 'chooseOrganization',
        organization: fieldOf(form, 'organization'),
      })
      await store.transaction((tx) => showOrganization(tx, session.id, id))
      const back = safeReturnPath(form.get('back') ?? undefined)
      return context.redirect(/^\/(?:people|audit)/.test(back) ? back : '/projects', 303)
    }),
  ]
}

function readRole(text: string): z.output<typeof roleOf> {
  const role = roleOf.safeParse(text)
  if (role.success) return role.data
  throw new AppError('invalid', 'Choose a role: owner, editor or viewer')
}

function readName(form: URLSearchParams): string {
  const name = fieldOf(form, 'name')
  if (name !== '' && name.length <= 200) return name
  throw new AppError('invalid', 'Give a name of 1 to 200 characters')
}
