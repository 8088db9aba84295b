import { z } from '@hono/zod-openapi'
import {
  createSignInLink,
  deleteSession,
  showOrganization,
  type Session,
} from '../../../features/projects/sign-in.ts'
import { AppError } from '../../../lib/errors.ts'
import { emptyBody, role } from '../answers.ts'
import type { Access } from '../../../api/access.ts'
import { operations } from '../../../api/description/operation.ts'
import type { Endpoint, RequestContext } from '../../../api/endpoint.ts'
import { signInLink } from '../../server/answers.ts'
import { signInProvider } from '../../../api/named-words.ts'
import { requireOrganization } from '../../../api/organization-for.ts'
import { refuseOtherSites } from '../../../api/own-site.ts'
import { clearSession, readSession, rememberInvitation, sessionSecret } from '../../../api/session-cookie.ts'
import { becomeOwner, browserOf, keep, signIn, signInWithPassword, type SessionPorts } from './ways-in.ts'

const tokenRule = 'must be the token of a sign-in link'
const signInBody = z
  .object({ token: z.string({ error: tokenRule }).min(1, tokenRule).max(200, tokenRule) })
  .openapi('SignIn', { description: 'The token of a sign-in link.' })
export const sessionSchema = z
  .object({
    csrfToken: z.string().describe('Send it as `X-CSRF-Token` with requests that change something.'),
    person: z
      .object({ id: z.string(), name: z.string(), email: z.string().nullable() })
      .nullable()
      .describe('Null for the operator.'),
    organization: z.string().nullable().describe('The one that is shown.'),
    organizations: z.array(z.object({ id: z.string(), name: z.string(), role: role.nullable() })),
  })
  .openapi('Session', { description: 'A session of a person who is signed in.' })

const text = (what: string, most: number) => {
  const rule = `must be ${what} of 1 to ${most} characters`
  return z.string({ error: rule }).min(1, rule).max(most, rule)
}
export const newPerson = {
  name: text('a name', 200),
  email: text('an email address', 254),
  password: text('a password', 128)
    .optional()
    .describe('At least 10 characters. Without one, add a passkey before the session ends.'),
}

