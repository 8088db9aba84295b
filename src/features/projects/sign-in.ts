import { sql } from 'kysely'
import { randomText, sha256 } from '../../lib/ids.ts'
import type { Reader, Tx } from '../../store/database.ts'
import { operatorPerson, type Person } from './person.ts'

/** The session of a person who used a sign-in link. */
export interface Session {
  /** The token that a form must send back. */
  csrfToken: string
  person: Person
}

/** Makes the secret of a sign-in link, which opens one session within `hours`. */
export async function createSignInLink(tx: Tx, hours: number): Promise<string> {
  const secret = randomText(32)
  await sql`
    insert into sign_in_links (hash, expires_at)
    values (${sha256(secret)}, now() + make_interval(hours => ${hours}::int))
  `.execute(tx)
  return secret
}

/**
 * Exchanges a link's secret for a session's, once.
 * @returns undefined when the link is unknown, used or expired.
 */
export async function redeemSignInLink(tx: Tx, secret: string): Promise<string | undefined> {
  const link = await tx
    .updateTable('sign_in_links')
    .set({ used_at: sql<Date>`now()` })
    .where('hash', '=', sha256(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('hash')
    .executeTakeFirst()
  if (!link) return undefined
  const session = randomText(32)
  await sql`
    insert into sessions (hash, csrf_token, expires_at)
    values (${sha256(session)}, ${randomText(32)}, now() + interval '30 days')
  `.execute(tx)
  return session
}

export async function findSession(db: Reader, secret: string): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('csrf_token')
    .where('hash', '=', sha256(secret))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row && { csrfToken: row.csrf_token, person: operatorPerson }
}

export async function deleteSession(tx: Tx, secret: string): Promise<void> {
  await tx.deleteFrom('sessions').where('hash', '=', sha256(secret)).execute()
}

export async function deleteExpiredSessions(tx: Tx): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(tx)
  await sql`delete from sign_in_links where expires_at < now() - interval '1 day'`.execute(tx)
}
