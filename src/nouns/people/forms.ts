import { html } from 'hono/html'
import { addOrganization, changeOrganization } from './organizations/run.ts'
import { chooseOrganization } from './sign-in/run.ts'
import type { SessionPorts } from './sign-in/session.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { copyable } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { show } from '../../api/frame/html/respond.ts'
import type { Pages, Visit } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import { organizationFor } from '../../api/organization-for.ts'
import { safeReturnPath } from '../../api/session-cookie.ts'
import { showOrganization } from '../../features/projects/sign-in.ts'
import type { Verb } from '../../features/projects/rights.ts'
import { serverForm } from '../../verbs/form.ts'
import { peoplePage } from './page.ts'
import * as deeds from './run.ts'

interface Ports extends SessionPorts {
  now(): Date
}

const nameTyped = { only: ['name'], required: ['name'] } as const

type FormVisit = Visit & { form: URLSearchParams }

/** What owners do with the people of the organization that is shown, and members with their membership. */
export function peoplePages(pages: Pages, ports: Ports): Endpoint[] {
  const { store } = ports
  const page = peoplePage(pages, ports)
  // The organization that is shown, when the visitor may do this there.
  const inShown =
    (verb: Verb) =>
    async ({ context, caller }: Visit): Promise<{ organization: string }> => ({
      organization: (await organizationFor(ports, context, { caller, verb })).id,
    })
  const ofPerson = (verb: Verb) => async (visit: FormVisit) => ({
    ...(await inShown(verb)(visit)),
    person: fieldOf(visit.form, 'person'),
  })
  const shownAgain =
    (path: string) =>
    ({ context }: Visit): Response =>
      context.redirect(path, 303)
  return [
    page,
    serverForm(pages, ports, '/people/role', deeds.changeRole, {
      typed: { only: ['role'] },
      shownOn: page,
      given: ofPerson('changeRole'),
      done: shownAgain('/people?done=role'),
    }),
    serverForm(pages, ports, '/people/remove', deeds.removePerson, {
      shownOn: page,
      given: ofPerson('removePerson'),
      done: shownAgain('/people?done=person-removed'),
    }),
    serverForm(pages, ports, '/people/leave', deeds.leaveOrganization, {
      shownOn: page,
      given: inShown('leaveOrganization'),
      done: shownAgain('/projects'),
    }),
    serverForm(pages, ports, '/people/invitations', deeds.createInvitation, {
      typed: { only: ['role', 'note', 'email', 'days'] },
      shownOn: page,
      given: inShown('createInvitation'),
      done(visit, { role, email, createdAt, expiresAt, url }) {
        const days = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000)
        return linkPage(
          visit,
          'Invitation',
          html`It makes ${email === null ? 'one person' : html`the account of ${email}`}
          ${role === 'viewer' ? 'a viewer' : html`an ${role}`} and works once, for
          ${days === 1 ? 'a day' : `${days} days`}. You won’t be able to see it again.`,
          url,
        )
      },
    }),
    serverForm(pages, ports, '/people/invitations/revoke', deeds.revokeInvitation, {
      shownOn: page,
      given: async (visit) => ({
        ...(await inShown('revokeInvitation')(visit)),
        invitation: fieldOf(visit.form, 'invitation'),
      }),
      done: shownAgain('/people?done=invitation-revoked'),
    }),
    serverForm(pages, ports, '/people/password-link', deeds.createPasswordLink, {
      shownOn: page,
      given: ofPerson('createPasswordLink'),
      done: (visit, { url }) =>
        linkPage(
          visit,
          'New password',
          html`Anyone with this link can reset the account’s password. It works once and expires in 24 hours.`,
          url,
        ),
    }),
    serverForm(pages, ports, '/people/organization', changeOrganization, {
      typed: nameTyped,
      shownOn: page,
      given: inShown('changeOrganization'),
      done: shownAgain('/people?done=renamed'),
    }),
    serverForm(pages, ports, '/people/organizations', addOrganization, {
      typed: nameTyped,
      shownOn: page,
      given: () => ({}),
      async done({ context, session }, { id }) {
        await store.transaction((tx) => showOrganization(tx, session.id, id))
        return context.redirect('/people?done=organization', 303)
      },
    }),
    serverForm(pages, ports, '/people/show', chooseOrganization, {
      typed: { only: ['organization'], required: ['organization'] },
      shownOn: page,
      given: () => ({}),
      done({ context, form }) {
        const back = safeReturnPath(form.get('back') ?? undefined)
        return context.redirect(/^\/(?:people|audit)/.test(back) ? back : '/projects', 303)
      },
    }),
  ]
}

// Shown in the response itself: only its hash is kept, so that no page to redirect to could show it.
function linkPage({ context, session }: Visit, title: string, about: Html, url: string): Promise<Response> {
  const body = html`<h1>Send this link</h1>
    <p>${about}</p>
    <div class="secret">${copyable(url, 'the link')}</div>
    <p><a class="button" href="/people">I have copied it</a></p>`
  return show(context, { title, session, styles: ['people.css'] }, body)
}
