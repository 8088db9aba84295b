import type { z } from '@hono/zod-openapi'
import type { RequestContext } from '../../../api/endpoint.ts'
import { requireOrganization } from '../../../api/organization-for.ts'
import { clearSession, readSession, rememberInvitation, sessionSecret } from '../../../api/session-cookie.ts'
import { accountHolder } from '../../../features/projects/allow.ts'
import { resolveOrganization } from '../../../features/projects/organizations.ts'
import * as sessions from '../../../features/projects/sign-in.ts'
import { AppError } from '../../../lib/errors.ts'
import { noteAct } from '../../../store/acts.ts'
import type { Tx } from '../../../store/database.ts'
import { deed } from '../../../verbs/verb.ts'
import {
  checkPassword,
  findPasswordLink,
  insertAccount,
  readEmail,
  readName,
  redeemPasswordLink,
} from '../accounts.ts'
import { findInvitation, invitationRefusal, redeemInvitation } from '../invitations.ts'
import { addMember } from '../members.ts'
import { browserOf, deviceOf, enter, keep, type SessionPorts } from './session.ts'
import * as verbs from './verbs.ts'

const createSignInLink = deed(verbs.createSignInLink, async ({ store, publicUrl }: SessionPorts) => {
  const secret = await store.transaction((tx) => sessions.createSignInLink(tx, 24))
  return { url: `${publicUrl()}/sign-in?token=${secret}` }
})

/** Opens a session of the operator for the token of a sign-in link. */
export const signIn = deed(verbs.signIn, async (ports: SessionPorts, { context }, { token }) => {
  await countAttempt(ports, context)
  const secret = await ports.store.transaction((tx) => {
    noteAct({ actor: { kind: 'operator', id: 'operator', name: 'The operator' } })
    return sessions.redeemSignInLink(tx, token, deviceOf(ports, context))
  })
  return present(secret === undefined ? undefined : await enter(ports, context, secret))
})

export const becomeOwner = deed(
  verbs.becomeOwner,
  async (ports: SessionPorts, { context }, { token, ...input }) => {
    await countAttempt(ports, context)
    // Before the costly hash.
    if (!(await sessions.makesOwner(ports.store.db, token))) throw linkGone()
    const person = await readPerson(ports, input)
    const { id: organizationId } = await resolveOrganization(ports.store.db)
    const secret = await ports.store.transaction(async (tx) => {
      if (!(await sessions.useOwnerLink(tx, token))) return undefined
      const id = await insertAccount(tx, { ...person, addsOrganizations: true })
      await addMember(tx, organizationId, id, 'owner')
      return begin(ports, context, tx, { id, name: person.name, organizationId })
    })
    return present(secret === undefined ? undefined : await enter(ports, context, secret))
  },
)

/** The same `forbidden` for a wrong password and for an unknown address. */
export const signInWithPassword = deed(
  verbs.signInWithPassword,
  async (ports: SessionPorts, { context }, input) => {
    await countAttempt(ports, context)
    const email = input.email.trim().toLowerCase()
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
    return present(await keep(ports, context, kept))
  },
)

const startPasskeySignIn = deed(verbs.startPasskeySignIn, async (ports: SessionPorts, { context }) => {
  await countAttempt(ports, context)
  const { options, ...kept } = await ports.identify.passkeyOptions(browserOf(ports, context), 'sign-in')
  await keep(ports, context, kept)
  return { ...options }
})

const signInWithPasskey = deed(
  verbs.signInWithPasskey,
  async (ports: SessionPorts, { context }, { response }) => {
    await countAttempt(ports, context)
    const kept = await ports.identify.withPasskey(browserOf(ports, context), response)
    const opened = await keep(ports, context, kept)
    if (!opened) throw new AppError('forbidden', 'The passkey was not accepted; try again')
    return present(opened)
  },
)

export const startSignIn = deed(
  verbs.startSignIn,
  async (ports: SessionPorts, { context }, { provider, invitation }) => {
    await countAttempt(ports, context)
    const purpose = { link: false, invitation }
    const { url, ...kept } = await ports.identify.beginAt(browserOf(ports, context), provider, purpose)
    await keep(ports, context, kept)
    if (invitation !== undefined) rememberInvitation(context, ports.publicUrl(), invitation)
    return { url }
  },
)

const getSession = deed(verbs.getSession, async (ports: SessionPorts, { caller, context }) => {
  const session = await readSession(ports.store, ports.publicUrl(), context)
  if (caller.kind !== 'person' || !session) throw withoutSession()
  return present(session)
})

