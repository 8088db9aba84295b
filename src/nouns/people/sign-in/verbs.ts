import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../../verbs/verb.ts'
import { emptyBody, role } from '../answers.ts'
import {
  knownPassword,
  knownPasswordWords,
  newPassword,
  newPerson,
  personEmail,
  personWords,
  signInProvider,
} from '../person-rules.ts'

const tokenRule = 'must be the token of a link'
const token = z.string({ error: tokenRule }).min(1, tokenRule).max(200, tokenRule)
const tokenWords = { label: 'Link', secret: true } as const

export const sessionBody = z
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

const path = '/admin/session'
const ofSessions = { tag: 'Sessions', input: z.object({}), fields: {} } as const
const opensSession = {
  tag: 'Sessions',
  output: sessionBody,
  answer: [201, 'The session'],
  errors: [403, 429],
} as const
const showsSession = { ...ofSessions, output: sessionBody, answer: [200, 'The session'] } as const

export const createSignInLink = defineVerb({
  ...ofSessions,
  name: 'createSignInLink',
  address: 'post /admin/sign-in-links',
  summary: 'Create a sign-in link',
  description:
    'The link signs the operator in, once, within a day. While no one has an account, its page offers to make the first owner’s instead.',
  output: z
    .object({ url: z.url() })
    .openapi('SignInLink', { description: 'A link that signs a person in once.' }),
  answer: [201, 'The link'],
})

export const signIn = defineVerb({
  ...opensSession,
  name: 'signIn',
  address: `post ${path}`,
  summary: 'Sign in',
  description: 'Exchanges the token of a sign-in link for a session cookie that is valid for 30 days.',
  input: z.object({ token }).openapi('SignIn', { description: 'The token of a sign-in link.' }),
  fields: { token: tokenWords },
})

export const becomeOwner = defineVerb({
  ...opensSession,
  errors: [403, 409, 429],
  name: 'becomeOwner',
  address: 'post /admin/owner',
  summary: 'Create the first owner',
  description:
    'Exchanges the token of a sign-in link for an account that owns the default organization, while no one has an account.',
  input: z
    .object({ token, ...newPerson })
    .openapi('BecomeOwner', { description: 'The first account of a server.' }),
  fields: { token: tokenWords, ...personWords },
})

export const signInWithPassword = defineVerb({
  ...opensSession,
  name: 'signInWithPassword',
  address: `post ${path}/password`,
  summary: 'Sign in with a password',
  description: 'Returns the same error for a wrong password and an unknown email.',
  input: z
    .object({ email: personEmail, password: knownPassword })
    .openapi('SignInWithPassword', { description: 'An email address and a password.' }),
  fields: { email: personWords.email, password: knownPasswordWords },
})

export const startPasskeySignIn = defineVerb({
  ...ofSessions,
  errors: [403, 429],
  name: 'startPasskeySignIn',
  address: `post ${path}/passkey/options`,
  summary: 'Start signing in with a passkey',
  description: 'What a page hands to `navigator.credentials.get`.',
  output: z
    .looseObject({})
    .openapi('PasskeyRequest', { description: 'What a browser needs to sign in with a passkey.' }),
  answer: [200, 'The options'],
})

export const signInWithPasskey = defineVerb({
  ...opensSession,
  name: 'signInWithPasskey',
  address: `post ${path}/passkey`,
  summary: 'Sign in with a passkey',
  description: 'Sets the cookie of a session, for what a browser made of the options of a passkey.',
  input: z
    .object({ response: z.looseObject({}).describe('What `navigator.credentials.get` has returned.') })
    .openapi('SignInWithPasskey', { description: 'What a browser made of a passkey request.' }),
  fields: { response: { label: 'Passkey' } },
})

export const startSignIn = defineVerb({
  tag: 'Sessions',
  errors: [403, 429],
  name: 'startSignIn',
  address: `post ${path}/provider`,
  summary: 'Start sign-in with an identity provider',
  description: 'Returns the address to send the browser to. It comes back to `/sign-in/callback/{provider}`.',
  input: z
    .object({
      provider: signInProvider,
      invitation: z.string().max(200).optional().describe('Token of an invitation, for a new account.'),
    })
    .openapi('StartSignIn', { description: 'The provider to sign in with.' }),
  output: z
    .object({ url: z.url() })
    .openapi('SignInElsewhere', { description: 'Where to send the browser.' }),
  answer: [200, 'Where to go'],
  fields: { provider: { label: 'Provider' }, invitation: { label: 'Invitation', secret: true } },
})

export const getSession = defineVerb({
  ...showsSession,
  name: 'getSession',
  address: `get ${path}`,
  summary: 'Get the session',
  description: 'Whose session it is, and the organizations that the person may choose.',
})

export const chooseOrganization = defineVerb({
  ...showsSession,
  name: 'chooseOrganization',
  address: `post ${path}/organization`,
  summary: 'Switch organization',
  description: 'Only for what the dashboard shows; other operations name what they mean.',
  input: z
    .object({ organization: z.string().max(200) })
    .openapi('ChooseOrganization', { description: 'The organization to show.' }),
  errors: [404],
  fields: { organization: { label: 'Organization' } },
})

export const signOut = defineVerb({
  ...ofSessions,
  name: 'signOut',
  address: `delete ${path}`,
  summary: 'Sign out',
  description: 'Ends the session on the server too.',
  output: emptyBody,
  answer: [200, 'An empty object'],
})

export const acceptInvitation = defineVerb({
  ...opensSession,
  tag: 'People',
  errors: [403, 409, 429],
  name: 'acceptInvitation',
  address: 'post /admin/invitations/accept',
  summary: 'Accept an invitation',
  description: 'Creates an account, and opens a session. Who has an account joins instead.',
  input: z
    .object({ token, ...newPerson })
    .openapi('AcceptInvitation', { description: 'An invitation, and an account to make for it.' }),
  fields: { token: tokenWords, ...personWords },
})

export const joinOrganization = defineVerb({
  tag: 'People',
  errors: [403, 429],
  name: 'joinOrganization',
  address: 'post /admin/invitations/join',
  summary: 'Join an organization',
  description: 'Takes an invitation as the person who is signed in.',
  input: z
    .object({ token })
    .openapi('JoinOrganization', { description: 'An invitation to accept with your account.' }),
  output: z.object({ organization: z.string() }),
  answer: [200, 'The organization'],
  fields: { token: tokenWords },
})

export const resetPassword = defineVerb({
  tag: 'People',
  errors: [403, 429],
  name: 'resetPassword',
  address: 'post /admin/password',
  summary: 'Reset a password',
  description: 'Ends all sessions of the account.',
  input: z
    .object({ token, password: newPassword })
    .openapi('ResetPassword', { description: 'A new password, by a link.' }),
  output: emptyBody,
  answer: [200, 'An empty object'],
  fields: { token: tokenWords, password: { ...personWords.password, label: 'New password' } },
})
