import { z } from '@hono/zod-openapi'
import type { Access } from '../../api/access.ts'
import { newPerson, sessionBody, sessionSchema } from './sign-in/endpoints.ts'
import { acceptInvitation, joinOrganization, resetPassword, type SessionPorts } from './sign-in/ways-in.ts'
import { operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { refuseOtherSites } from '../../api/own-site.ts'
import { httpDoor } from '../../verbs/http.ts'
import { emptyBody } from './answers.ts'
import { createPasswordLink, grantOrganizations, memberDeeds } from './run.ts'

const token = z.string().min(1).max(200)

/** Who belongs to an organization and how they come in. What opens or ends sessions needs the request itself. */
export function peopleEndpoints(ports: SessionPorts & { access: Access }): Endpoint[] {
  const { onServer } = operations(ports.access, 'People')
  return [
    ...httpDoor(ports, memberDeeds),
    onServer('acceptInvitation', 'post /admin/invitations/accept', 'Accept an invitation', {
      description: 'Creates an account, and opens a session. Who has an account joins instead.',
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
    onServer('joinOrganization', 'post /admin/invitations/join', 'Join an organization', {
      description: 'Takes an invitation as the person who is signed in.',
      body: z
        .object({ token })
        .openapi('JoinOrganization', { description: 'An invitation to accept with your account.' }),
      errors: [403, 429],
      answer: [200, 'The organization', z.object({ organization: z.string() })],
      handle: async ({ context, caller, body }) => ({
        organization: await joinOrganization(ports, context, { ...body, caller, sessionId: undefined }),
      }),
    }),
    ...httpDoor(ports, [createPasswordLink]),
    onServer('resetPassword', 'post /admin/password', 'Set a new password by link', {
      description: 'Ends all sessions of the account.',
      body: z
        .object({ token, password: z.string().max(1000) })
        .openapi('ResetPassword', { description: 'A new password, by a link.' }),
      errors: [403, 429],
      answer: [200, 'An empty object', emptyBody],
      async handle({ context, body }) {
        refuseOtherSites(context)
        await resetPassword(ports, context, body)
        return {}
      },
    }),
    ...httpDoor(ports, [grantOrganizations]),
  ]
}
