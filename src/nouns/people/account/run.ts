import type { RequestContext } from '../../../api/endpoint.ts'
import { notFound } from '../../../api/errors.ts'
import { clearSession, readSession } from '../../../api/session-cookie.ts'
import { accountHolder, type Caller } from '../../../features/projects/allow.ts'
import type { Person } from '../../../features/projects/roles.ts'
import { AppError } from '../../../lib/errors.ts'
import { noteAct } from '../../../store/acts.ts'
import { deed } from '../../../verbs/verb.ts'
import * as accounts from '../accounts.ts'
import { browserOf, keep, type SessionPorts } from '../sign-in/session.ts'
import * as verbs from './verbs.ts'

const getAccount = deed(verbs.getAccount, (ports: SessionPorts, { caller }) => accountOf(ports, caller))

export const changeAccount = deed(
  verbs.changeAccount,
  async (ports: SessionPorts, { caller }, { name, coAuthor }) => {
    const { id } = personOf(caller)
    const change = { ...(name !== undefined && { name: accounts.readName(name) }), coAuthor }
    await ports.store.transaction((tx) => accounts.changeAccount(tx, id, change))
    return accountOf(ports, caller)
  },
)

/** Refuses a wrong current password as `forbidden`. */
export const changePassword = deed(
  verbs.changePassword,
  async (ports: SessionPorts, { caller, context }, { current = '', password }) => {
    const { store, identify, attempts } = ports
    const person = personOf(caller)
    accounts.checkPassword(password, { name: person.name, email: person.email ?? '' })
    const known = await accounts.passwordHashOf(store.db, person.id)
    if (known !== undefined) {
      const giveBack = await attempts.guess(person.email ?? person.id, ports.clientAddress(context))
      if (!(await identify.verifyPassword(known, current.slice(0, 129))))
        throw new AppError('forbidden', 'The current password is incorrect')
      await giveBack()
    }
    const hash = await identify.hashPassword(password)
    const others = await besides(ports, context)
    await store.transaction(async (tx) => {
      await accounts.setPassword(tx, person.id, hash)
      await accounts.endSessions(tx, person.id, others)
    })
    return {}
  },
)

export const deleteAccount = deed(
  verbs.deleteAccount,
  async ({ store, publicUrl }: SessionPorts, { caller, context }) => {
    const { id } = personOf(caller)
    await store.transaction((tx) => accounts.deleteAccount(tx, id))
    clearSession(context, publicUrl())
    return {}
  },
)

const listSessions = deed(verbs.listSessions, async (ports: SessionPorts, { caller, context }) => {
  const current = await readSession(ports.store, ports.publicUrl(), context)
  const sessions = await accounts.listSessions(ports.store.db, personIdOf(caller))
  return sessions.map((one) => ({ ...one, current: one.id === current?.id }))
})

export const endOtherSessions = deed(
  verbs.endOtherSessions,
  async (ports: SessionPorts, { caller, context }) => {
    const others = await besides(ports, context)
    const ended = await ports.store.transaction((tx) => accounts.endSessions(tx, personIdOf(caller), others))
    return { ended }
  },
)

export const endSession = deed(
  verbs.endSession,
  async ({ store }: SessionPorts, { caller }, { session: only }) => {
    noteAct({ target: only })
    if ((await store.transaction((tx) => accounts.endSessions(tx, personIdOf(caller), { only }))) === 0)
      throw notFound('session', only, 'account')
    return {}
  },
)

const startPasskey = deed(verbs.startPasskey, async (ports: SessionPorts, { caller, context }) => {
  personOf(caller)
  const { options, ...kept } = await ports.identify.passkeyOptions(browserOf(ports, context), 'add')
  await keep(ports, context, kept)
  return { ...options }
})

const addPasskey = deed(
  verbs.addPasskey,
  async (ports: SessionPorts, { caller, context }, { response, name }) => {
    personOf(caller)
    await keep(ports, context, await ports.identify.addPasskey(browserOf(ports, context), response, name))
    return accountOf(ports, caller)
  },
)

export const removePasskey = deed(verbs.removePasskey, async (ports: SessionPorts, { caller }, { passkey }) =>
  remove(ports, caller, 'passkeys', passkey),
)

export const linkLogin = deed(
  verbs.linkLogin,
  async (ports: SessionPorts, { caller, context }, { provider }) => {
    personOf(caller)
    const { url, ...kept } = await ports.identify.beginAt(browserOf(ports, context), provider, { link: true })
    await keep(ports, context, kept)
    return { url }
  },
)

export const unlinkLogin = deed(verbs.unlinkLogin, async (ports: SessionPorts, { caller }, { login }) =>
  remove(ports, caller, 'person_logins', login),
)

export const accountDeeds = [
  getAccount,
  changeAccount,
  changePassword,
  deleteAccount,
  listSessions,
  endOtherSessions,
  endSession,
  startPasskey,
  addPasskey,
  removePasskey,
  linkLogin,
  unlinkLogin,
]

/** @throws AppError `not_found` for the operator, who has no account */
export function personOf(caller: Caller): Person {
  const person = accountHolder(caller)
  if (person) return person
  throw new AppError('not_found', 'The operator has no account; sign in as a person')
}

/** Undefined for the operator, who has sessions too. */
function personIdOf(caller: Caller): string | undefined {
  return accountHolder(caller)?.id
}

export async function accountOf(
  { store }: Pick<SessionPorts, 'store'>,
  caller: Caller,
): Promise<accounts.Account> {
  const account = await accounts.findAccount(store.db, personOf(caller).id)
  if (!account) throw new AppError('not_found', 'This account has been deleted')
  return account
}

/** The sessions besides that of the request. */
async function besides(
  { store, publicUrl }: SessionPorts,
  context: RequestContext,
): Promise<{ except?: string }> {
  const current = await readSession(store, publicUrl(), context)
  return current ? { except: current.id } : {}
}

async function remove(
  ports: SessionPorts,
  caller: Caller,
  kind: 'passkeys' | 'person_logins',
  id: string,
): Promise<accounts.Account> {
  const person = personOf(caller)
  noteAct({ target: id })
  if (!(await ports.store.transaction((tx) => accounts.removeWayIn(tx, person.id, kind, id))))
    throw notFound(kind === 'passkeys' ? 'passkey' : 'login', id, 'account')
  return accountOf(ports, caller)
}
