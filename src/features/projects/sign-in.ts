import { sql } from 'kysely'
import { newId, randomText, sha256 } from '../../lib/ids.ts'
import { networkOf } from '../../lib/network-address.ts'
import type { Reader, Tx } from '../../store/database.ts'
import { operatorPerson, type Person, type Role } from './roles.ts'

/** An organization of somebody who is signed in. */
export interface OwnOrganization {
  id: string
  name: string
}

/** The session of somebody who is signed in. */
export interface Session {
  id: string
  /** The token that a form must send back. */
  csrfToken: string
  person: Person
  /** The first one is the default. */
  organizations: readonly OwnOrganization[]
  /** The one that is shown. Undefined for people who belong to none. */
  organization: OwnOrganization | undefined
}

/** Where a session was opened. */
export interface Device {
  address?: string | undefined
  /** The User-Agent of the browser. */
  device?: string | undefined
}

/**
 * Makes the secret of a sign-in link, which opens one session of the operator within `hours`. While nobody has an
 * account, it makes one instead, if the person who opens it likes.
 */
export async function createSignInLink(tx: Tx, hours: number): Promise<string> {
  const secret = randomText(32)
  await sql`
    insert into sign_in_links (hash, expires_at)
    values (${sha256(secret)}, now() + make_interval(hours => ${hours}::int))
  `.execute(tx)
  return secret
}

