import { html } from 'hono/html'
import { mayDo } from '../../features/projects/allow.ts'
import { listInvitations, type Invitation } from './invitations.ts'
import { listMembers, type Member } from './members.ts'
import { roles } from '../../features/projects/roles.ts'
import type { OwnOrganization, Session } from '../../features/projects/sign-in.ts'
import type { Store } from '../../store/database.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { buttonForm, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago, badge, table } from '../../api/frame/html/parts.ts'
import { show } from '../../api/frame/html/respond.ts'
import { typedInto, type Visit, type Pages } from '../../api/frame/pages.ts'
import { verbFields } from '../../verbs/form.ts'
import { createInvitation } from './verbs.ts'
import { addOrganization, changeOrganization } from './organizations/verbs.ts'
import { roleTexts } from './sign-in/join.ts'
import { peopleTabs } from '../../api/frame/people-tabs.ts'

interface Ports {
  store: Store
  now(): Date
}

const named = { only: ['name'], required: ['name'] } as const
const files = { styles: ['people.css'] } as const

/** Who belongs to the organization that is shown. */
export function peoplePage(pages: Pages, ports: Ports): Endpoint {
  return pages.page('/people', 'getSession', async (visit) => {
    const { context, session, caller } = visit
    const { organization } = session
    if (!organization) return noOrganization(visit)
    const isOwner = mayDo(caller, 'changeRole', organization.id)
    const members = await listMembers(ports.store.db, organization.id)
    const invitations = isOwner ? await listInvitations(ports.store.db, organization.id) : []
    const owners = members.filter(({ role }) => role === 'owner')
    const onlyOwner = owners.length === 1 ? owners[0]?.id : undefined
    const now = ports.now()
    const body = html`${peopleTabs(session, 'people')}
      <h1>People</h1>
      <p class="muted">All members can see projects in ${organization.name}.</p>
      ${
        members.length === 0
          ? html`<div class="empty">
              <p>
                No members yet. Invite an owner, or invite yourself: the link asks for a name and a password.
              </p>
            </div>`
          : memberTable(members, { session, isOwner, onlyOwner, now })
      }
      ${isOwner ? inviting(session, invitations, typedInto(context, '/people/invitations'), now) : ''}
      ${organizationPart(visit, organization, { isOwner, onlyOwner })}`
    return show(context, { title: 'People', session, ...files }, body)
  })
}

function noOrganization({ context, session }: Visit): Promise<Response> {
  const body = html`<h1>People</h1>
    <p class="empty">You’re not a member of any organization. Ask an owner to invite you.</p>
    ${newOrganization(session)}`
  return show(context, { title: 'People', session, ...files }, body)
}

interface Shown {
  session: Session
  isOwner: boolean
  /** Who has to stay, as the organization would have no owner. */
  onlyOwner: string | undefined
  now: Date
}

function memberTable(members: Member[], shown: Shown): Html {
  const columns = ['Name', 'Role', 'Last active', ...(shown.isOwner ? [''] : [])]
  return table(
    'People',
    columns,
    members.map((member) => memberRow(member, shown)),
  )
}

function memberRow(member: Member, { session, isOwner, onlyOwner, now }: Shown): Html {
  const isSelf = member.id === session.person.id
  const hasToStay = member.id === onlyOwner
  return html`<tr>
    <td class="given">
      <strong>${member.name}</strong>${isSelf ? html` ${badge('you')}` : ''}<br /><span class="muted"
        >${member.email}</span
      >
    </td>
    <td>${isOwner && !hasToStay ? roleForm(member, session) : member.role}</td>
    <td>
      ${member.lastUsedAt ? ago(member.lastUsedAt, now) : 'not signed in'}<br /><small class="muted"
        >joined ${ago(member.joinedAt, now)}</small
      >
    </td>
    ${isOwner ? html`<td>${isSelf ? '' : memberButtons(member, session, hasToStay)}</td>` : ''}
  </tr>`
}

function roleForm(member: Member, session: Session): Html {
  return html`<form method="post" action="/people/role" class="with-select">
    ${csrfField(session)}<input type="hidden" name="person" value="${member.id}" />
    <select name="role" aria-label="Role of ${member.name}">
      ${roles.map((role) => html`<option value="${role}" ${role === member.role ? html` selected` : ''}>${role}</option>`)}
    </select>
    <button>Change</button>
  </form>`
}

