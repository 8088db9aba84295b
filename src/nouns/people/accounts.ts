import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import { newId, randomText, sha256 } from '../../lib/ids.ts'
import type { Reader, Tx } from '../../store/database.ts'
import { endPasswordLinks, requireOtherOwners } from './members.ts'

/** What a person sees and changes of the own account. */
export interface Account {
  id: string
  name: string
  email: string
  coAuthor: boolean
  addsOrganizations: boolean
  hasPassword: boolean
  passkeys: { id: string; name: string; createdAt: Date | undefined }[]
  /** Accounts elsewhere that sign this person in. */
  logins: { id: string; provider: string; createdAt: Date }[]
  createdAt: Date
}

const longestName = 100

/** @throws AppError `invalid` for one that can be guessed easily; its length is a rule of the verbs */
export function checkPassword(password: string, { name = '', email = '' } = {}): void {
  if (new Set(password).size < 5) throw new AppError('invalid', 'The password repeats only a few characters')
  const lower = password.toLowerCase()
  if ([name, email, email.split('@')[0] ?? ''].some((known) => known !== '' && lower === known.toLowerCase()))
    throw new AppError('invalid', 'The password must not be the name or the email address')
}

/** @throws AppError `invalid` */
export function readName(text: string): string {
  // Names stand in trailers of commits, in one line.
  const name = text
    .replaceAll(/[\p{C}<>]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (name === '' || name.length > longestName)
    throw new AppError('invalid', `Enter a name of 1 to ${longestName} characters`)
  return name
}

/** @throws AppError `invalid` */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length > 254 || !/^[^\s<>@"(),:;[\]\\\p{C}]+@[^\s<>@"(),:;[\]\\\p{C}]+$/u.test(email))
    throw new AppError('invalid', 'Enter an email address such as name@example.com')
  return email
}

export interface NewAccount {
  name: string
  email: string
  /** Undefined for people who sign in otherwise. */
  passwordHash: string | undefined
  addsOrganizations?: boolean
  emailVerified?: boolean
}