/** Whether a link may make the account of the first owner: it works, and nobody has an account yet. */
export async function makesOwner(db: Reader, secret: string): Promise<boolean> {
  const link = await db
    .selectFrom('sign_in_links')
    .select('hash')
    .where('hash', '=', sha256(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return link !== undefined && !(await hasPeople(db))
}

/** Whether anybody has an account. */
export async function hasPeople(db: Reader): Promise<boolean> {
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * Uses a link up for the account of the first owner. From here to the end of the transaction nobody else gets an
 * account, so that of two links that are used at once one makes an owner.
 * @returns false when the link does not work, or somebody has an account
 */
export async function useOwnerLink(tx: Tx, secret: string): Promise<boolean> {
  // No row stands for "nobody". The lock leaves reading alone, and is taken once in the life of a server.
  await sql`lock table people in share row exclusive mode`.execute(tx)
  return (await makesOwner(tx, secret)) && (await useSignInLink(tx, secret))
}

/** Uses a link up. @returns false when it is unknown, used or expired */
async function useSignInLink(tx: Tx, secret: string): Promise<boolean> {
  const used = await tx
    .updateTable('sign_in_links')
    .set({ used_at: sql<Date>`now()` })
    .where('hash', '=', sha256(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('hash')
    .executeTakeFirst()
  return used !== undefined
}

/**
 * Exchanges a link's secret for that of a session of the operator, once.
 * @returns undefined when the link is unknown, used or expired.
 */
export async function redeemSignInLink(
  tx: Tx,
  secret: string,
  from: Device = {},
): Promise<string | undefined> {
  return (await useSignInLink(tx, secret)) ? (await openSession(tx, undefined, from)).secret : undefined
}

/** Days that a session lasts. */
export const sessionDays = 30

/** Opens a session. Every one has a new secret, so that nobody can prepare one for somebody else. */
export async function openSession(
  tx: Tx,
  /** Undefined: the operator. */
  personId: string | undefined,
  { address, device }: Device = {},
  secret = randomText(32),
): Promise<{ id: string; secret: string; createdAt: Date; expiresAt: Date }> {
  const row = await tx
    .insertInto('sessions')
    .values({
      id: newId('ses'),
      hash: sha256(secret),
      csrf_token: randomText(32),
      person_id: personId ?? null,
      address: address ?? null,
      device: device?.slice(0, 300) ?? null,
      expires_at: sql<Date>`now() + make_interval(days => ${sessionDays}::int)`,
    })
    .returning(['id', 'created_at', 'expires_at'])
    .executeTakeFirstOrThrow()
  if (personId !== undefined && address !== undefined) await noteNetwork(tx, personId, address)
  return { id: row.id, secret, createdAt: row.created_at, expiresAt: row.expires_at }
}

async function noteNetwork(tx: Tx, personId: string, address: string): Promise<void> {
  await tx
    .insertInto('sign_in_networks')
    .values({ person_id: personId, network: networkOf(address) ?? address })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'network']).doUpdateSet({ last_used_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Whether somebody with this email address has signed in from the network of an address before. */
export async function hasSignedInFrom(db: Reader, email: string, address: string): Promise<boolean> {
  const known = await db
    .selectFrom('sign_in_networks')
    .innerJoin('people', 'people.id', 'sign_in_networks.person_id')
    .select('network')
    .where('people.email', '=', email)
    .where('network', '=', networkOf(address) ?? address)
    .executeTakeFirst()
  return known !== undefined
}

/** A person with the roles that they have now; undefined where there is none. */
export async function findPerson(db: Reader, id: string): Promise<Person | undefined> {
  const row = await db
    .selectFrom('people')
    .select(['id', 'name', 'email', 'adds_organizations'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && personWith(row, await organizationsOf(db, id))
}

function personWith(
  row: { id: string; name: string; email: string; adds_organizations: boolean },
  organizations: readonly { id: string; role: Role | null }[],
): Person {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    isOperator: false,
    roles: new Map(organizations.flatMap(({ id, role }) => (role === null ? [] : [[id, role]]))),
    addsOrganizations: row.adds_organizations,
  }
}

export async function findSession(db: Reader, secret: string): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions')
    .leftJoin('people', 'people.id', 'sessions.person_id')
    .select([
      'sessions.id',
      'sessions.csrf_token',
      'sessions.person_id',
      'sessions.organization_id',
      'people.name',
      'people.email',
      'people.adds_organizations',
    ])
    .where('hash', '=', sha256(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!row) return undefined
  const organizations = await organizationsOf(db, row.person_id)
  const person: Person =
    row.person_id === null
      ? operatorPerson
      : personWith(
          {
            id: row.person_id,
            name: row.name ?? '',
            email: row.email ?? '',
            adds_organizations: row.adds_organizations === true,
          },
          organizations,
        )
  return {
    id: row.id,
    csrfToken: row.csrf_token,
    person,
    organizations: organizations.map(({ id, name }) => ({ id, name })),
    organization: organizations.find(({ id }) => id === row.organization_id) ?? organizations[0],
  }
}

// All of them for the operator.
async function organizationsOf(
  db: Reader,
  personId: string | null,
): Promise<(OwnOrganization & { role: Role | null })[]> {
  const sorted = sql`is_default desc, organizations.created_at`
  if (personId === null)
    return db
      .selectFrom('organizations')
      .select((of) => ['id', 'name', of.val<Role | null>(null).as('role')])
      .orderBy(sorted)
      .execute()
  return db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.name', 'memberships.role'])
    .where('person_id', '=', personId)
    .orderBy(sorted)
    .execute()
}

/** Notes the use of a session, at most once a minute, so that not every request causes a write. */
export async function touchSession(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('last_used_at', '<', sql<Date>`now() - interval '1 minute'`)
    .execute()
}

/** @param organizationId one that the session's person belongs to */
export async function showOrganization(tx: Tx, id: string, organizationId: string): Promise<void> {
  await tx.updateTable('sessions').set({ organization_id: organizationId }).where('id', '=', id).execute()
}

export async function deleteSession(tx: Tx, secret: string): Promise<void> {
  await tx.deleteFrom('sessions').where('hash', '=', sha256(secret)).execute()
}

export async function deleteExpiredSessions(tx: Tx): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(tx)
  await sql`delete from sign_in_links where expires_at < now() - interval '1 day'`.execute(tx)
  await sql`delete from sign_in_networks where last_used_at < now() - interval '90 days'`.execute(tx)
  await sql`delete from verifications where expires_at < now()`.execute(tx)
  await sql`delete from password_links where expires_at < now()`.execute(tx)
  await sql`delete from invitations where coalesce(used_at, revoked_at, expires_at) < now() - interval '30 days'`.execute(
    tx,
  )
}
