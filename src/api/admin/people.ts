import { z } from '@hono/zod-openapi'
import { nameOf, type Caller } from '../../features/projects/allow.ts'
import { createPasswordLink, findAccount, readEmail } from '../../features/projects/people/accounts.ts'
import { grantOrganizations } from '../../features/projects/people/grant-organizations.ts'
import {
  createInvitation,
  listInvitations,
  revokeInvitation,
  type Invitation,
} from '../../features/projects/people/invitations.ts'
import {
  changeRole,
  findMember,
  listMembers,
  noteMember,
  removeMember,
  rolesOf,
  type Member,
} from '../../features/projects/people/members.ts'
import type { Role } from '../../features/projects/person.ts'
import type { Verb } from '../../features/projects/rights.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { noteAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import { emptyBody } from '../contract.ts'
import { operations } from '../description/operation.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { notFound } from '../errors.ts'
import { role } from '../named-words.ts'
import { requireOrganization } from '../organization-for.ts'
import { refuseOtherSites } from '../own-site.ts'
import { idParam, personOf } from './account.ts'
import { newPerson, sessionBody, sessionSchema } from './sessions.ts'
import { acceptInvitation, joinOrganization, resetPassword, type SessionPorts } from './ways-in.ts'

const time = z.iso.datetime()
const member = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role,
    joinedAt: time,
    lastUsedAt: time.nullable().describe('When a session of this person was last used.'),
  })
  .openapi('Member', { description: 'A person with a role in an organization.' })
const invitation = z
  .object({
    id: z.string(),
    role,
    note: z.string().describe('Whom it is for.'),
    email: z.string().nullable().describe('The address of the only account that may take it.'),
    invitedBy: z.string(),
    createdAt: time,
    expiresAt: time,
    state: z.enum(['open', 'used', 'revoked', 'expired']),
    usedAt: time.nullable(),
    usedBy: z.string().nullable().describe('The name of whoever used it.'),
  })
  .openapi('Invitation', { description: 'An invitation to an organization.' })
const token = z.string().min(1).max(200)
const empty = [200, 'An empty object', emptyBody] as const
const link = z.object({ url: z.url() }).openapi('Link', { description: 'A link that was made.' })

/** Days that an invitation may last. */
export const mostDays = 30

