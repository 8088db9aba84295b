import { sql, type Selectable } from 'kysely'
import { hasScope, scopesOfKind } from '../../features/projects/roles.ts'
import { keyPrefixes, type KeyKind, type UsedKey } from '../../features/projects/used-key.ts'
import { isAddressRange } from '../../lib/address-list.ts'
import { AppError } from '../../lib/errors.ts'
import { newId, randomText, sha256 } from '../../lib/ids.ts'
import { abandonAct, noteAct } from '../../store/acts.ts'
import { json, type Reader, type Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** A key as it may be shown again; the secret itself is not kept. */
export interface Key extends Omit<UsedKey, 'name' | 'askedOnSite'> {
  name: string
  /** The key's last characters, to tell keys apart. */
  hint: string
  createdAt: Date
  revokedAt: Date | undefined
}

export interface NewKey {
  kind: KeyKind
  organizationId: string
  projectId?: string | undefined
  name?: string | undefined
  origins?: string[] | undefined
  scopes?: string[] | undefined
  addresses?: string[] | undefined
  expiresAt?: Date | undefined
}

/**
 * Checks that a key gives to another one no more than it has itself: an assistant key, or an admin key with scopes, addresses
 * and a time of its own.
 * @throws AppError `forbidden`
 */
export function requireNoMore(maker: UsedKey, key: NewKey): void {
  const named: readonly string[] = key.scopes ?? []
  const scopes =
    key.kind === 'assistant'
      ? []
      : scopesOfKind.admin.filter((scope) => hasScope({ scopes: [...named] }, scope))
  const lacking = scopes.find((scope) => !hasScope(maker, scope))
  if (lacking !== undefined)
    throw new AppError(
      'forbidden',
      `The key lacks the scope "${lacking}", so it can’t give it to another key. Name only scopes that it has`,
    )
  const addresses = key.addresses ?? []
  if (
    maker.addresses.length > 0 &&
    (addresses.length === 0 || addresses.some((one) => !maker.addresses.includes(one)))
  )
    throw new AppError(
      'forbidden',
      `The key is limited to addresses, so keys that it creates must be, too. Name some of ${maker.addresses.join(', ')}`,
    )
  if (maker.expiresAt !== undefined && (key.expiresAt === undefined || key.expiresAt > maker.expiresAt))
    throw new AppError(
      'forbidden',
      `The key expires at ${maker.expiresAt.toISOString()}, so keys that it creates must expire by then`,
    )
}

const longestList = 50

/**
 * Makes a key. `secret` is given for a provisioned key, which is left unchanged when it exists already.
 * @returns the key and its secret, which is never available again
 * @throws AppError `invalid` for scopes and origins that its kind does not have, and for invalid addresses
 */
export async function createKey(tx: Tx, key: NewKey, secret?: string): Promise<{ key: Key; secret: string }> {
  // Admin keys get no CORS headers: a list would look like a limit and be none.
  if (key.kind === 'admin' && (key.origins ?? []).length > 0)
    throw new AppError('invalid', 'Only assistant keys can be limited to web origins: leave the origins out')
  const value = secret ?? `${keyPrefixes[key.kind]}${randomText(32)}`
  const row = await tx
    .insertInto('keys')
    .values({
      id: newId('key'),
      kind: key.kind,
      organization_id: key.organizationId,
      project_id: key.projectId ?? null,
      name: key.name ?? '',
      hash: sha256(value),
      hint: value.slice(-4),
      origins: json(listUpTo(key.origins, 'origins').map(parseOrigin)),
      scopes: json(parseScopes(key.kind, key.scopes ?? [])),
      addresses: json(listUpTo(key.addresses, 'addresses').map(parseAddress)),
      expires_at: key.expiresAt ?? null,
    })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ name: key.name ?? '' }))
    .returningAll()
    .executeTakeFirstOrThrow()
  noteKey(row)
  return { key: keyOf(row), secret: value }
}

/** Oldest first; of some organizations when they are given. */
export async function listKeys(db: Reader, organizationIds?: readonly string[]): Promise<Key[]> {
  if (organizationIds?.length === 0) return []
  let query = db.selectFrom('keys').selectAll().orderBy('created_at')
  if (organizationIds !== undefined) query = query.where('organization_id', 'in', organizationIds)
  return (await query.execute()).map(keyOf)
}

export async function findKey(db: Reader, id: string): Promise<Key | undefined> {
  const row = await db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst()
  return row && keyOf(row)
}

/** The keys that open a project: its own assistant keys and its organization's admin keys, oldest first. */
export async function listProjectKeys(
  db: Reader,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<Key[]> {
  const rows = await db
    .selectFrom('keys')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where((is) => is.or([is('kind', '=', 'admin'), is('project_id', '=', id)]))
    .orderBy('created_at')
    .execute()
  return rows.map(keyOf)
}

/**
 * Revokes a key, at once for all processes.
 * @returns the key, or undefined when there is none with this id.
 */
export async function revokeKey(tx: Tx, id: string): Promise<Key | undefined> {
  const row = await tx
    .updateTable('keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row) noteKey(row)
  else abandonAct()
  return row && keyOf(row)
}

// The id alone is on no page.
function noteKey({ id, name }: { id: string; name: string }): void {
  noteAct({ target: name === '' ? id : `${name} (${id})` })
}

function parseScopes(kind: KeyKind, scopes: string[]): string[] {
  const known: readonly string[] = scopesOfKind[kind]
  const wrong = scopes.find((scope) => !known.includes(scope))
  if (wrong !== undefined)
    throw new AppError(
      'invalid',
      `${JSON.stringify(wrong.slice(0, 100))} is not a scope of ${kind} keys; choose of ${known.join(', ')}`,
    )
  return known.filter((scope) => scopes.includes(scope))
}

function parseAddress(text: string): string {
  if (isAddressRange(text)) return text.toLowerCase()
  throw new AppError(
    'invalid',
    `${JSON.stringify(text.slice(0, 100))} is not an IP address or CIDR range; write it like 203.0.113.7 or 203.0.113.0/24`,
  )
}

/** A web origin as browsers send it. @throws AppError `invalid` */
function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    // No host's name is longer.
    url.hostname.length <= 253 &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash + url.username + url.password === ''
  if (!isOrigin)
    throw new AppError(
      'invalid',
      `${JSON.stringify(text.slice(0, 100))} is not an origin; write it like https://docs.example.com`,
    )
  return url.origin
}

function listUpTo(list: string[] | undefined, what: string): string[] {
  if (list && list.length > longestList)
    throw new AppError('invalid', `A key can have ${longestList} ${what} at most`)
  return list ?? []
}

function keyOf(row: Selectable<Tables['keys']>): Key {
  return {
    id: row.id,
    kind: row.kind,
    organizationId: row.organization_id,
    projectId: row.project_id ?? undefined,
    name: row.name,
    hint: row.hint,
    origins: row.origins,
    scopes: row.scopes,
    addresses: row.addresses,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  }
}
