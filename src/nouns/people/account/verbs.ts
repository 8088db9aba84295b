import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../../verbs/verb.ts'
import { emptyBody } from '../answers.ts'
import {
  knownPassword,
  knownPasswordWords,
  newPassword,
  personName,
  personWords,
  signInProvider,
} from '../person-rules.ts'

const time = z.iso.datetime()
export const account = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    coAuthor: z.boolean().describe('Whether commits of jobs that this person has asked for name the person.'),
    addsOrganizations: z.boolean().describe('Whether this person may make organizations.'),
    hasPassword: z.boolean(),
    passkeys: z.array(z.object({ id: z.string(), name: z.string(), createdAt: time.nullable() })),
    logins: z.array(z.object({ id: z.string(), provider: z.string(), createdAt: time })),
    createdAt: time,
  })
  .openapi('Account', { description: 'A person’s own account.' })

const openSession = z
  .object({
    id: z.string(),
    current: z.boolean().describe('The session of this request.'),
    device: z.string().nullable().describe('The `User-Agent` that it was opened with.'),
    address: z.string().nullable(),
    createdAt: time,
    lastUsedAt: time,
  })
  .openapi('OpenSession', { description: 'A session of your account.' })

const path = '/admin/account'
const own = { tag: 'People', input: z.object({}), fields: {} } as const
const ofAccount = { output: account, answer: [200, 'The account'] } as const
const ofNothing = { output: emptyBody, answer: [200, 'An empty object'] } as const

export const getAccount = defineVerb({
  ...own,
  ...ofAccount,
  name: 'getAccount',
  address: `get ${path}`,
  summary: 'Get your account',
  description: 'The account of the person who is signed in, with passkeys and linked accounts.',
})

export const changeAccount = defineVerb({
  ...own,
  ...ofAccount,
  name: 'changeAccount',
  address: `patch ${path}`,
  summary: 'Change your account',
  description: 'Changes the name. An absent field stays unchanged.',
  input: z
    .object({ name: personName.optional(), coAuthor: z.boolean().optional() })
    .openapi('ChangeAccount', { description: 'A change of your account.' }),
  fields: { name: personWords.name, coAuthor: { label: 'Name me in commits' } },
})

export const changePassword = defineVerb({
  ...own,
  ...ofNothing,
  name: 'changePassword',
  address: `post ${path}/password`,
  summary: 'Change your password',
  description: 'Ends all other sessions.',
  input: z
    .object({
      current: knownPassword.optional().describe('Needed when there is a password.'),
      password: newPassword,
    })
    .openapi('ChangePassword', { description: 'The old password and the new one.' }),
  errors: [403, 429],
  fields: {
    current: { ...knownPasswordWords, label: 'Current password' },
    password: { ...personWords.password, label: 'New password' },
  },
})

export const deleteAccount = defineVerb({
  ...own,
  ...ofNothing,
  name: 'deleteAccount',
  address: `delete ${path}`,
  summary: 'Delete your account',
  description: 'Past activity stays in the audit log.',
  errors: [409],
})

export const listSessions = defineVerb({
  ...own,
  name: 'listSessions',
  address: `get ${path}/sessions`,
  summary: 'List your sessions',
  description: 'The one used last comes first.',
  output: z.array(openSession),
  answer: [200, 'The sessions'],
})

export const endOtherSessions = defineVerb({
  ...own,
  name: 'endOtherSessions',
  address: `delete ${path}/sessions`,
  summary: 'End all other sessions',
  description: 'Signs out all browsers but the one that asks.',
  output: z.object({ ended: z.int() }),
  answer: [200, 'How many were ended'],
})

export const endSession = defineVerb({
  ...own,
  ...ofNothing,
  name: 'endSession',
  address: `delete ${path}/sessions/{session}`,
  summary: 'End a session',
  description: 'Signs out one browser.',
})

export const startPasskey = defineVerb({
  ...own,
  name: 'startPasskey',
  address: `post ${path}/passkeys/options`,
  summary: 'Start adding a passkey',
  description: 'What a page hands to `navigator.credentials.create`. The session must be of today.',
  output: z
    .looseObject({})
    .openapi('PasskeyCreation', { description: 'What a browser needs to make a passkey.' }),
  answer: [200, 'The options'],
})

export const addPasskey = defineVerb({
  ...own,
  name: 'addPasskey',
  address: `post ${path}/passkeys`,
  summary: 'Add a passkey',
  description: 'Keeps the passkey that a browser made of the options.',
  input: z
    .object({
      response: z.looseObject({}).describe('What `navigator.credentials.create` has returned.'),
      name: z.string().trim().max(100).optional(),
    })
    .openapi('AddPasskey', { description: 'What a browser made of a passkey creation.' }),
  output: account,
  answer: [201, 'The account'],
  fields: { response: { label: 'Passkey' }, name: { label: 'Name', placeholder: 'Laptop' } },
})

export const removePasskey = defineVerb({
  ...own,
  ...ofAccount,
  name: 'removePasskey',
  address: `delete ${path}/passkeys/{passkey}`,
  summary: 'Remove a passkey',
  description: 'The last way to sign in cannot be removed.',
  errors: [409],
})

export const linkLogin = defineVerb({
  ...own,
  name: 'linkLogin',
  address: `post ${path}/logins`,
  summary: 'Link a sign-in provider',
  description: 'Returns the address to send the browser to.',
  input: z
    .object({ provider: signInProvider })
    .openapi('LinkLogin', { description: 'The provider to link.' }),
  output: z.object({ url: z.url() }),
  answer: [200, 'Where to go'],
  fields: { provider: { label: 'Provider' } },
})

export const unlinkLogin = defineVerb({
  ...own,
  ...ofAccount,
  name: 'unlinkLogin',
  address: `delete ${path}/logins/{login}`,
  summary: 'Remove a linked account',
  description: 'The last way to sign in cannot be removed.',
  errors: [409],
})