/** @throws AppError `conflict` when the address has an account already */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<string> {
  const row = await tx
    .insertInto('people')
    .values({
      id: newId('per'),
      name: account.name,
      email: account.email,
      email_verified: account.emailVerified ?? false,
      adds_organizations: account.addsOrganizations ?? false,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  // Only somebody with a link of an owner can learn this.
  if (!row)
    throw new AppError('conflict', 'There is an account with this email address: sign in, then open the link')
  if (account.passwordHash !== undefined) await setPassword(tx, row.id, account.passwordHash)
  return row.id
}

export async function setPassword(tx: Tx, personId: string, hash: string): Promise<void> {
  await tx
    .insertInto('person_logins')
    .values({
      id: newId('log'),
      person_id: personId,
      provider: 'credential',
      account_id: personId,
      password: hash,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'account_id']).doUpdateSet({ password: hash, updated_at: new Date() }),
    )
    .execute()
}

export async function passwordHashOf(db: Reader, personId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('person_logins')
    .select('password')
    .where('person_id', '=', personId)
    .where('provider', '=', 'credential')
    .executeTakeFirst()
  return row?.password ?? undefined
}

export async function findAccount(db: Reader, id: string): Promise<Account | undefined> {
  const row = await db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const logins = await db
    .selectFrom('person_logins')
    .select(['id', 'provider', 'created_at', 'password'])
    .where('person_id', '=', id)
    .orderBy('created_at')
    .execute()
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at'])
    .where('person_id', '=', id)
    .orderBy('created_at')
    .execute()
  return {
    id,
    name: row.name,
    email: row.email,
    coAuthor: row.co_author,
    addsOrganizations: row.adds_organizations,
    hasPassword: logins.some(({ provider, password }) => provider === 'credential' && password !== null),
    passkeys: passkeys.map((one) => ({
      id: one.id,
      name: one.name ?? 'Passkey',
      createdAt: one.created_at ?? undefined,
    })),
    logins: logins
      .filter(({ provider }) => provider !== 'credential')
      .map((one) => ({ id: one.id, provider: one.provider, createdAt: one.created_at })),
    createdAt: row.created_at,
  }
}

export async function changeAccount(
  tx: Tx,
  id: string,
  change: { name?: string | undefined; coAuthor?: boolean | undefined },
): Promise<void> {
  await tx
    .updateTable('people')
    .set({
      ...(change.name !== undefined && { name: change.name }),
      ...(change.coAuthor !== undefined && { co_author: change.coAuthor }),
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .execute()
}

/** @throws AppError `conflict` while an organization would be left without an owner */
export async function deleteAccount(tx: Tx, id: string): Promise<void> {
  const own = await tx
    .selectFrom('memberships')
    .select('organization_id')
    .where('person_id', '=', id)
    .where('role', '=', 'owner')
    .orderBy('organization_id')
    .execute()
  for (const { organization_id: organization } of own) {
    await requireOtherOwners(tx, organization, id)
    await endPasswordLinks(tx, organization)
  }
  await tx.deleteFrom('people').where('id', '=', id).execute()
}

/**
 * Removes a passkey or a linked login, unless nothing would be left to sign in with.
 * @returns false when the person has no such thing
 */
export async function removeWayIn(
  tx: Tx,
  personId: string,
  kind: 'passkeys' | 'person_logins',
  id: string,
): Promise<boolean> {
  // Two removals at once must not both find the other one left.
  await tx.selectFrom('people').select('id').where('id', '=', personId).forUpdate().execute()
  const account = await findAccount(tx, personId)
  const of = kind === 'passkeys' ? account?.passkeys : account?.logins
  if (!account || of?.some((one) => one.id === id) !== true) return false
  if (account.passkeys.length + account.logins.length + (account.hasPassword ? 1 : 0) < 2)
    throw new AppError('conflict', 'Nothing would be left to sign in with: set a password first')
  await tx.deleteFrom(kind).where('id', '=', id).where('person_id', '=', personId).execute()
  return true
}

export interface OpenSession {
  id: string
  device: string | undefined
  address: string | undefined
  createdAt: Date
  lastUsedAt: Date
}

/** Of the operator when `personId` is undefined. The one used last comes first. */
export async function listSessions(db: Reader, personId: string | undefined): Promise<OpenSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'device', 'address', 'created_at', 'last_used_at'])
    .where('person_id', personId === undefined ? 'is' : '=', personId ?? null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .limit(200)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    device: row.device ?? undefined,
    address: row.address ?? undefined,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}

/** @returns how many were ended */
export async function endSessions(
  tx: Tx,
  personId: string | undefined,
  which: { only?: string; except?: string } = {},
): Promise<number> {
  let query = tx
    .deleteFrom('sessions')
    .where('person_id', personId === undefined ? 'is' : '=', personId ?? null)
  if (which.only !== undefined) query = query.where('id', '=', which.only)
  if (which.except !== undefined) query = query.where('id', '!=', which.except)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** Makes the secret of a link with which a person sets a new password within a day. Earlier ones stop working. */
export async function createPasswordLink(tx: Tx, personId: string): Promise<string> {
  const secret = randomText(32)
  await tx.deleteFrom('password_links').where('person_id', '=', personId).execute()
  await sql`
    insert into password_links (hash, person_id, expires_at)
    values (${sha256(secret)}, ${personId}, now() + interval '1 day')
  `.execute(tx)
  return secret
}

/** Whose password a link sets; undefined when it is unknown, used or expired. */
export async function findPasswordLink(
  db: Reader,
  secret: string,
): Promise<{ id: string; name: string; email: string } | undefined> {
  return db
    .selectFrom('password_links')
    .innerJoin('people', 'people.id', 'password_links.person_id')
    .select(['people.id', 'people.name', 'people.email'])
    .where('hash', '=', sha256(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** Sets a new password, and ends all sessions of the person. @returns undefined when the link does not work */
export async function redeemPasswordLink(
  tx: Tx,
  secret: string,
  passwordHash: string,
): Promise<string | undefined> {
  const link = await tx
    .deleteFrom('password_links')
    .where('hash', '=', sha256(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('person_id')
    .executeTakeFirst()
  if (!link) return undefined
  await setPassword(tx, link.person_id, passwordHash)
  await endSessions(tx, link.person_id)
  return link.person_id
}