function memberButtons(member: Member, session: Session, hasToStay: boolean): Html {
  return html`<div class="buttons">
    ${buttonForm(session, { action: '/people/password-link', label: 'New password', fields: { person: member.id } })}
    ${
      hasToStay
        ? ''
        : buttonForm(session, {
            action: '/people/remove',
            label: 'Remove',
            kind: 'danger',
            confirm: `Remove ${member.name}? They lose access to this organization’s projects.`,
            fields: { person: member.id },
          })
    }
  </div>`
}

function inviting(session: Session, invitations: Invitation[], typed: URLSearchParams, now: Date): Html {
  const choice = typed.get('role') ?? 'editor'
  const open = invitations.filter(({ state }) => state === 'open')
  return html`<section>
    <h2>Invitations</h2>
    ${
      invitations.length === 0
        ? html`<p class="muted">No invitations in the last 30 days.</p>`
        : table(
            'Invitations',
            ['For', 'Role', 'From', 'State', ''],
            [...open, ...invitations.filter((one) => !open.includes(one))].map(
              (one) =>
                html`<tr>
                  <td class="given">${forWhom(one)}</td>
                  <td>${one.role}</td>
                  <td class="given">${one.invitedBy}</td>
                  <td>${stateOf(one, now)}</td>
                  <td>
                    ${one.state === 'open' ? buttonForm(session, { action: '/people/invitations/revoke', label: 'Take back', kind: 'danger', fields: { invitation: one.id } }) : ''}
                  </td>
                </tr>`,
            ),
          )
    }
    <details class="create" data-key="invite" ${typed.size > 0 || open.length === 0 ? html` open` : ''}>
      <summary>Invite a member</summary>
      <form method="post" action="/people/invitations" class="stack">
        ${csrfField(session)}
        <fieldset class="roles">
          <legend>Role</legend>
          ${roles.map(
            (role) =>
              html`<label class="check"
                ><input type="radio" name="role" value="${role}" ${role === choice ? html` checked` : ''} />
                <span><strong>${role}</strong> <span class="muted">${roleTexts[role]}</span></span></label
              >`,
          )}
        </fieldset>
        ${verbFields(createInvitation, { only: ['note', 'email', 'days'], typed })}
        <button class="primary">Create invitation link</button>
      </form>
    </details>
  </section>`
}

function forWhom({ note, email }: Invitation): Html {
  if (note === '' && email === undefined) return html`<span class="muted">not said</span>`
  return html`${note}${note !== '' && email !== undefined ? html`<br />` : ''}${email === undefined ? '' : html`<span class="muted">${email}</span>`}`
}

function stateOf({ state, expiresAt, usedAt, usedBy }: Invitation, now: Date): Html {
  if (state === 'open') return html`ends ${ago(expiresAt, now)}`
  if (state === 'revoked') return badge('revoked')
  if (state === 'expired') return html`${badge('ended')} ${ago(expiresAt, now)}`
  return html`${badge('used')}
  ${usedAt ? ago(usedAt, now) : ''}${usedBy === undefined ? '' : html` by ${usedBy}`}`
}

function organizationPart(
  { session, caller }: Visit,
  organization: OwnOrganization,
  { isOwner, onlyOwner }: Pick<Shown, 'isOwner' | 'onlyOwner'>,
): Html {
  const isMember = session.person.roles.has(organization.id)
  const hasToStay = session.person.id === onlyOwner
  return html`<section>
    <h2>Organization</h2>
    ${
      isOwner
        ? html`<form method="post" action="/people/organization" class="inline">
            ${csrfField(session)}
            ${verbFields(changeOrganization, { ...named, prefix: 'organization-', typed: new URLSearchParams({ name: organization.name }) })}
            <button>Rename</button>
          </form>`
        : html`<p>${organization.name}</p>`
    }
    ${hasToStay ? html`<p class="muted">You’re the only owner. Make another member an owner before you leave.</p>` : ''}
    ${
      isMember && !hasToStay
        ? buttonForm(session, {
            action: '/people/leave',
            label: 'Leave this organization',
            kind: 'danger',
            confirm: `Leave ${organization.name}? You need a new invitation to come back.`,
          })
        : ''
    }
    ${caller.kind === 'person' ? newOrganization(session) : ''}
  </section>`
}

function newOrganization(session: Session): Html {
  const { isOperator, addsOrganizations } = session.person
  if (!isOperator && addsOrganizations !== true) return html``
  return html`<details class="create" data-key="add-organization">
    <summary>Create another organization</summary>
    <form method="post" action="/people/organizations" class="stack">
      ${csrfField(session)}
      ${verbFields(addOrganization, { ...named, prefix: 'new-organization-', typed: new URLSearchParams() })}
      <button class="primary">Create it</button>
    </form>
  </details>`
}
