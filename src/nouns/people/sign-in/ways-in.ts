import { accountHolder, type Caller } from '../../../features/projects/allow.ts'
import { resolveOrganization } from '../../../features/projects/organizations.ts'
import {
  checkPassword,
  findPasswordLink,
  insertAccount,
  readEmail,
  readName,
  redeemPasswordLink,
} from '../accounts.ts'
import type { Browser, Identify, Kept } from './identify.ts'
import { findInvitation, invitationRefusal, redeemInvitation } from '../invitations.ts'
import { addMember } from '../members.ts'
import {
  deleteSession,
  findSession,
  makesOwner,
  openSession,
  redeemSignInLink,
  showOrganization,
  useOwnerLink,
  type Device,
  type Session,
} from '../../../features/projects/sign-in.ts'
import { AppError } from '../../../lib/errors.ts'
import { noteAct } from '../../../store/acts.ts'
import type { Store, Tx } from '../../../store/database.ts'
import type { RequestContext } from '../../../api/endpoint.ts'
import { sessionSecret, setSession } from '../../../api/session-cookie.ts'
import type { Attempts } from './count-attempts.ts'

export interface SessionPorts {
  store: Store
  identify: Identify
  /** The address at which people reach the server, without a slash at the end. */
  publicUrl(): string
  attempts: Attempts
  clientAddress(context: RequestContext): string
}

/** What a new account begins with. Without a password, a passkey is added next. */
export interface NewPerson {
  name: string
  email: string
  password?: string | undefined
}

function deviceOf({ clientAddress }: Pick<SessionPorts, 'clientAddress'>, context: RequestContext): Device {
  return { address: clientAddress(context), device: context.req.header('user-agent') }
}

export function browserOf(ports: SessionPorts, context: RequestContext): Browser {
  return {
    headers: context.req.raw.headers,
    from: deviceOf(ports, context),
    session: sessionSecret(ports.publicUrl(), context),
  }
}

/** Hands the browser what it keeps. A session that it had before ends. */
export async function keep(
  ports: SessionPorts,
  context: RequestContext,
  { cookies, opened }: Kept,
): Promise<Session | undefined> {
  for (const cookie of cookies) context.header('Set-Cookie', cookie, { append: true })
  return opened && enter(ports, context, opened.secret)
}

async function enter(
  { store, publicUrl }: SessionPorts,
  context: RequestContext,
  secret: string,
): Promise<Session | undefined> {
  const earlier = sessionSecret(publicUrl(), context)
  if (earlier !== undefined) await store.transaction((tx) => deleteSession(tx, earlier))
  setSession(context, publicUrl(), secret)
  return findSession(store.db, secret)
}

/** Opens a session of the operator for the token of a sign-in link. @throws AppError `forbidden` */
export async function signIn(ports: SessionPorts, context: RequestContext, token: string): Promise<Session> {
  await ports.attempts.count(ports.clientAddress(context))
  const secret = await ports.store.transaction((tx) => {
    noteAct({ actor: { kind: 'operator', id: 'operator', name: 'The operator' } })
    return redeemSignInLink(tx, token, deviceOf(ports, context))
  })
  return required(secret === undefined ? undefined : await enter(ports, context, secret))
}

function required(session: Session | undefined): Session {
  if (session) return session
  throw linkGone()
}

function linkGone(): AppError {
  return new AppError('forbidden', 'This link was already used or has expired. Ask for a new one')
}

/** Makes the account of the first owner. @throws AppError `forbidden`, `invalid`, `conflict` */
export async function becomeOwner(
  ports: SessionPorts,
  context: RequestContext,
  { token, ...input }: NewPerson & { token: string },
): Promise<Session> {
  await ports.attempts.count(ports.clientAddress(context))
  // Before the costly hash.
  if (!(await makesOwner(ports.store.db, token))) return required(undefined)
  const person = await readPerson(ports, input)
  const { id: organizationId } = await resolveOrganization(ports.store.db)
  const secret = await ports.store.transaction(async (tx) => {
    if (!(await useOwnerLink(tx, token))) return undefined
    const id = await insertAccount(tx, { ...person, addsOrganizations: true })
    await addMember(tx, organizationId, id, 'owner')
    return begin(ports, context, tx, { id, name: person.name, organizationId })
  })
  return required(secret === undefined ? undefined : await enter(ports, context, secret))
}