/** Who belongs to an organization, and with which role. */
export function peopleEndpoints(ports: SessionPorts & { access: Access }): Endpoint[] {
  const { access, store } = ports
  const { onServer } = operations(access, 'People')
  const path = '/admin/organizations/{organization}'
  const organizationOf = async (context: RequestContext, caller: Caller, verb: Verb): Promise<string> =>
    (
      await requireOrganization(store, {
        caller,
        verb,
        organization: context.req.param('organization') ?? '',
      })
    ).id
  return [
    onServer('listPeople', `get ${path}/people`, 'List people', {
      description: 'The members of an organization with their roles, and open invitations.',
      answer: [200, 'The people of the organization', z.array(member)],
      handle: async ({ context, caller }) =>
        (await listMembers(store.db, await organizationOf(context, caller, 'listPeople'))).map(memberBody),
    }),
    onServer('changeRole', `patch ${path}/people/{person}`, 'Change a role', {
      description: 'An organization keeps at least one owner.',
      body: z.object({ role }).openapi('ChangeRole', { description: 'The role to give.' }),
      errors: [409],
      answer: [200, 'The person', member],
      async handle({ context, caller, body }) {
        const organization = await organizationOf(context, caller, 'changeRole')
        const id = idParam(context, 'person')
        await store.transaction((tx) => changeRole(tx, organization, id, body.role))
        const changed = await findMember(store.db, organization, id)
        if (!changed) throw notFound('person', id, 'organization')
        return memberBody(changed)
      },
    }),
    onServer('removePerson', `delete ${path}/people/{person}`, 'Remove a person', {
      description: 'The account stays, and the projects of the organization are no longer visible to it.',
      errors: [409],
      answer: empty,
      async handle({ context, caller }) {
        const organization = await organizationOf(context, caller, 'removePerson')
        const id = idParam(context, 'person')
        await store.transaction((tx) => removeMember(tx, organization, id))
        return {}
      },
    }),
    onServer('leaveOrganization', `post ${path}/leave`, 'Leave an organization', {
      description: 'The last owner cannot leave.',
      errors: [409],
      answer: empty,
      async handle({ context, caller }) {
        const organization = await organizationOf(context, caller, 'leaveOrganization')
        const { id } = personOf(caller)
        await store.transaction((tx) => removeMember(tx, organization, id))
        return {}
      },
    }),
    onServer('listInvitations', `get ${path}/invitations`, 'List invitations', {
      description:
        'Newest first: those that are open, and those that were used or ended in the last 30 days.',
      answer: [200, 'The invitations', z.array(invitation)],
      handle: async ({ context, caller }) =>
        (await listInvitations(store.db, await organizationOf(context, caller, 'listInvitations'))).map(
          invitationBody,
        ),
    }),
    onServer('createInvitation', `post ${path}/invitations`, 'Invite somebody', {
      description: 'Returns a link that makes one person a member. It is shown once: send it yourself.',
      body: z
        .object({
          role,
          note: z.string().max(200).default('').describe('Whom it is for.'),
          email: z
            .string()
            .max(254)
            .optional()
            .describe('Only an account with this address may take it. Addresses are not verified.'),
          days: z.int().min(1).max(mostDays).default(7),
        })
        .openapi('Invite', { description: 'A person to invite.' }),
      answer: [
        201,
        'The invitation',
        z
          .object({ ...invitation.shape, url: z.url() })
          .openapi('NewInvitation', { description: 'An invitation with its link, which is shown once.' }),
      ],
      async handle({ context, caller, body }) {
        const organization = await organizationOf(context, caller, 'createInvitation')
        const made = await invite(ports, caller, organization, body)
        return { ...invitationBody(made.invitation), url: made.url }
      },
    }),
    onServer('revokeInvitation', `delete ${path}/invitations/{invitation}`, 'Take an invitation back', {
      description: 'The link of the invitation does not work any more.',
      answer: empty,
      async handle({ context, caller }) {
        const organization = await organizationOf(context, caller, 'revokeInvitation')
        const id = idParam(context, 'invitation')
        if (!(await store.transaction((tx) => revokeInvitation(tx, organization, id))))
          throw notFound('invitation', id, 'organization')
        return {}
      },
    }),
    onServer('acceptInvitation', 'post /admin/invitations/accept', 'Accept an invitation', {
      description: 'Makes an account, and opens a session. Who has an account joins instead.',
      body: z
        .object({ token, ...newPerson })
        .openapi('AcceptInvitation', { description: 'An invitation, and an account to make for it.' }),
      errors: [403, 409, 429],
      answer: [201, 'The session', sessionSchema],
      async handle({ context, body }) {
        refuseOtherSites(context)
        return sessionBody(await acceptInvitation(ports, context, body))
      },
    }),
    onServer('joinOrganization', 'post /admin/invitations/join', 'Join with the own account', {
      description: 'Takes an invitation as the person who is signed in.',
      body: z
        .object({ token })
        .openapi('JoinOrganization', { description: 'An invitation to take with the own account.' }),
      errors: [403, 429],
      answer: [200, 'The organization', z.object({ organization: z.string() })],
      handle: async ({ context, caller, body }) => ({
        organization: await joinOrganization(ports, context, { ...body, caller, sessionId: undefined }),
      }),
    }),
    onServer(
      'createPasswordLink',
      `post ${path}/people/{person}/password-link`,
      'Make a link for a new password',
      {
        description:
          'For somebody who cannot sign in any more: works once, within a day. Owners make it for people who belong to no other organization.',
        answer: [201, 'The link, which is shown once', link],
        async handle({ context, caller }) {
          const organization = await organizationOf(context, caller, 'createPasswordLink')
          return { url: await passwordLink(ports, caller, organization, idParam(context, 'person')) }
        },
      },
    ),
    onServer('resetPassword', 'post /admin/password', 'Set a new password by link', {
      description: 'Ends all sessions of the account.',
      body: z
        .object({ token, password: z.string().max(1000) })
        .openapi('ResetPassword', { description: 'A new password, by a link.' }),
      errors: [403, 429],
      answer: empty,
      async handle({ context, body }) {
        refuseOtherSites(context)
        await resetPassword(ports, context, body)
        return {}
      },
    }),
    onServer('grantOrganizations', 'post /admin/organization-makers', 'Say who may make organizations', {
      description: 'By email address. Only the operator may say so.',
      body: z
        .object({ email: z.string().max(254), allowed: z.boolean() })
        .openapi('GrantOrganizations', { description: 'Who may make organizations.' }),
      errors: [404],
      answer: [200, 'The person', z.object({ id: z.string(), name: z.string() })],
      async handle({ body: { email, allowed } }) {
        const person = hasUnstorable(email)
          ? undefined
          : await store.transaction((tx) => grantOrganizations(tx, email.trim().toLowerCase(), allowed))
        if (!person) throw new AppError('not_found', 'Nobody here has this e-mail address')
        noteAct({ target: person.id })
        return person
      },
    }),
  ]
}

/** @returns the invitation and its link, which is never available again */
export async function invite(
  { store, publicUrl }: { store: Store; publicUrl(): string },
  caller: Caller,
  organizationId: string,
  { role, note, email, days }: { role: Role; note: string; email?: string | undefined; days: number },
): Promise<{ invitation: Invitation; url: string }> {
  const made = await store.transaction((tx) => {
    const bound = email === undefined ? undefined : readEmail(email)
    return createInvitation(tx, { organizationId, role, note, email: bound, days, invitedBy: nameOf(caller) })
  })
  return { invitation: made.invitation, url: `${publicUrl()}/join?token=${made.secret}` }
}

/**
 * @throws AppError `not_found`, `forbidden` for people of other organizations too: whoever has the link can act as
 * them there
 */
export async function passwordLink(
  { store, publicUrl }: { store: Store; publicUrl(): string },
  caller: Caller,
  organizationId: string,
  personId: string,
): Promise<string> {
  const belongs = await rolesOf(store.db, personId)
  if (!belongs.has(organizationId) || !(await findAccount(store.db, personId)))
    throw notFound('person', personId, 'organization')
  const isOwner = (id: string): boolean =>
    caller.kind !== 'person' || caller.person.isOperator || caller.person.roles.get(id) === 'owner'
  if (![...belongs.keys()].every(isOwner))
    throw new AppError(
      'forbidden',
      'This person belongs to another organization too: only the operator can make a link for a new password',
    )
  const secret = await store.transaction(async (tx) => {
    await noteMember(tx, personId)
    return createPasswordLink(tx, personId)
  })
  return `${publicUrl()}/new-password?token=${secret}`
}

function memberBody({ joinedAt, lastUsedAt, ...one }: Member): z.output<typeof member> {
  return { ...one, joinedAt: joinedAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

function invitationBody(one: Invitation): z.output<typeof invitation> {
  return {
    id: one.id,
    role: one.role,
    note: one.note,
    email: one.email ?? null,
    invitedBy: one.invitedBy,
    createdAt: one.createdAt.toISOString(),
    expiresAt: one.expiresAt.toISOString(),
    state: one.state,
    usedAt: one.usedAt?.toISOString() ?? null,
    usedBy: one.usedBy ?? null,
  }
}
