import { z } from '@hono/zod-openapi'
import { accountHolder, type Caller } from '../../../features/projects/allow.ts'
import {
  changeAccount,
  checkPassword,
  deleteAccount,
  endSessions,
  findAccount,
  listSessions,
  passwordHashOf,
  readName,
  removeWayIn,
  setPassword,
  type Account,
} from '../accounts.ts'
import type { Person } from '../../../features/projects/roles.ts'
import { AppError } from '../../../lib/errors.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import { noteAct } from '../../../store/acts.ts'
import type { Access } from '../../../api/access.ts'
import { emptyBody } from '../answers.ts'
import { operations } from '../../../api/description/operation.ts'
import type { Endpoint, RequestContext } from '../../../api/endpoint.ts'
import { notFound } from '../../../api/errors.ts'
import { signInProvider } from '../../../api/named-words.ts'
import { clearSession, readSession } from '../../../api/session-cookie.ts'
import { browserOf, keep, type SessionPorts } from '../sign-in/ways-in.ts'

const time = z.iso.datetime()
const account = z
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

const empty = [200, 'An empty object', emptyBody] as const

/** What a person does with the own account. */
export function accountEndpoints(ports: SessionPorts & { access: Access }): Endpoint[] {
  const { access, store, publicUrl, identify } = ports
  const { onServer } = operations(access, 'People')
  const path = '/admin/account'
  const own = async (caller: Caller) => accountBody(await accountOf(ports, caller))
  return [
    onServer('getAccount', `get ${path}`, 'Get your account', {
      description: 'The account of the person who is signed in, with passkeys and linked accounts.',
      answer: [200, 'The account', account],
      handle: ({ caller }) => own(caller),
    }),
    onServer('changeAccount', `patch ${path}`, 'Change your account', {
      description: 'Changes the name. An absent field stays unchanged.',
      body: z
        .object({ name: z.string().max(200).optional(), coAuthor: z.boolean().optional() })
        .openapi('ChangeAccount', { description: 'A change of your account.' }),
      answer: [200, 'The account', account],
      async handle({ caller, body: { name, coAuthor } }) {
        const { id } = personOf(caller)
        const change = { ...(name !== undefined && { name: readName(name) }), coAuthor }
        await store.transaction((tx) => changeAccount(tx, id, change))
        return own(caller)
      },
    }),
    onServer('changePassword', `post ${path}/password`, 'Change your password', {
      description: 'Ends all other sessions.',
      body: z
        .object({
          current: z.string().max(1000).optional().describe('Needed when there is a password.'),
          password: z.string().max(1000),
        })
        .openapi('ChangePassword', { description: 'The old password and the new one.' }),
      errors: [403, 429],
      answer: empty,
      async handle({ context, caller, body }) {
        await changePassword(ports, context, { person: personOf(caller), ...body })
        return {}
      },
    }),
    onServer('deleteAccount', `delete ${path}`, 'Delete your account', {
      description: 'Past activity stays in the audit log.',
      errors: [409],
      answer: empty,
      async handle({ context, caller }) {
        const { id } = personOf(caller)
        await store.transaction((tx) => deleteAccount(tx, id))
        clearSession(context, publicUrl())
        return {}
      },
    }),
    onServer('listSessions', `get ${path}/sessions`, 'List your sessions', {
      description: 'The one used last comes first.',
      answer: [200, 'The sessions', z.array(openSession)],
      async handle({ context, caller }) {
        const current = await readSession(store, publicUrl(), context)
        const sessions = await listSessions(store.db, personIdOf(caller))
        return sessions.map(({ createdAt, lastUsedAt, ...one }) => ({
          id: one.id,
          current: one.id === current?.id,
          device: one.device ?? null,
          address: one.address ?? null,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
        }))
      },
    }),
    onServer('endOtherSessions', `delete ${path}/sessions`, 'End all other sessions', {
      description: 'Signs out all browsers but the one that asks.',
      answer: [200, 'How many were ended', z.object({ ended: z.int() })],
      async handle({ context, caller }) {
        const current = await readSession(store, publicUrl(), context)
        const ended = await store.transaction((tx) =>
          endSessions(tx, personIdOf(caller), current ? { except: current.id } : {}),
        )
        return { ended }
      },
    }),
    onServer('endSession', `delete ${path}/sessions/{session}`, 'End a session', {
      description: 'Signs out one browser.',
      answer: empty,
      async handle({ context, caller }) {
        const only = idParam(context, 'session')
        if ((await store.transaction((tx) => endSessions(tx, personIdOf(caller), { only }))) === 0)
          throw notFound('session', only)
        return {}
      },
    }),
    onServer('startPasskey', `post ${path}/passkeys/options`, 'Begin to add a passkey', {
      description: 'What a page hands to `navigator.credentials.create`. The session must be of today.',
      answer: [
        200,
        'The options',
        z
          .looseObject({})
          .openapi('PasskeyCreation', { description: 'What a browser needs to make a passkey.' }),
      ],
      async handle({ context, caller }) {
        personOf(caller)
        const { options, ...kept } = await identify.passkeyOptions(browserOf(ports, context), 'add')
        await keep(ports, context, kept)
        return { ...options }
      },
    }),
    onServer('addPasskey', `post ${path}/passkeys`, 'Add a passkey', {
      description: 'Keeps the passkey that a browser made of the options.',
      body: z
        .object({
          response: z.looseObject({}).describe('What `navigator.credentials.create` has returned.'),
          name: z.string().trim().max(100).optional(),
        })
        .openapi('AddPasskey', { description: 'What a browser made of a passkey creation.' }),
      answer: [201, 'The account', account],
      async handle({ context, caller, body: { response, name } }) {
        personOf(caller)
        await keep(ports, context, await identify.addPasskey(browserOf(ports, context), response, name))
        return own(caller)
      },
    }),
    onServer('removePasskey', `delete ${path}/passkeys/{passkey}`, 'Remove a passkey', {
      description: 'The last way to sign in cannot be removed.',
      errors: [409],
      answer: [200, 'The account', account],
      async handle({ context, caller }) {
        await remove(ports, caller, 'passkeys', idParam(context, 'passkey'))
        return own(caller)
      },
    }),
    onServer('linkLogin', `post ${path}/logins`, 'Link a sign-in provider', {
      description: 'Returns the address to send the browser to.',
      body: z
        .object({ provider: signInProvider })
        .openapi('LinkLogin', { description: 'The provider to link.' }),
      answer: [200, 'Where to go', z.object({ url: z.url() })],
      async handle({ context, caller, body: { provider } }) {
        personOf(caller)
        const { url, ...kept } = await identify.beginAt(browserOf(ports, context), provider, { link: true })
        await keep(ports, context, kept)
        return { url }
      },
    }),
    onServer('unlinkLogin', `delete ${path}/logins/{login}`, 'Remove a linked account', {
      description: 'The last way to sign in cannot be removed.',
      errors: [409],
      answer: [200, 'The account', account],
      async handle({ context, caller }) {
        await remove(ports, caller, 'person_logins', idParam(context, 'login'))
        return own(caller)
      },
    }),
  ]
}