/** Sign-in links, the other ways to sign in, and the sessions that they open. */
export function sessionEndpoints(ports: SessionPorts & { access: Access }): Endpoint[] {
  const { access, store, publicUrl, identify } = ports
  const { onServer } = operations(access, 'Sessions')
  const path = '/admin/session'
  const answer = ['The session', sessionSchema] as const
  const failures = { errors: [403, 429] as (403 | 429)[] }
  return [
    onServer('createSignInLink', 'post /admin/sign-in-links', 'Create a sign-in link', {
      description:
        'The link signs the operator in, once, within a day. While no one has an account, its page offers to make the first owner’s instead.',
      answer: [201, 'The link', signInLink],
      async handle() {
        const secret = await store.transaction((tx) => createSignInLink(tx, 24))
        return { url: `${publicUrl()}/sign-in?token=${secret}` }
      },
    }),
    onServer('signIn', `post ${path}`, 'Sign in', {
      description: 'Exchanges the token of a sign-in link for a session cookie that is valid for 30 days.',
      body: signInBody,
      ...failures,
      answer: [201, ...answer],
      async handle({ context, body: { token } }) {
        refuseOtherSites(context)
        return sessionBody(await signIn(ports, context, token))
      },
    }),
    onServer('becomeOwner', 'post /admin/owner', 'Make the first owner', {
      description:
        'Exchanges the token of a sign-in link for an account that owns the default organization, while no one has an account.',
      body: z
        .object({ token: signInBody.shape.token, ...newPerson })
        .openapi('BecomeOwner', { description: 'The first account of a server.' }),
      errors: [403, 409, 429],
      answer: [201, ...answer],
      async handle({ context, body }) {
        refuseOtherSites(context)
        return sessionBody(await becomeOwner(ports, context, body))
      },
    }),
    onServer('signInWithPassword', `post ${path}/password`, 'Sign in with a password', {
      description: 'Returns the same error for a wrong password and an unknown email.',
      body: z
        .object({ email: text('an email address', 254), password: text('a password', 1000) })
        .openapi('SignInWithPassword', { description: 'An email address and a password.' }),
      ...failures,
      answer: [201, ...answer],
      async handle({ context, body }) {
        refuseOtherSites(context)
        return sessionBody(await signInWithPassword(ports, context, body))
      },
    }),
    onServer('startPasskeySignIn', `post ${path}/passkey/options`, 'Begin to sign in with a passkey', {
      description: 'What a page hands to `navigator.credentials.get`.',
      ...failures,
      answer: [
        200,
        'The options',
        z
          .looseObject({})
          .openapi('PasskeyRequest', { description: 'What a browser needs to sign in with a passkey.' }),
      ],
      async handle({ context }) {
        refuseOtherSites(context)
        await ports.attempts.count(ports.clientAddress(context))
        const { options, ...kept } = await identify.passkeyOptions(browserOf(ports, context), 'sign-in')
        await keep(ports, context, kept)
        return { ...options }
      },
    }),
    onServer('signInWithPasskey', `post ${path}/passkey`, 'Sign in with a passkey', {
      description: 'Sets the cookie of a session, for what a browser made of the options of a passkey.',
      body: z
        .object({ response: z.looseObject({}).describe('What `navigator.credentials.get` has returned.') })
        .openapi('SignInWithPasskey', { description: 'What a browser made of a passkey request.' }),
      ...failures,
      answer: [201, ...answer],
      async handle({ context, body: { response } }) {
        refuseOtherSites(context)
        await ports.attempts.count(ports.clientAddress(context))
        const opened = await keep(
          ports,
          context,
          await identify.withPasskey(browserOf(ports, context), response),
        )
        if (!opened) throw new AppError('forbidden', 'The passkey was not accepted; try again')
        return sessionBody(opened)
      },
    }),
    onServer('startSignIn', `post ${path}/provider`, 'Start sign-in with an identity provider', {
      description:
        'Returns the address to send the browser to. It comes back to `/sign-in/callback/{provider}`.',
      body: z
        .object({
          provider: signInProvider,
          invitation: z.string().max(200).optional().describe('Token of an invitation, for a new account.'),
        })
        .openapi('StartSignIn', { description: 'The provider to sign in with.' }),
      ...failures,
      answer: [
        200,
        'Where to go',
        z.object({ url: z.url() }).openapi('SignInElsewhere', { description: 'Where to send the browser.' }),
      ],
      async handle({ context, body }) {
        refuseOtherSites(context)
        await ports.attempts.count(ports.clientAddress(context))
        const { url, ...kept } = await identify.beginAt(browserOf(ports, context), body.provider, {
          link: false,
          invitation: body.invitation,
        })
        await keep(ports, context, kept)
        if (body.invitation !== undefined) rememberInvitation(context, publicUrl(), body.invitation)
        return { url }
      },
    }),
    onServer('getSession', `get ${path}`, 'Get the session', {
      description: 'Whose session it is, and the organizations that the person may choose.',
      answer: [200, ...answer],
      async handle({ context, caller }) {
        const session = await readSession(store, publicUrl(), context)
        if (caller.kind !== 'person' || !session)
          throw new AppError('not_found', 'The operator’s token needs no session')
        return sessionBody(session)
      },
    }),
    onServer('chooseOrganization', `post ${path}/organization`, 'Choose the organization that is shown', {
      description: 'Only for what the dashboard shows; other operations name what they mean.',
      body: z
        .object({ organization: z.string().max(200) })
        .openapi('ChooseOrganization', { description: 'The organization to show.' }),
      errors: [404],
      answer: [200, ...answer],
      async handle({ context, caller, body: { organization } }) {
        const { id } = await requireOrganization(store, { caller, verb: 'chooseOrganization', organization })
        const session = await readSession(store, publicUrl(), context)
        if (!session) throw new AppError('not_found', 'The operator’s token needs no session')
        await store.transaction((tx) => showOrganization(tx, session.id, id))
        return sessionBody((await readSession(store, publicUrl(), context)) ?? session)
      },
    }),
    onServer('signOut', `delete ${path}`, 'Sign out', {
      description: 'Ends the session on the server too.',
      answer: [200, 'An empty object', emptyBody],
      async handle({ context }) {
        await signOut(ports, context)
        return {}
      },
    }),
  ]
}

export function sessionBody({
  csrfToken,
  person,
  organizations,
  organization,
}: Session): z.output<typeof sessionSchema> {
  return {
    csrfToken,
    person: person.isOperator ? null : { id: person.id, name: person.name, email: person.email ?? null },
    organization: organization?.id ?? null,
    organizations: organizations.map((one) => ({ ...one, role: person.roles.get(one.id) ?? null })),
  }
}

export async function signOut(
  { store, publicUrl }: Pick<SessionPorts, 'store' | 'publicUrl'>,
  context: RequestContext,
): Promise<void> {
  const secret = sessionSecret(publicUrl(), context)
  if (secret !== undefined) await store.transaction((tx) => deleteSession(tx, secret))
  clearSession(context, publicUrl())
}