/** Makes an account for somebody with an invitation. @throws AppError `forbidden`, `invalid`, `conflict` */
export async function acceptInvitation(
  ports: SessionPorts,
  context: RequestContext,
  { token, ...input }: NewPerson & { token: string },
): Promise<Session> {
  await ports.attempts.count(ports.clientAddress(context))
  const invitation = await findInvitation(ports.store.db, token)
  if (invitation?.state !== 'open') throw invitationRefusal(invitation)
  const person = await readPerson(ports, input)
  const secret = await ports.store.transaction(async (tx) => {
    const id = await insertAccount(tx, person)
    const { organizationId } = await redeemInvitation(tx, token, id)
    return begin(ports, context, tx, { id, name: person.name, organizationId })
  })
  return required(await enter(ports, context, secret))
}

/** Makes somebody who has an account a member of one more organization. @throws AppError `forbidden` */
export async function joinOrganization(
  ports: SessionPorts,
  context: RequestContext,
  { token, caller, sessionId }: { token: string; caller: Caller; sessionId: string | undefined },
): Promise<string> {
  await ports.attempts.count(ports.clientAddress(context))
  const person = accountHolder(caller)
  if (!person)
    throw new AppError(
      'forbidden',
      'Only people with an account join an organization: sign out, then open the link',
    )
  return ports.store.transaction(async (tx) => {
    const { organizationId } = await redeemInvitation(tx, token, person.id)
    noteAct({ organizationId })
    if (sessionId !== undefined) await showOrganization(tx, sessionId, organizationId)
    return organizationId
  })
}

/** Sets a new password by a link, and ends every session of the account. @throws AppError `forbidden`, `invalid` */
export async function resetPassword(
  ports: SessionPorts,
  context: RequestContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  await ports.attempts.count(ports.clientAddress(context))
  const person = await findPasswordLink(ports.store.db, token)
  if (!person) throw linkGone()
  checkPassword(password, person)
  const hash = await ports.identify.hashPassword(password)
  await ports.store.transaction(async (tx) => {
    if (!(await redeemPasswordLink(tx, token, hash))) throw linkGone()
    noteAct({ actor: { kind: 'person', id: person.id, name: person.name } })
  })
}

/** @throws AppError `forbidden`, the same for a wrong password and for an unknown address */
export async function signInWithPassword(
  ports: SessionPorts,
  context: RequestContext,
  input: { email: string; password: string },
): Promise<Session> {
  await ports.attempts.count(ports.clientAddress(context))
  const email = input.email.trim().toLowerCase().slice(0, 254)
  const giveBack = await ports.attempts.guess(email, ports.clientAddress(context))
  // A longer one costs time and is no password here.
  const password = input.password.slice(0, 129)
  const kept = await ports.identify
    .withPassword(browserOf(ports, context), { email, password })
    .catch(async (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'forbidden') await giveBack()
      throw error
    })
  await giveBack()
  return required(await keep(ports, context, kept))
}

async function begin(
  ports: SessionPorts,
  context: RequestContext,
  tx: Tx,
  { id, name, organizationId }: { id: string; name: string; organizationId: string },
): Promise<string> {
  noteAct({ actor: { kind: 'person', id, name }, organizationId })
  return (await openSession(tx, id, deviceOf(ports, context))).secret
}

async function readPerson(
  { identify }: SessionPorts,
  { name, email, password }: NewPerson,
): Promise<{ name: string; email: string; passwordHash: string | undefined }> {
  const person = { name: readName(name), email: readEmail(email) }
  if (password === undefined) return { ...person, passwordHash: undefined }
  checkPassword(password, person)
  return { ...person, passwordHash: await identify.hashPassword(password) }
}