/** An id that the path names; empty for what the database cannot hold. */
export function idParam(context: RequestContext, name: string): string {
  const id = context.req.param(name) ?? ''
  return hasUnstorable(id) ? '' : id
}

/** @throws AppError `not_found` for the operator, who has no account */
export function personOf(caller: Caller): Person {
  const person = accountHolder(caller)
  if (person) return person
  throw new AppError('not_found', 'The operator has no account; sign in as a person')
}

/** Undefined for the operator, who has sessions too. */
export function personIdOf(caller: Caller): string | undefined {
  return accountHolder(caller)?.id
}

export async function accountOf({ store }: Pick<SessionPorts, 'store'>, caller: Caller): Promise<Account> {
  const account = await findAccount(store.db, personOf(caller).id)
  if (!account) throw new AppError('not_found', 'This account has been deleted')
  return account
}

/** @throws AppError `forbidden` for a wrong current password, `invalid`, `rate_limited` */
export async function changePassword(
  ports: SessionPorts,
  context: RequestContext,
  input: { person: Person; current?: string | undefined; password: string },
): Promise<void> {
  const { store, identify, attempts, publicUrl } = ports
  const { person, password } = input
  checkPassword(password, { name: person.name, email: person.email ?? '' })
  const known = await passwordHashOf(store.db, person.id)
  if (known !== undefined) {
    const email = person.email ?? person.id
    const giveBack = await attempts.guess(email, ports.clientAddress(context))
    if (!(await identify.verifyPassword(known, (input.current ?? '').slice(0, 129))))
      throw new AppError('forbidden', 'The current password is incorrect')
    await giveBack()
  }
  const hash = await identify.hashPassword(password)
  const session = await readSession(store, publicUrl(), context)
  await store.transaction(async (tx) => {
    await setPassword(tx, person.id, hash)
    await endSessions(tx, person.id, session ? { except: session.id } : {})
  })
}

export async function remove(
  { store }: Pick<SessionPorts, 'store'>,
  caller: Caller,
  kind: 'passkeys' | 'person_logins',
  id: string,
): Promise<void> {
  const person = personOf(caller)
  noteAct({ target: id })
  if (!(await store.transaction((tx) => removeWayIn(tx, person.id, kind, id))))
    throw notFound(kind === 'passkeys' ? 'passkey' : 'login', id)
}

function accountBody(one: Account): z.output<typeof account> {
  return {
    id: one.id,
    name: one.name,
    email: one.email,
    coAuthor: one.coAuthor,
    addsOrganizations: one.addsOrganizations,
    hasPassword: one.hasPassword,
    passkeys: one.passkeys.map(({ createdAt, ...passkey }) => ({
      ...passkey,
      createdAt: createdAt?.toISOString() ?? null,
    })),
    logins: one.logins.map(({ createdAt, ...login }) => ({ ...login, createdAt: createdAt.toISOString() })),
    createdAt: one.createdAt.toISOString(),
  }
}
