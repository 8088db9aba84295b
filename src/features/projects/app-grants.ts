import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { newId, randomText, sameSecret, sha256 } from '../../lib/ids.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { Person } from './roles.ts'
import { findPerson } from './sign-in.ts'

/** An app that a person has let use a server of the Model Context Protocol here. */
export interface AppGrant {
  id: string
  /** As the app calls itself. */
  name: string
  /** Path of the server, such as `/mcp/handbook`. */
  resource: string
  createdAt: Date
  lastUsedAt: Date | undefined
}

export interface AppTokens {
  access: string
  refresh: string
  /** Seconds. */
  expiresIn: number
}

const prefixes = { code: 'mcc_', access: 'mcp_', refresh: 'mcr_' } as const
type TokenKind = keyof typeof prefixes

/** Seconds. A refresh token lasts as long from each use on. */
const lifetimes: Record<TokenKind, number> = { code: 300, access: 3600, refresh: 90 * 86_400 }
/** Seconds in which a refresh token works again: the answer may have been lost, or an app runs twice. */
const graceSeconds = 60

/** Whether a bearer token looks like one of an app. */
export function isAppToken(token: string): boolean {
  return token.startsWith(prefixes.access)
}

/**
 * Who has let the app with this token use a server, with the roles that the person has now.
 * @param resource path of the server: a token works nowhere else
 */
export async function findAppPerson(
  db: Reader,
  token: string,
  resource: string,
): Promise<Person | undefined> {
  const row = await db
    .selectFrom('app_tokens')
    .innerJoin('app_grants', 'app_grants.id', 'app_tokens.grant_id')
    .select(['person_id', 'resource'])
    .where('hash', '=', sha256(token))
    .where('kind', '=', 'access')
    .where('app_tokens.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.resource === resource ? findPerson(db, row.person_id) : undefined
}

interface NewGrant {
  personId: string
  clientId: string
  name: string
  resource: string
  /** Of PKCE, made with S256. */
  challenge: string
  redirectUri: string
}

/** Lets an app use a server. @returns the code that it exchanges for tokens, once and within five minutes */
export async function createGrant(tx: Tx, grant: NewGrant): Promise<{ id: string; code: string }> {
  const { personId, clientId, name, resource, challenge, redirectUri } = grant
  await tx
    .deleteFrom('app_grants')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
  const id = newId('app')
  await tx
    .insertInto('app_grants')
    .values({
      id,
      person_id: personId,
      client_hash: sha256(clientId),
      name,
      resource,
      expires_at: inSeconds(lifetimes.code),
    })
    .execute()
  const code = await addToken(tx, id, 'code', { challenge, redirectUri })
  return { id, code }
}

/**
 * Exchanges a code for tokens. One that was used before has leaked, so that all of its grant ends.
 * @returns undefined for a code that does not work
 */
export async function redeemCode(
  tx: Tx,
  asked: { code: string; clientId: string; redirectUri: string; verifier: string },
): Promise<AppTokens | undefined> {
  const row = await takeToken(tx, asked.code, 'code', asked.clientId)
  if (!row) return undefined
  if (row.used_at !== null) {
    await endGrant(tx, row.grant_id)
    return undefined
  }
  const challenge = createHash('sha256').update(asked.verifier).digest('base64url')
  const fits = sameSecret(challenge, row.challenge ?? '') && row.redirect_uri === asked.redirectUri
  await markUsed(tx, asked.code)
  return fits ? addTokens(tx, row.grant_id) : undefined
}

/**
 * New tokens for a refresh token, which then ends. One that is used again later has leaked, so that all of its grant
 * ends.
 * @returns undefined for a token that does not work
 */
export async function refreshTokens(
  tx: Tx,
  { token, clientId }: { token: string; clientId: string },
): Promise<AppTokens | undefined> {
  const row = await takeToken(tx, token, 'refresh', clientId)
  if (!row) return undefined
  if (row.is_late) {
    await endGrant(tx, row.grant_id)
    return undefined
  }
  if (row.used_at === null) await markUsed(tx, token)
  return addTokens(tx, row.grant_id)
}

/** Ends the grant that a token belongs to; nothing happens for one that is unknown. */
export async function revokeToken(tx: Tx, token: string): Promise<void> {
  await tx
    .deleteFrom('app_grants')
    .where('id', 'in', (db) =>
      db.selectFrom('app_tokens').select('grant_id').where('hash', '=', sha256(token)),
    )
    .execute()
}

/** The apps of a person, the newest first. */
export async function listGrants(db: Reader, personId: string): Promise<AppGrant[]> {
  const rows = await db
    .selectFrom('app_grants')
    .select(['id', 'name', 'resource', 'created_at', 'last_used_at'])
    .where('person_id', '=', personId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('last_used_at', 'is not', null)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ created_at: createdAt, last_used_at: lastUsedAt, ...row }) => ({
    ...row,
    createdAt,
    lastUsedAt: lastUsedAt ?? undefined,
  }))
}

/** @returns the app that was disconnected; undefined where the person has none of that id */
export async function deleteGrant(tx: Tx, personId: string, id: string): Promise<AppGrant | undefined> {
  const grant = (await listGrants(tx, personId)).find((one) => one.id === id)
  if (grant) await endGrant(tx, id)
  return grant
}

type TakenToken = {
  grant_id: string
  used_at: Date | null
  challenge: string | null
  redirect_uri: string | null
  is_late: boolean
}

// Two exchanges of one token follow each other.
async function takeToken(
  tx: Tx,
  token: string,
  kind: TokenKind,
  clientId: string,
): Promise<TakenToken | undefined> {
  const { rows } = await sql<TakenToken>`
    select t.grant_id, t.used_at, t.challenge, t.redirect_uri,
      coalesce(t.used_at < now() - ${graceSeconds} * interval '1 second', false) as is_late
    from app_tokens t join app_grants g on g.id = t.grant_id
    where t.hash = ${sha256(token)} and t.kind = ${kind} and t.expires_at > now() and g.client_hash = ${sha256(clientId)}
    for update
  `.execute(tx)
  return rows[0]
}

async function addTokens(tx: Tx, grantId: string): Promise<AppTokens> {
  await tx
    .deleteFrom('app_tokens')
    .where('grant_id', '=', grantId)
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
  await tx
    .updateTable('app_grants')
    .set({ last_used_at: sql<Date>`now()`, expires_at: inSeconds(lifetimes.refresh) })
    .where('id', '=', grantId)
    .execute()
  return {
    access: await addToken(tx, grantId, 'access'),
    refresh: await addToken(tx, grantId, 'refresh'),
    expiresIn: lifetimes.access,
  }
}

async function addToken(
  tx: Tx,
  grantId: string,
  kind: TokenKind,
  of: { challenge?: string; redirectUri?: string } = {},
): Promise<string> {
  const token = `${prefixes[kind]}${randomText(32)}`
  await tx
    .insertInto('app_tokens')
    .values({
      hash: sha256(token),
      grant_id: grantId,
      kind,
      challenge: of.challenge ?? null,
      redirect_uri: of.redirectUri ?? null,
      expires_at: inSeconds(lifetimes[kind]),
    })
    .execute()
  return token
}

async function markUsed(tx: Tx, token: string): Promise<void> {
  await tx
    .updateTable('app_tokens')
    .set({ used_at: sql<Date>`now()` })
    .where('hash', '=', sha256(token))
    .execute()
}

async function endGrant(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('app_grants').where('id', '=', id).execute()
}

function inSeconds(seconds: number) {
  return sql<Date>`now() + ${seconds} * interval '1 second'`
}