export const chooseOrganization = deed(
  verbs.chooseOrganization,
  async ({ store, publicUrl }: SessionPorts, { caller, context }, { organization }) => {
    const { id } = await requireOrganization(store, { caller, verb: 'chooseOrganization', organization })
    const session = await readSession(store, publicUrl(), context)
    if (!session) throw withoutSession()
    await store.transaction((tx) => sessions.showOrganization(tx, session.id, id))
    return present((await readSession(store, publicUrl(), context)) ?? session)
  },
)

export const signOut = deed(verbs.signOut, async ({ store, publicUrl }: SessionPorts, { context }) => {
  const secret = sessionSecret(publicUrl(), context)
  if (secret !== undefined) await store.transaction((tx) => sessions.deleteSession(tx, secret))
  clearSession(context, publicUrl())
  return {}
})

/** Makes an account for somebody with an invitation. */
export const acceptInvitation = deed(
  verbs.acceptInvitation,
  async (ports: SessionPorts, { context }, { token, ...input }) => {
    await countAttempt(ports, context)
    const invitation = await findInvitation(ports.store.db, token)
    if (invitation?.state !== 'open') throw invitationRefusal(invitation)
    const person = await readPerson(ports, input)
    const secret = await ports.store.transaction(async (tx) => {
      const id = await insertAccount(tx, person)
      const { organizationId } = await redeemInvitation(tx, token, id)
      return begin(ports, context, tx, { id, name: person.name, organizationId })
    })
    return present(await enter(ports, context, secret))
  },
)

/** Makes somebody who has an account a member of one more organization. */
export const joinOrganization = deed(
  verbs.joinOrganization,
  async (ports: SessionPorts, { caller, context }, { token }) => {
    await countAttempt(ports, context)
    const person = accountHolder(caller)
    if (!person)
      throw new AppError(
        'forbidden',
        'Only people with an account join an organization: sign out, then open the link',
      )
    const organization = await ports.store.transaction(async (tx) => {
      const { organizationId } = await redeemInvitation(tx, token, person.id)
      noteAct({ organizationId })
      return organizationId
    })
    return { organization }
  },
)

/** Sets a new password by a link, and ends every session of the account. */
export const resetPassword = deed(
  verbs.resetPassword,
  async (ports: SessionPorts, { context }, { token, password }) => {
    await countAttempt(ports, context)
    const person = await findPasswordLink(ports.store.db, token)
    if (!person) throw linkGone()
    checkPassword(password, person)
    const hash = await ports.identify.hashPassword(password)
    await ports.store.transaction(async (tx) => {
      if (!(await redeemPasswordLink(tx, token, hash))) throw linkGone()
      noteAct({ actor: { kind: 'person', id: person.id, name: person.name } })
    })
    return {}
  },
)

/** In the order of the description. */
export const sessionDeeds = [
  createSignInLink,
  signIn,
  becomeOwner,
  signInWithPassword,
  startPasskeySignIn,
  signInWithPasskey,
  startSignIn,
  getSession,
  chooseOrganization,
  signOut,
  acceptInvitation,
  joinOrganization,
  resetPassword,
]

function countAttempt(ports: SessionPorts, context: RequestContext): Promise<void> {
  return ports.attempts.count(ports.clientAddress(context))
}

/** @throws AppError `forbidden` without one */
function present(session: sessions.Session | undefined): z.output<typeof verbs.sessionBody> {
  if (!session) throw linkGone()
  const { csrfToken, person, organizations, organization } = session
  return {
    csrfToken,
    person: person.isOperator ? null : { id: person.id, name: person.name, email: person.email ?? null },
    organization: organization?.id ?? null,
    organizations: organizations.map((one) => ({ ...one, role: person.roles.get(one.id) ?? null })),
  }
}

function linkGone(): AppError {
  return new AppError('forbidden', 'This link was already used or has expired. Ask for a new one')
}

function withoutSession(): AppError {
  return new AppError('not_found', 'The operator’s token needs no session')
}

async function begin(
  ports: SessionPorts,
  context: RequestContext,
  tx: Tx,
  { id, name, organizationId }: { id: string; name: string; organizationId: string },
): Promise<string> {
  noteAct({ actor: { kind: 'person', id, name }, organizationId })
  return (await sessions.openSession(tx, id, deviceOf(ports, context))).secret
}

async function readPerson(
  { identify }: SessionPorts,
  { name, email, password }: { name: string; email: string; password?: string | undefined },
): Promise<{ name: string; email: string; passwordHash: string | undefined }> {
  const person = { name: readName(name), email: readEmail(email) }
  if (password === undefined) return { ...person, passwordHash: undefined }
  checkPassword(password, person)
  return { ...person, passwordHash: await identify.hashPassword(password) }
}
