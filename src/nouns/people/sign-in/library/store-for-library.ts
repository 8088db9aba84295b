import { AsyncLocalStorage } from 'node:async_hooks'
import type { BetterAuthOptions, DBAdapter, DBTransactionAdapter, Where } from 'better-auth'
import { getAdapter } from 'better-auth/db/adapter'
import { sha256 } from '../../../../lib/ids.ts'
import { noteAct } from '../../../../store/acts.ts'
import type { Reader, Store, Tx } from '../../../../store/database.ts'
import { insertAccount, readEmail, readName } from '../../accounts.ts'
import { invitationRefusal, redeemInvitation } from '../../invitations.ts'
import { openSession, type Device } from '../../../../features/projects/sign-in.ts'

/** What one call of the library is about, and what it came to. */
export interface LibraryCall {
  from: Device
  /** The secret of the invitation that allows a new account. */
  invitation?: string | undefined
  /** The session that was opened. */
  opened?: { secret: string; personId: string } | undefined
}

export const libraryCalls = new AsyncLocalStorage<LibraryCall>()

/**
 * The library's tables on our store. Each write is a transaction of ours. Sessions and accounts are made by our own
 * functions: a session's secret is kept as its hash, a new account needs an invitation, and tokens of providers are
 * not kept.
 */
export function storeForLibrary(store: Store): (options: BetterAuthOptions) => DBAdapter {
  return (options) => {
    const on = (db: Reader): Promise<DBAdapter> =>
      getAdapter({ ...options, database: { db, type: 'postgres' } })
    let opened: Promise<DBAdapter> | undefined
    const reading = (): Promise<DBAdapter> => (opened ??= on(store.db))
    const within = <T>(work: (writing: DBTransactionAdapter) => Promise<T>): Promise<T> =>
      store.transaction(async (tx) => work(writer(tx, await on(tx))))
    return {
      id: 'docwright',
      options: { adapterConfig: { adapterId: 'docwright' } },
      findOne: async (data) => findOne(await reading(), data),
      findMany: async (data) => (await reading()).findMany(data),
      count: async (data) => (await reading()).count(data),
      create: (data) => within((writing) => writing.create(data)),
      update: (data) => within((writing) => writing.update(data)),
      updateMany: (data) => within((writing) => writing.updateMany(data)),
      delete: (data) => within((writing) => writing.delete(data)),
      deleteMany: (data) => within((writing) => writing.deleteMany(data)),
      consumeOne: (data) => within((writing) => writing.consumeOne(data)),
      incrementOne: (data) => within((writing) => writing.incrementOne(data)),
      transaction: (work) => within((writing) => work(writing)),
    }
  }
}

type Data = Record<string, unknown>

function writer(tx: Tx, base: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...base,
    findOne: (data) => findOne(base, data),
    // The library knows only the shape of what it has asked for.
    create: async <T extends Data, R = T>(input: { model: string; data: Omit<T, 'id'> }): Promise<R> => {
      const { model, data } = input
      if (model === 'session') return (await createSession(tx, data)) as R
      if (model === 'user') return (await createUser(tx, data)) as R
      return base.create<T, R>(model === 'account' ? { ...input, data: withoutTokens(data) } : input)
    },
    update: (input) =>
      base.update(
        input.model === 'account'
          ? { ...input, update: withoutTokens(input.update) }
          : { ...input, where: hashed(input.model, input.where) },
      ),
    delete: (input) => base.delete({ ...input, where: hashed(input.model, input.where) }),
    deleteMany: (input) => base.deleteMany({ ...input, where: hashed(input.model, input.where) }),
  }
}

async function findOne<T>(
  base: Pick<DBAdapter, 'findOne'>,
  data: Parameters<DBAdapter['findOne']>[0],
): Promise<T | null> {
  const row = await base.findOne<T>({ ...data, where: hashed(data.model, data.where) })
  const token = data.where.find(({ field }) => field === 'token')
  return row && data.model === 'session' && token ? { ...row, token: token.value } : row
}

// Sessions are looked up by the hash of their secret, which the library calls token.
function hashed(model: string, where: Where[]): Where[] {
  if (model !== 'session') return where
  return where.map((one) =>
    one.field === 'token' && typeof one.value === 'string' ? { ...one, value: sha256(one.value) } : one,
  )
}

async function createSession(tx: Tx, data: Data): Promise<Data> {
  const call = libraryCalls.getStore()
  const personId = String(data['userId'])
  const secret = String(data['token'])
  const opened = await openSession(tx, personId, call?.from, secret)
  if (call) call.opened = { secret, personId }
  const person = await tx
    .selectFrom('people')
    .select('name')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  noteAct({ actor: { kind: 'person', id: personId, name: person.name } })
  return { ...data, ...opened, token: secret, updatedAt: opened.createdAt }
}

async function createUser(tx: Tx, data: Data): Promise<Data> {
  const invitation = libraryCalls.getStore()?.invitation
  if (invitation === undefined) throw invitationRefusal(undefined)
  const email = readEmail(textOf(data['email']))
  const id = await insertAccount(tx, {
    name: readName(textOf(data['name']).trim().slice(0, 100) || email.slice(0, email.indexOf('@'))),
    email,
    emailVerified: data['emailVerified'] === true,
    passwordHash: undefined,
  })
  const { organizationId } = await redeemInvitation(tx, invitation, id)
  noteAct({ verb: 'acceptInvitation', organizationId })
  return { ...data, id }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const tokens = [
  'accessToken',
  'refreshToken',
  'idToken',
  'accessTokenExpiresAt',
  'refreshTokenExpiresAt',
] as const

function withoutTokens<T extends object>(data: T): T {
  return { ...data, ...Object.fromEntries(tokens.map((name) => [name, null])) }
}
