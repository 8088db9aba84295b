import { personOf } from './account/run.ts'
import { notFound } from '../../api/errors.ts'
import { requireOrganization } from '../../api/organization-for.ts'
import { nameOf, type Caller } from '../../features/projects/allow.ts'
import { createPasswordLink as insertPasswordLink, findAccount, readEmail } from './accounts.ts'
import * as invitations from './invitations.ts'
import * as members from './members.ts'
import type { Verb } from '../../features/projects/rights.ts'
import { AppError } from '../../lib/errors.ts'
import { noteAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import { grantOrganizations as allowOrganizations } from './grant-organizations.ts'
import * as verbs from './verbs.ts'

interface Ports {
  store: Store
  publicUrl(): string
}

const listPeople = deed(verbs.listPeople, async ({ store }: Ports, { caller }, { organization }) => {
  const id = await organizationIn(store, caller, 'listPeople', organization)
  return await members.listMembers(store.db, id)
})

export const changeRole = deed(
  verbs.changeRole,
  async ({ store }: Ports, { caller }, { organization, person: id, role }) => {
    const organizationId = await organizationIn(store, caller, 'changeRole', organization)
    await store.transaction((tx) => members.changeRole(tx, organizationId, id, role))
    const changed = await members.findMember(store.db, organizationId, id)
    if (!changed) throw notFound('person', id, 'organization')
    return changed
  },
)

export const removePerson = deed(
  verbs.removePerson,
  async ({ store }: Ports, { caller }, { organization, person: id }) => {
    const organizationId = await organizationIn(store, caller, 'removePerson', organization)
    await store.transaction((tx) => members.removeMember(tx, organizationId, id))
    return {}
  },
)

export const leaveOrganization = deed(
  verbs.leaveOrganization,
  async ({ store }: Ports, { caller }, { organization }) => {
    const organizationId = await organizationIn(store, caller, 'leaveOrganization', organization)
    const { id } = personOf(caller)
    await store.transaction((tx) => members.removeMember(tx, organizationId, id))
    return {}
  },
)

const listInvitations = deed(
  verbs.listInvitations,
  async ({ store }: Ports, { caller }, { organization }) => {
    const id = await organizationIn(store, caller, 'listInvitations', organization)
    return await invitations.listInvitations(store.db, id)
  },
)

export const createInvitation = deed(
  verbs.createInvitation,
  async ({ store, publicUrl }: Ports, { caller }, { organization, role, note, email, days }) => {
    const organizationId = await organizationIn(store, caller, 'createInvitation', organization)
    const bound = email === undefined ? undefined : readEmail(email)
    const { invitation, secret } = await store.transaction((tx) =>
      invitations.createInvitation(tx, {
        organizationId,
        role,
        note,
        email: bound,
        days,
        invitedBy: nameOf(caller),
      }),
    )
    return { ...invitation, url: `${publicUrl()}/join?token=${secret}` }
  },
)

export const revokeInvitation = deed(
  verbs.revokeInvitation,
  async ({ store }: Ports, { caller }, { organization, invitation }) => {
    const organizationId = await organizationIn(store, caller, 'revokeInvitation', organization)
    if (!(await store.transaction((tx) => invitations.revokeInvitation(tx, organizationId, invitation))))
      throw new AppError(
        'not_found',
        'This invitation was already used or revoked, or belongs to another organization',
      )
    return {}
  },
)

/** People of other organizations are refused too: whoever has the link can act as them there. */
export const createPasswordLink = deed(
  verbs.createPasswordLink,
  async ({ store, publicUrl }: Ports, { caller }, { organization, person: id }) => {
    const organizationId = await organizationIn(store, caller, 'createPasswordLink', organization)
    const belongs = await members.rolesOf(store.db, id)
    if (!belongs.has(organizationId) || !(await findAccount(store.db, id)))
      throw notFound('person', id, 'organization')
    const isOwner = (one: string): boolean =>
      caller.kind !== 'person' || caller.person.isOperator || caller.person.roles.get(one) === 'owner'
    if (![...belongs.keys()].every(isOwner))
      throw new AppError(
        'forbidden',
        'This user belongs to several organizations. Only the server operator can create a password reset link',
      )
    const secret = await store.transaction(async (tx) => {
      await members.noteMember(tx, id)
      return insertPasswordLink(tx, id)
    })
    return { url: `${publicUrl()}/new-password?token=${secret}` }
  },
)

export const grantOrganizations = deed(
  verbs.grantOrganizations,
  async ({ store }: Ports, _, { email, allowed }) => {
    const address = email.trim().toLowerCase()
    const person = await store.transaction((tx) => allowOrganizations(tx, address, allowed))
    if (!person) throw new AppError('not_found', 'No member has this email address')
    noteAct({ target: person.id })
    return person
  },
)

export const memberDeeds = [
  listPeople,
  changeRole,
  removePerson,
  leaveOrganization,
  listInvitations,
  createInvitation,
  revokeInvitation,
  createPasswordLink,
  grantOrganizations,
]

async function organizationIn(
  store: Store,
  caller: Caller,
  verb: Verb,
  organization: string,
): Promise<string> {
  return (await requireOrganization(store, { caller, verb, organization })).id
}
