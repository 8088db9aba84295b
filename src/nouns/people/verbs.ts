import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../verbs/verb.ts'
import { emptyBody, role } from './answers.ts'

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
    note: z.string().describe('Who it is for.'),
    email: z.string().nullable().describe('The address of the only account that may take it.'),
    invitedBy: z.string(),
    createdAt: time,
    expiresAt: time,
    state: z.enum(['open', 'used', 'revoked', 'expired']),
    usedAt: time.nullable(),
    usedBy: z.string().nullable().describe('The name of the person who used it.'),
  })
  .openapi('Invitation', { description: 'An invitation to an organization.' })
const link = z.object({ url: z.url() }).openapi('Link', { description: 'A link that was made.' })

const path = '/admin/organizations/{organization}'
const done = [200, 'An empty object'] as const

export const listPeople = defineVerb({
  name: 'listPeople',
  address: `get ${path}/people`,
  tag: 'People',
  summary: 'List people',
  description: 'The members of an organization with their roles, and open invitations.',
  input: z.object({}),
  output: z.array(member),
  answer: [200, 'The people of the organization'],
  fields: {},
})

export const changeRole = defineVerb({
  name: 'changeRole',
  address: `patch ${path}/people/{person}`,
  tag: 'People',
  summary: 'Change a role',
  description: 'An organization keeps at least one owner.',
  input: z.object({ role }).openapi('ChangeRole', { description: 'The role to give.' }),
  output: member,
  answer: [200, 'The person'],
  errors: [409],
  fields: { role: { label: 'Role' } },
})

export const removePerson = defineVerb({
  name: 'removePerson',
  address: `delete ${path}/people/{person}`,
  tag: 'People',
  summary: 'Remove a member',
  description: 'The account stays, and the projects of the organization are no longer visible to it.',
  input: z.object({}),
  output: emptyBody,
  answer: done,
  errors: [409],
  fields: {},
})

export const leaveOrganization = defineVerb({
  name: 'leaveOrganization',
  address: `post ${path}/leave`,
  tag: 'People',
  summary: 'Leave an organization',
  description: 'The last owner cannot leave.',
  input: z.object({}),
  output: emptyBody,
  answer: done,
  errors: [409],
  fields: {},
})

export const listInvitations = defineVerb({
  name: 'listInvitations',
  address: `get ${path}/invitations`,
  tag: 'People',
  summary: 'List invitations',
  description: 'Newest first: those that are open, and those that were used or ended in the last 30 days.',
  input: z.object({}),
  output: z.array(invitation),
  answer: [200, 'The invitations'],
  fields: {},
})

export const createInvitation = defineVerb({
  name: 'createInvitation',
  address: `post ${path}/invitations`,
  tag: 'People',
  summary: 'Invite a member',
  description: 'Returns a link that makes one person a member. It is shown once: send it yourself.',
  input: z
    .object({
      role,
      note: z.string().max(200).default('').describe('Who it is for.'),
      email: z
        .string()
        .max(254)
        .optional()
        .describe('Only an account with this address may take it. Addresses are not verified.'),
      days: z.int().min(1).max(30).default(7),
    })
    .openapi('Invite', { description: 'A person to invite.' }),
  output: z
    .object({ ...invitation.shape, url: z.url() })
    .openapi('NewInvitation', { description: 'An invitation with its link, which is shown once.' }),
  answer: [201, 'The invitation'],
  fields: {
    role: { label: 'Role', option: '--role <role>', help: 'owner, editor, or viewer' },
    note: {
      label: 'Note',
      placeholder: 'Ada, writer',
      below: 'Helps you recognize this invitation.',
      option: '--for <note>',
      help: 'note to identify the invitation',
    },
    email: {
      label: 'Email',
      type: 'email',
      below: 'Optional. Only an account with this email can use the link.',
      option: '--email <address>',
      help: 'restrict the invitation to this email address',
    },
    days: { label: 'Days until it expires', option: '--days <days>', help: 'days until it expires' },
  },
})

export const revokeInvitation = defineVerb({
  name: 'revokeInvitation',
  address: `delete ${path}/invitations/{invitation}`,
  tag: 'People',
  summary: 'Revoke an invitation',
  description: 'The link of the invitation no longer works.',
  input: z.object({}),
  output: emptyBody,
  answer: done,
  fields: {},
})

export const createPasswordLink = defineVerb({
  name: 'createPasswordLink',
  address: `post ${path}/people/{person}/password-link`,
  tag: 'People',
  summary: 'Create a password reset link',
  description:
    'For someone who can’t sign in: works once, within a day. Owners make it for people who belong to no other organization.',
  input: z.object({}),
  output: link,
  answer: [201, 'The link, which is shown once'],
  fields: {},
})

export const grantOrganizations = defineVerb({
  name: 'grantOrganizations',
  address: 'post /admin/organization-makers',
  tag: 'People',
  summary: 'Set who can create organizations',
  description: 'By email address. Only the operator may say so.',
  input: z
    .object({ email: z.string().max(254), allowed: z.boolean() })
    .openapi('GrantOrganizations', { description: 'Who may make organizations.' }),
  output: z.object({ id: z.string(), name: z.string() }),
  answer: [200, 'The person'],
  errors: [404],
  fields: { email: { label: 'Email' }, allowed: { label: 'Can create organizations' } },
})
